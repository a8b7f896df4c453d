// Package secrets finds credentials in text with gitleaks' rules: for the gate,
// which keeps them out of a repository, and for texts that are stored or shown.
// What it reports never holds a credential.
//
// Only hosts that import this package or the root compile gitleaks and what that
// brings.
package secrets

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/viper"
	"github.com/zricethezav/gitleaks/v8/config"
	"github.com/zricethezav/gitleaks/v8/detect"
	"github.com/zricethezav/gitleaks/v8/report"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
)

// maxDecode is how many layers of base64, hexadecimal and percent encoding are
// taken off a text; gitleaks' own command takes off as many.
const maxDecode = 5

// A hit is one credential. secret and line hold it and leave this package never.
type hit struct {
	rule, about  string
	at, last     int // 1-based lines, last included
	secret, line string
}

// detector compiles gitleaks' rules once, when the first text is looked at. A
// detector keeps no state between texts and is safe for concurrent use.
var detector = sync.OnceValues(func() (*detect.Detector, error) { return compile(nil, maxDecode) })

// formed has the rules that know a credential by its own form, without the one
// that goes by the name it is assigned to and costs a hundred times the rest of
// them together; and it decodes nothing.
var formed = sync.OnceValues(func() (*detect.Detector, error) { return compile([]string{"generic-api-key"}, 0) })

// compile reads gitleaks' rules without those left out.
func compile(without []string, decode int) (*detect.Detector, error) {
	v := viper.New() // gitleaks' own way in would change the host's
	v.SetConfigType("toml")
	var raw config.ViperConfig
	err := v.ReadConfig(strings.NewReader(config.DefaultConfig))
	if err == nil {
		err = v.Unmarshal(&raw)
	}
	if err != nil {
		return nil, unreadable(err)
	}
	raw.MinVersion = "" // a library has no version that it could be held against
	cfg, err := raw.Translate()
	if err != nil {
		return nil, unreadable(err)
	}
	everyFileType(&cfg)
	for _, id := range without {
		delete(cfg.Rules, id)
	}
	d := detect.NewDetector(cfg)
	d.MaxDecodeDepth = decode
	d.IgnoreGitleaksAllow = true // whoever adds a credential can add the comment too
	return d, nil
}

func unreadable(err error) error {
	return &fault.Fault{Class: fault.Environment, Op: "secrets.rules", Detail: "gitleaks' rules cannot be read", State: "nothing was looked at",
		Next: "build with a version of gitleaks whose rules it can read itself", Err: err}
}

// everyFileType takes from the files that gitleaks passes over those in which a
// credential is as good as in any other: images and documents that are text, and
// gitleaks' own configuration. Lock files and vendored code stay passed over,
// since they are full of digests.
func everyFileType(cfg *config.Config) {
	for i, a := range cfg.Allowlists {
		own := &config.Allowlist{Description: a.Description, MatchCondition: a.MatchCondition, Commits: a.Commits,
			RegexTarget: a.RegexTarget, Regexes: a.Regexes, StopWords: a.StopWords}
		for _, p := range a.Paths {
			if !slices.ContainsFunc([]string{"a.svg", "a.pdf", "a.bin", "a.woff2", "gitleaks.toml"}, p.MatchString) {
				own.Paths = append(own.Paths, p)
			}
		}
		if own.Validate() == nil {
			cfg.Allowlists[i] = own
		}
	}
}

// find returns the credentials in a text, in order of line and rule. path is the
// file's, which some rules and exceptions ask for; strings are the places of its
// string literals, in order, nil where they are not known. Of a text that was
// there before, only what stands around new lines is looked at.
func find(ctx context.Context, path, before, text string, strings []index.Range) ([]hit, error) {
	d, err := detector()
	if err != nil {
		return nil, err
	}
	return findWith(ctx, d, path, before, text, strings)
}

func findWith(ctx context.Context, d *detect.Detector, path, before, text string, strings []index.Range) ([]hit, error) {
	var out []hit
	seen := map[[2]string]bool{}
	for _, w := range fresh(before, text) {
		for _, v := range w.views(text, strings) {
			//lint:ignore SA1019 this version has no other type for a text
			found := d.DetectContext(ctx, detect.Fragment{Raw: v.text, FilePath: path})
			if err := ctx.Err(); err != nil {
				return nil, fault.From(err, "secrets.find", "look again")
			}
			for _, f := range found {
				if h := hitOf(f, &v); !seen[[2]string{h.rule, h.secret}] {
					seen[[2]string{h.rule, h.secret}] = true
					out = append(out, h)
				}
			}
		}
	}
	slices.SortFunc(out, func(a, b hit) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.rule, b.rule), cmp.Compare(a.secret, b.secret))
	})
	return out, nil
}

func hitOf(f report.Finding, v *view) hit {
	return hit{rule: f.RuleID, about: f.Description, at: v.line(f.StartLine), last: v.end(f.EndLine), secret: f.Secret, line: strings.TrimSpace(f.Line)}
}
