// Tells what jest tells its reporters, one event a line, as it happens: a
// process that dies half-way leaves what had ended before.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { watch } = require("./watch.cjs");

const events = path.join(__dirname, "events.ndjson");
const say = (event) => fs.appendFileSync(events, JSON.stringify(event) + "\n");
const names = (r) => [...(r.ancestorTitles || []), r.title];
const text = (e) => (e && (e.stack || e.message)) || String(e);

module.exports = class {
  onRunStart() {
    say({ event: "run" });
  }
  onTestFileStart(test) {
    say({ event: "begin", file: test.path });
  }
  onTestCaseStart(test, info) {
    watch(); // loading and transforming the files is over
    say({ event: "start", file: test.path, name: names(info) });
  }
  onTestCaseResult(test, result) {
    this.result(test.path, result);
  }
  result(file, r) {
    say({ event: "end", file, name: names(r), status: r.status, ms: r.duration || 0, errors: r.failureMessages || [] });
  }
  onTestFileResult(test, result) {
    const file = test.path;
    say({ event: "finals", file });
    for (const r of result.testResults) this.result(file, r);
    for (const c of result.console || []) say({ event: "log", file, text: c.message + "\n" });
    const broken = result.testExecError ? [result.failureMessage || text(result.testExecError)] : [];
    say({ event: "done", file, errors: broken, skipped: result.skipped === true });
  }
  onRunComplete(contexts, results) {
    if (results && results.runExecError) say({ event: "error", text: text(results.runExecError) });
    say({ event: "over" });
  }
};
