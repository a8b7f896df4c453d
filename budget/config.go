package budget

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/internal/strictyaml"
)

// A Config is how a budget is shared out. ReadConfig reads its YAML form; the
// presets make others.
type Config struct {
	// Total is the number of tokens; above 0.
	Total int
	// Shares are the layers' parts of the total and add up to 1.
	Shares map[Layer]float64
	// Window is the number of lines kept on either side of a call (BUD-8).
	Window int
	// Commits is how many of the last commits of the touched files are named (BUD-12).
	Commits int
	// Seeds are symbols at which collection starts whatever the task says.
	Seeds []SeedConfig
	// Ambiguities are names that are never chosen among.
	Ambiguities []AmbiguityConfig
}

// A SeedConfig names a symbol at which collection starts.
type SeedConfig struct {
	Symbol     string `yaml:"symbol"`
	Why        string `yaml:"why"`
	Confidence string `yaml:"confidence"` // high, medium or low; "" is high
}

// An AmbiguityConfig names something that is to be asked about and not chosen.
type AmbiguityConfig struct {
	Symbol string `yaml:"symbol"`
	Reason string `yaml:"reason"`
	Action string `yaml:"action"` // "ask_before_edit", the only one, or ""
}

// Layers returns the six layers in the order in which quota flows on.
func Layers() []Layer {
	return []Layer{Signatures, Definitions, CallSites, Contracts, Tests, ConfigHistory}
}

// Standard returns the configuration that holds where none is given: the
// shares of BUD-5's example and 90,000 tokens.
func Standard() Config { return preset(0.12, 0.28, 0.22, 0.15, 0.13, 0.10) }

// CrossFile returns the preset for consistency across files: contracts up.
func CrossFile() Config { return preset(0.12, 0.22, 0.22, 0.25, 0.11, 0.08) }

// Addition returns the preset for pure additions: tests up.
func Addition() Config { return preset(0.14, 0.24, 0.12, 0.17, 0.25, 0.08) }

// Refactoring returns the preset for refactoring: definitions up.
func Refactoring() Config { return preset(0.08, 0.42, 0.22, 0.10, 0.12, 0.06) }

func preset(shares ...float64) Config {
	c := Config{Total: 90_000, Shares: make(map[Layer]float64), Window: 3, Commits: 5}
	for i, l := range Layers() {
		c.Shares[l] = shares[i]
	}
	return c
}

// configFile is the YAML form.
type configFile struct {
	Budget struct {
		Total  *int   `yaml:"total_tokens"`
		Policy string `yaml:"policy"`
		Preset string `yaml:"preset"`
		Rule   string `yaml:"rule"`
	} `yaml:"budget"`
	Layers      map[string]layerFile `yaml:"layers"`
	Seeds       []SeedConfig         `yaml:"seeds"`
	Ambiguities []AmbiguityConfig    `yaml:"ambiguities"`
	Rule        string               `yaml:"rule"`
}

type layerFile struct {
	Quota   *float64 `yaml:"quota"`
	Window  *int     `yaml:"window"`
	Commits *int     `yaml:"commits"`
	Rule    string   `yaml:"rule"`
}

// ReadConfig reads the YAML form of BUD-5. Without layers, those of
// budget.preset (cross_file, addition, refactoring; "" is Standard) hold; with
// layers, all six are given. `rule` is free text for the reader and may stand
// at the top, under budget and in each layer.
//
// Errors are invalid_input faults that name the key (Subject.Text): an unknown
// key, a total that is not above 0, shares below 0 or not adding up to 1, an
// unknown layer, policy, preset, confidence or action.
func ReadConfig(data []byte) (Config, error) {
	var f configFile
	if err := strictyaml.Decode(data, &f); err != nil {
		var e *strictyaml.Error
		errors.As(err, &e)
		return Config{}, &fault.Fault{Class: fault.InvalidInput, Op: "budget.configure", Subject: fault.Subject{Line: e.Line, Text: e.Key},
			Detail: "the budget configuration is wrong: " + err.Error(), State: "no configuration was read", Next: "correct the key; the keys are budget, layers, seeds, ambiguities and rule"}
	}
	c, err := f.config()
	if err != nil {
		return Config{}, err
	}
	return c, c.Check()
}

