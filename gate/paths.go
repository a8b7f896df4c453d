package gate

import (
	"path"
	"strings"
	"unicode"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/plumbkit/plumb/index"
)

// matches returns the first glob that the path matches, "" if none does. Case,
// blanks and dots at the end of a segment and invisible characters, by which
// one file is made to look like another, do not count.
func matches(globs []string, file string) string {
	for _, p := range []string{strings.ToLower(file), plainPath(file)} {
		for _, g := range globs {
			if ok, err := doublestar.Match(strings.ToLower(g), p); ok && err == nil {
				return g
			}
		}
	}
	return ""
}

// plainPath is the path as a careless reader or file system takes it.
func plainPath(file string) string {
	file = strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Mn, r) || unicode.IsControl(r):
			return -1
		case r >= 0xff01 && r <= 0xff5e: // full-width forms of ASCII
			return unicode.ToLower(r - 0xfee0)
		case r == '\\':
			return '/'
		}
		if plain, ok := lookalikes(r); ok {
			return plain
		}
		return unicode.ToLower(r)
	}, file)
	parts := strings.Split(file, "/")
	for i, p := range parts {
		if p != "." && p != ".." {
			parts[i] = strings.TrimRight(strings.TrimSpace(p), " .")
		}
	}
	return path.Clean(strings.Join(parts, "/"))
}

// lookalikes maps the Cyrillic and Greek letters that look like ASCII ones
// (Unicode Technical Standard 39, confusables) to them.
func lookalikes(r rune) (rune, bool) {
	const foreign, ascii = "аеорсухіјѕԁԛԝһνοαι", "aeopcyxijsdqwhvoai"
	i := strings.IndexRune(foreign, unicode.ToLower(r))
	if i < 0 {
		return r, false
	}
	n := len([]rune(foreign[:i]))
	return rune(ascii[n]), true
}

// builtinProtected are the paths of GAT-7: secrets and key stores, pipelines
// and images, permission and ownership, hooks, and configuration of agents and
// editors that runs commands.
func builtinProtected() []string {
	return []string{
		"**/.env*", "**/*.env", "**/*.pem", "**/*.key", "**/*.p12", "**/*.pfx", "**/*.jks", "**/*.keystore", "**/*.kdbx", "**/*.ppk",
		"**/*.asc", "**/*.gpg", "**/id_rsa*", "**/id_dsa*", "**/id_ecdsa*", "**/id_ed25519*", "**/.ssh/**", "**/.gnupg/**", "**/.aws/**", "**/.kube/**",
		"**/.netrc", "**/_netrc", "**/.npmrc", "**/.pypirc", "**/.git-credentials", "**/.dockercfg", "**/.docker/config.json", "**/.htpasswd", "**/.pgpass",
		"**/credentials.{json,yml,yaml}", "**/secrets.{json,yml,yaml,env}", "**/secrets/**", "**/*.tfvars", "**/*.tfstate*", "**/service-account*.json",
		".github/{workflows,actions}/**", "**/.gitlab-ci.y*ml", ".gitlab/ci/**", "**/.circleci/**", "**/.travis.y*ml", "**/azure-pipelines*.y*ml",
		"**/jenkinsfile*", "**/.drone.y*ml", "**/.woodpecker.y*ml", "**/.woodpecker/**", "**/bitbucket-pipelines.y*ml", "**/.buildkite/**", "**/appveyor.y*ml", "**/.appveyor.y*ml",
		"**/cloudbuild.y*ml", "**/buildspec*.y*ml", "**/.tekton/**", "**/.cirrus.y*ml", "**/.forgejo/**", "**/.gitea/**", "**/.builds/**",
		"**/dockerfile*", "**/*.dockerfile", "**/containerfile*", "**/docker-compose*.y*ml", "**/compose.y*ml", "**/docker-bake.*",
		"**/codeowners", "**/owners", "**/owners_aliases", "**/.gitconfig", "**/sudoers*", "**/.htaccess",
		"**/.plumb-policy.y*ml", ".githooks/**", "**/.husky/**", "**/.pre-commit-config.y*ml", "**/lefthook.y*ml", "**/.lefthook.y*ml", "**/.envrc", "**/.direnv/**",
		"**/.vscode/{settings,tasks,launch,extensions,mcp}.json", "**/*.code-workspace", "**/.idea/**", "**/.devcontainer/**", "**/.devcontainer.json", "**/.zed/**", "**/.vim/**", "**/.nvimrc", "**/.exrc", "**/.dir-locals.el",
		"**/.claude/**", "**/.mcp.json", "**/mcp.json", "**/.cursor/**", "**/.cursorrules", "**/.windsurf/**", "**/.windsurfrules", "**/.codex/**", "**/.aider*", "**/.continue/**", "**/.gemini/**", "**/.roo/**", "**/.clinerules*",
	}
}

