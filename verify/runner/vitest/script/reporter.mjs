// Tells what vitest tells its reporters, one event a line, as it happens: a
// process that dies half-way leaves what had ended before. From version 3 on
// vitest reports tests one by one; before, by updates of its tree of tasks.
import { appendFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const events = join(here, "events.ndjson");
const say = (event) => appendFileSync(events, JSON.stringify(event) + "\n");

const text = (e) => {
  const head = e.stack || `${e.name || "Error"}: ${e.message}`;
  const message = e.message && !head.includes(e.message) ? `${e.name || "Error"}: ${e.message}\n${head}` : head;
  const values = e.expected !== undefined && e.actual !== undefined ? `\nExpected: ${e.expected}\nReceived: ${e.actual}` : "";
  return message + values + (e.codeFrame ? "\n" + e.codeFrame : "");
};

const path = (t) => {
  const titles = [t.name];
  for (let p = t.parent; p && p.type !== "module"; p = p.parent) titles.unshift(p.name);
  return titles;
};

const oldPath = (t) => {
  const titles = [t.name];
  for (let s = t.suite; s && s.name && s.type === "suite" && !s.filepath; s = s.suite) titles.unshift(s.name);
  return titles;
};

export default class {
  onInit(vitest) {
    this.vitest = vitest;
    this.modern = Number.parseInt(vitest.version, 10) >= 3;
    this.ended = new Set();
    // The command line switches type tests off for the root alone.
    for (const project of vitest.projects ?? []) if (project.config?.typecheck) project.config.typecheck.enabled = false;
    say({ event: "run" });
    this.watch = createRequire(import.meta.url)("./watch.cjs").watch;
  }

  onTestModuleStart(m) {
    this.watch(); // loading and transforming the files is over
    say({ event: "begin", file: m.moduleId });
    for (const t of m.children.allTests()) say({ event: "known", file: m.moduleId, name: path(t) });
  }
  onTestModuleQueued(m) {
    say({ event: "queued", file: m.moduleId });
  }
  onTestCaseReady(t) {
    say({ event: "start", file: t.module.moduleId, name: path(t) });
  }
  onTestCaseResult(t) {
    this.result(t);
  }
  result(t, above = []) {
    const r = t.result();
    let status = t.options.mode === "todo" ? "todo" : r.state;
    if (status === "pending" && above.length === 0) return; // its end was not seen
    if (above.length > 0 && status !== "passed" && status !== "failed") status = "failed";
    const errors = status === "failed" ? [...(r.errors || []).map(text), ...above] : [];
    say({ event: "end", file: t.module.moduleId, name: path(t), status, ms: t.diagnostic()?.duration ?? 0, errors, reason: r.note || "" });
  }
  // What failed around tests, as a hook does, is told of each that did not run for it.
  suite(s, above) {
    const errors = [...above, ...(s.errors?.() ?? []).map(text)];
    for (const c of s.children) {
      if (c.type === "suite") this.suite(c, errors);
      else if (c.options.mode === "run" || errors.length === 0) this.result(c, errors);
    }
    return errors;
  }
  onTestModuleEnd(m) {
    this.ended.add(m.moduleId);
    say({ event: "finals", file: m.moduleId });
    this.suite(m, []);
    say({ event: "done", file: m.moduleId, errors: m.errors().map(text), failed: m.state() === "failed" });
  }
  // A module that could not be loaded has no end of its own.
  onTestRunEnd(modules, errors) {
    for (const m of modules) if (!this.ended.has(m.moduleId) && m.state() !== "queued" && m.state() !== "pending") this.onTestModuleEnd(m);
    this.over(errors);
  }

  onUserConsoleLog(log) {
    const task = log.taskId && this.vitest.state.idMap.get(log.taskId);
    if (!task) return;
    const file = task.file?.filepath ?? task.filepath;
    const name = task.type === "suite" || task.filepath ? undefined : oldPath(task);
    if (file) say({ event: "log", file, name, text: log.content });
  }

  onCollected(files) {
    if (this.modern || !files) return;
    this.watch();
    for (const f of files) {
      say({ event: "begin", file: f.filepath });
      this.each(f, (t) => say({ event: "known", file: f.filepath, name: oldPath(t) }));
    }
  }
  onTaskUpdate(packs) {
    if (this.modern) return;
    for (const [id] of packs) {
      const task = this.vitest.state.idMap.get(id);
      if (task && task.type !== "suite" && task.file) this.oldResult(task);
    }
  }
  oldResult(task, above = []) {
    const file = task.file.filepath;
    const state = task.mode === "todo" || task.mode === "skip" ? task.mode : task.result?.state;
    if (state === "run") return say({ event: "start", file, name: oldPath(task) });
    const failing = above.length > 0 && task.mode === "run" && state !== "pass" && state !== "fail";
    if (!failing && (!state || this.ended.has(task.id))) return;
    this.ended.add(task.id);
    const status = { pass: "passed", fail: "failed", skip: "skipped", todo: "todo" }[failing ? "fail" : state] ?? state;
    const errors = status === "failed" ? [...(task.result?.errors ?? []).map(text), ...above] : [];
    say({ event: "end", file, name: oldPath(task), status, ms: task.result?.duration ?? 0, errors, reason: "" });
  }
  each(suite, visit, above = []) {
    const errors = [...above, ...(suite.result?.errors ?? []).map(text)];
    for (const t of suite.tasks ?? []) t.type === "suite" ? this.each(t, visit, errors) : visit(t, errors);
  }
  onFinished(files, errors) {
    if (this.modern) return;
    for (const f of files ?? []) {
      this.each(f, (t, above) => this.oldResult(t, above));
      say({ event: "done", file: f.filepath, errors: (f.result?.errors ?? []).map(text), failed: f.result?.state === "fail" });
    }
    this.over(errors);
  }

  over(errors) {
    for (const e of errors ?? []) say({ event: "error", file: e.VITEST_TEST_PATH, title: e.VITEST_TEST_NAME, text: text(e) });
    say({ event: "over" });
  }
}
