// Starts a tool of the tree it runs in: launch.cjs TOOL ARGUMENT…
//
// It looks for the tool where the tree would, so that a tool that only the
// sandbox shows is found too, and writes to the file of events, beside this one,
// which version it is and in which folder it runs.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { pathToFileURL } = require("node:url");

const [tool, ...rest] = process.argv.slice(2);
const events = path.join(__dirname, "events.ndjson");
const say = (event) => fs.appendFileSync(events, JSON.stringify(event) + "\n");

function installed(dir) {
  for (;;) {
    const manifest = path.join(dir, "node_modules", tool, "package.json");
    if (fs.existsSync(manifest)) return manifest;
    const up = path.dirname(dir);
    if (up === dir) return undefined;
    dir = up;
  }
}

// Vite writes the configuration that it has bundled into the folder of packages,
// which may be shown read-only. It takes the configuration's own folder where that
// is forbidden, and only then: any other refusal ends it.
function keepOutOfPackages() {
  const inner = fs.promises.mkdir;
  fs.promises.mkdir = (dir, ...rest) =>
    path.basename(String(dir)) === ".vite-temp"
      ? Promise.reject(Object.assign(new Error("EACCES: permission denied, mkdir"), { code: "EACCES" }))
      : inner(dir, ...rest);
  require("node:module").syncBuiltinESMExports();
}

const root = process.cwd();
const manifest = installed(root);
if (manifest === undefined) {
  say({ event: "missing", root });
  process.exit(1);
}
const { version, bin } = JSON.parse(fs.readFileSync(manifest, "utf8"));
say({ event: "tool", root, version });
keepOutOfPackages();
const program = path.join(path.dirname(manifest), typeof bin === "string" ? bin : bin[tool]);
process.argv = [process.argv[0], program, ...rest];
import(pathToFileURL(program).href);