func (f configFile) config() (Config, error) {
	presets := map[string]func() Config{"": Standard, "standard": Standard, "cross_file": CrossFile, "addition": Addition, "refactoring": Refactoring}
	start, ok := presets[f.Budget.Preset]
	if !ok {
		return Config{}, misconfigured("budget.preset", fmt.Sprintf("there is no preset %q", f.Budget.Preset), "use cross_file, addition, refactoring or none")
	}
	if f.Budget.Policy != "" && f.Budget.Policy != "layered_quota" {
		return Config{}, misconfigured("budget.policy", fmt.Sprintf("there is no policy %q", f.Budget.Policy), "use layered_quota")
	}
	c := start()
	if f.Budget.Total != nil {
		c.Total = *f.Budget.Total
	}
	c.Seeds, c.Ambiguities = f.Seeds, f.Ambiguities
	if f.Layers == nil {
		return c, nil
	}
	return c, f.layers(&c)
}

func (f configFile) layers(c *Config) error {
	for _, l := range Layers() {
		given, ok := f.Layers[string(l)]
		if !ok || given.Quota == nil {
			return misconfigured("layers."+string(l), "the layer has no quota, and a list of layers gives all six", "give it one; 0 is allowed")
		}
		c.Shares[l] = *given.Quota
	}
	for _, name := range slices.Sorted(maps.Keys(f.Layers)) {
		l := f.Layers[name]
		switch {
		case c.Shares[Layer(name)] == 0 && !isLayer(name):
			return misconfigured("layers."+name, "there is no such layer", "use the layers "+layerNames())
		case l.Window != nil && Layer(name) != CallSites:
			return misconfigured("layers."+name+".window", "only call_sites has a window", "leave it out")
		case l.Commits != nil && Layer(name) != ConfigHistory:
			return misconfigured("layers."+name+".commits", "only config_history has commits", "leave it out")
		case l.Window != nil:
			c.Window = *l.Window
		case l.Commits != nil:
			c.Commits = *l.Commits
		}
	}
	return nil
}

func isLayer(name string) bool {
	for _, l := range Layers() {
		if string(l) == name {
			return true
		}
	}
	return false
}

func layerNames() string {
	var names []string
	for _, l := range Layers() {
		names = append(names, string(l))
	}
	return strings.Join(names, ", ")
}

func misconfigured(key, detail, next string) error {
	return &fault.Fault{Class: fault.InvalidInput, Op: "budget.configure", Subject: fault.Subject{Text: key}, Detail: detail, State: "no configuration was read", Next: next}
}

// Check returns an invalid_input fault that names the first key that cannot hold.
func (c Config) Check() error {
	sum := 0.0
	for _, l := range Layers() {
		share := c.Shares[l]
		if share < 0 || share > 1 || math.IsNaN(share) {
			return misconfigured("layers."+string(l)+".quota", fmt.Sprintf("a share of %g is not between 0 and 1", share), "give shares that add up to 1")
		}
		sum += share
	}
	switch {
	case c.Total <= 0:
		return misconfigured("budget.total_tokens", fmt.Sprintf("a total of %d tokens holds nothing", c.Total), "give a total above 0, such as 16000")
	case math.Abs(sum-1) > 1e-6:
		return misconfigured("layers", fmt.Sprintf("the quotas add up to %g, not to 1", math.Round(sum*1e6)/1e6), "correct the quotas so that they add up to 1")
	case c.Window < 0:
		return misconfigured("layers.call_sites.window", "a window cannot be negative", "give the number of lines on either side, such as 3")
	case c.Commits < 0:
		return misconfigured("layers.config_history.commits", "a number of commits cannot be negative", "give a number, such as 5")
	}
	for i, s := range c.Seeds {
		if s.Symbol == "" || s.Confidence != "" && s.Confidence != "high" && s.Confidence != "medium" && s.Confidence != "low" {
			return misconfigured(fmt.Sprintf("seeds[%d]", i), "a seed needs a symbol, and a confidence of high, medium or low", "correct the seed")
		}
	}
	for i, a := range c.Ambiguities {
		if a.Symbol == "" || a.Action != "" && a.Action != AskBeforeEdit {
			return misconfigured(fmt.Sprintf("ambiguities[%d]", i), "an ambiguity needs a symbol, and "+AskBeforeEdit+" is its only action", "correct the ambiguity")
		}
	}
	return nil
}

// AskBeforeEdit is the action of every Ambiguity.
const AskBeforeEdit = "ask_before_edit"