// otherDependencies are files that pin or declare dependencies (GAT-4) for what
// no language of plumb's reads: they are told by name alone.
func otherDependencies() []string {
	return []string{
		"**/deno.lock", "**/environment.y*ml", "**/cargo.toml", "**/cargo.lock", "**/pom.xml", "**/build.gradle*", "**/settings.gradle*", "**/gradle.lockfile", "**/libs.versions.toml", "**/gradle-wrapper.properties",
		"**/gemfile", "**/gemfile.lock", "**/*.gemspec", "**/composer.json", "**/composer.lock", "**/*.csproj", "**/packages.lock.json", "**/directory.packages.props",
		"**/mix.exs", "**/mix.lock", "**/pubspec.yaml", "**/pubspec.lock", "**/package.swift", "**/package.resolved", "**/podfile", "**/podfile.lock", "**/conanfile.*", "**/vcpkg.json", "**/flake.lock", "**/.gitmodules",
	}
}

// pins reports whether a file pins or declares dependencies: by the policy, or,
// where it does not say, by the languages.
func (c *Case) pins(file string) bool {
	if c.Policy.Dependencies != nil {
		return matches(c.Policy.Dependencies, file) != ""
	}
	for _, l := range c.Before.Languages() {
		if matches(l.Dependencies, file) != "" {
			return true
		}
	}
	return matches(otherDependencies(), file) != ""
}

func builtinDocuments() []string {
	return []string{"**/*.{md,markdown,rst,adoc,asciidoc,txt,org}", "docs/**", "**/license*", "**/changelog*", "**/authors", "**/notice"}
}

// migrationNotes are documents in which a changed signature is told to its users.
func migrationNotes() []string {
	return []string{"**/changelog*", "**/changes{,.*}", "**/history{,.*}", "**/news{,.*}", "**/migrat*", "**/migrat*/**", "**/upgrad*", "**/upgrad*/**", "**/release*notes*", "**/.changeset/**", "**/.changes/**", "**/changelog.d/**", "**/newsfragments/**"}
}

func builtinFixtures() []string {
	return []string{"**/testdata/**", "**/*.golden", "**/golden/**", "**/*.snap", "**/__snapshots__/**", "**/fixtures/**", "**/__fixtures__/**", "**/*.approved.*"}
}

// testCode reports whether a file belongs to the tests: one that a runner
// collects, or one beside them, as what sets them up or helps them.
func testCode(f index.File) bool {
	return f.Origin == index.Test || f.Origin == index.Handwritten && f.Language != "" && supports(f.Path)
}

// supports reports whether a path is one where code lies that only tests use.
func supports(file string) bool {
	return matches([]string{"**/{test,tests,__tests__,__mocks__,spec,specs,e2e,testing,testutil,test-utils,testhelpers}/**", "**/*{setup,teardown}*.{test,tests,spec}.*",
		"**/{jest,vitest,mocha,test,tests,global}{.,-,_}{setup,teardown}.*", "**/{setup,teardown}{tests,test,jest,vitest}.*"}, file) != ""
}

// unpublished are paths of code that nobody installs or imports from outside.
func unpublished() []string {
	return []string{"**/{docs,doc,examples,example,benchmarks,bench,scripts}/**", "**/{conf,setup,noxfile}.py", "**/*.config.*"}
}

// builtinRunners are files that say which tests run, and how much must be covered.
func builtinRunners() []string {
	return []string{"**/makefile*", "**/gnumakefile", "**/*.mk", "**/taskfile*.y*ml", "**/justfile", "**/.justfile", "**/magefile.go", "**/magefiles/**", "**/*.{sh,bash,zsh,fish,ps1,bat,cmd}", "**/build.bazel", "**/earthfile",
		".github/**/*.y*ml", "**/.gitlab-ci.y*ml", "**/.circleci/*", "**/.travis.y*ml", "**/azure-pipelines*.y*ml", "**/jenkinsfile*", "**/.drone.y*ml", "**/bitbucket-pipelines.y*ml", "**/.buildkite/**", "**/cloudbuild.y*ml",
		"**/{.,}codecov.y*ml", "**/.coveragerc", "**/.testcoverage.y*ml", "**/.coveralls.y*ml", "**/sonar-project.properties", "**/.octocov.y*ml", "**/.nycrc*",
		"**/package.json", "**/{jest,vitest,vite,playwright,karma,ava,cypress,wdio}{,-*,.*}.config.*", "**/vitest.workspace.*", "**/.mocharc*", "**/karma.conf.*", "**/.c8rc*", "**/{.,}pytest.{ini,toml}", "**/tox.ini", "**/noxfile.py", "**/setup.cfg", "**/pyproject.toml", "**/cargo.toml", "**/.config/nextest.toml", "**/pom.xml", "**/build.gradle*",
		"**/.golangci.y*ml", "**/.golangci.toml", "scripts/**", "hack/**", "ci/**", ".ci/**", "**/dockerfile*"}
}
