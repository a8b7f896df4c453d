"""Writes down what pytest does while it does it, and runs what was asked for.

pytest's own report comes when everything is over: a process that dies leaves none.
One JSON object a line goes to the file named by PLUMB_EVENTS; PLUMB_WANTED names a
file that says which tests to keep of those that were collected.
"""
import faulthandler
import json
import os
import posixpath

import pytest

_events = open(os.environ["PLUMB_EVENTS"], "a", encoding="utf-8", errors="backslashreplace")
with open(os.environ["PLUMB_WANTED"], encoding="utf-8") as f:
    _wanted = json.load(f)
_tests, _files, _dirs = set(_wanted["tests"]), set(_wanted["files"]), set(_wanted["dirs"])
_skip = set(_wanted["skip"])
_limit = 64 << 10

if _wanted["seconds"] > 0:
    _stacks = open(os.environ["PLUMB_STACKS"], "w")
    faulthandler.dump_traceback_later(_wanted["seconds"], file=_stacks)


def _say(**event):
    _events.write(json.dumps(event) + "\n")
    _events.flush()


def _text(report):
    try:
        text = report.longreprtext
    except Exception:
        text = str(report.longrepr)
    return text[-_limit:]


def _skip_reason(report):
    if isinstance(report.longrepr, tuple):
        reason = str(report.longrepr[2])
        return reason[len("Skipped: "):] if reason.startswith("Skipped: ") else reason
    return str(report.longrepr or "")


def _named(file, name):
    """The names under which a test can be asked for: its own, that of the test
    that it is a case of, and those of its classes."""
    yield name
    name = name.partition("[")[0]
    while name:
        yield name
        name = name.rpartition("::")[0]


def _keep(nodeid):
    file, _, name = nodeid.partition("::")
    return (
        file in _files
        or (posixpath.dirname(file) or ".") in _dirs
        or any(file + "::" + n in _tests for n in _named(file, name))
    )


def pytest_addoption(parser):
    _say(event="begun")


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_cmdline_main(config):
    # One process, every test once, to the end: what the project's own options say
    # otherwise keeps a test from being reported, or hides that it is not stable.
    off = {
        "numprocesses": 0, "dist": "no", "tx": [], "looponfail": False, "maxfail": 0, "lf": False, "failedfirst": False,
        "newfirst": False, "stepwise": False, "stepwise_skip": False, "usepdb": False, "collectonly": False, "reruns": 0,
    }
    for name, value in off.items():
        if getattr(config.option, name, None):
            setattr(config.option, name, value)
            _say(event="option", id=name)
    yield


def _ignore(path, config):
    if not _wanted["some"] or not os.path.isdir(str(path)):
        return None
    rel = posixpath.normpath(os.path.relpath(str(path), str(config.rootdir)).replace(os.sep, "/"))
    if rel == "." or rel in _dirs:
        return None
    below = rel + "/"
    if any(name.startswith(below) for names in (_tests, _files, _dirs) for name in names):
        return None
    return True


if getattr(pytest, "version_tuple", (6,)) >= (7,):

    def pytest_ignore_collect(collection_path, config):
        return _ignore(collection_path, config)

else:

    def pytest_ignore_collect(path, config):
        return _ignore(path, config)


def pytest_collectreport(report):
    if report.outcome == "failed":
        _say(event="collect", id=report.nodeid, outcome="failed", text=_text(report))
    elif report.outcome == "skipped":
        _say(event="collect", id=report.nodeid, outcome="skipped", text=_skip_reason(report))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    if _wanted["some"]:
        items[:] = [item for item in items if _keep(item.nodeid)]
    items[:] = [item for item in items if item.nodeid not in _skip]
    for item in items:
        _say(event="collected", id=item.nodeid)


def pytest_deselected(items):
    for item in items:
        _say(event="deselected", id=item.nodeid)


def pytest_runtest_logstart(nodeid):
    _say(event="start", id=nodeid)


def pytest_runtest_logreport(report):
    expected = getattr(report, "wasxfail", None)
    text = ""
    if report.outcome == "failed":
        text = _text(report)
    elif report.outcome == "skipped":
        text = str(expected) if expected is not None else _skip_reason(report)
    _say(event="report", id=report.nodeid, phase=report.when, outcome=report.outcome, xfail=expected is not None, text=text,
         seconds=getattr(report, "duration", 0))


def pytest_runtest_logfinish(nodeid):
    _say(event="finish", id=nodeid)


def pytest_sessionfinish(exitstatus):
    _say(event="over", id="", outcome=str(int(exitstatus)))
