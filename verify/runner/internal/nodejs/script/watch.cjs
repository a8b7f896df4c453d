// Ends the process when the time of its tests is over. The clock runs in a
// thread of its own: a test that never yields would stop any other.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { Worker, isMainThread, workerData } = require("node:worker_threads");

if (isMainThread) {
  let watching = false;
  exports.watch = () => {
    if (watching) return;
    watching = true;
    const { milliseconds } = JSON.parse(fs.readFileSync(path.join(__dirname, "options.json"), "utf8"));
    new Worker(__filename, { workerData: { milliseconds, pid: process.pid } }).unref();
  };
} else {
  setTimeout(() => {
    fs.appendFileSync(path.join(__dirname, "events.ndjson"), JSON.stringify({ event: "timeout" }) + "\n");
    process.kill(workerData.pid, "SIGKILL");
  }, workerData.milliseconds);
}
