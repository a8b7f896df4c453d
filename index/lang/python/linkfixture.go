package python

import (
	"github.com/plumbkit/plumb/index"
)

// A fixture is what a parameter of a test asks for.
type fixture struct {
	target index.Target
	found  bool
	t      *typ
}

// fixture finds the nearest fixture of a name: in the file, then in the
// conftest.py of its folder and of those above. in is the definition whose
// parameter asks, -1 for any: a fixture that asks for its own name means the
// one that it replaces.
func (e *eval) fixture(name string, in int32) fixture {
	if in >= 0 {
		for p := e.f.facts.Defs[in].Parent; p >= 0; p = e.f.facts.Defs[p].Parent {
			if fx, ok := e.fixtureOf(e.l.ownMembers(e.file, p, name), in); ok {
				return fx
			}
		}
	}
	if fx, ok := e.fixtureIn(e.file, name, in); ok {
		return fx
	}
	for f := e.f.folder; f != nil; f = f.parent {
		if f.conf >= 0 && f.conf != e.file {
			if fx, ok := e.fixtureIn(f.conf, name, -1); ok {
				return fx
			}
		}
	}
	return fixture{}
}

func (e *eval) fixtureIn(file int32, name string, in int32) (fixture, bool) {
	for _, m := range e.l.namesOf(file, name, e.cycle) {
		if fx, ok := e.fixtureOf(m.targets, in); ok {
			return fx, true
		}
	}
	return fixture{}, false
}

func (e *eval) fixtureOf(ts []index.Target, in int32) (fixture, bool) {
	for _, t := range ts {
		if e.l.decoration(t) != decoFixture || t.File == e.file && t.Def == in {
			continue
		}
		v := e.returns(t, nil, nil, nil)
		if v != nil && v.form == formOutInst && (v.name == "Generator" || v.name == "Iterator" || v.name == "AsyncGenerator" || v.name == "AsyncIterator" || v.name == "Iterable") {
			v = v.arg(0)
		}
		if v != nil && v.form == formOutInst && v.name == "Coroutine" {
			v = v.arg(2)
		}
		return fixture{target: t, found: true, t: v}, true
	}
	return fixture{}, false
}

func (e *eval) fixtureSite(s *index.Site, name string) index.Resolution {
	if fx := e.fixture(name, s.In); fx.found {
		return static([]index.Target{fx.target}, ruleFixture)
	}
	if isPytestFixture(name) {
		return external("pytest", ruleFixture)
	}
	return index.Resolution{Drop: true}
}

// isPytestFixture reports whether pytest itself has a fixture of that name
// (docs.pytest.org, "Built-in fixtures").
func isPytestFixture(name string) bool {
	switch name {
	case "cache", "capfd", "capfdbinary", "caplog", "capsys", "capsysbinary", "doctest_namespace", "monkeypatch", "pytestconfig", "pytester",
		"record_property", "record_testsuite_property", "record_xml_attribute", "recwarn", "request", "testdir", "tmp_path", "tmp_path_factory",
		"tmpdir", "tmpdir_factory", "subtests":
		return true
	}
	return false
}
