#!/usr/bin/env node
// Runs the command line of a checkout under the project's own Node, in the caller's working directory.
process.env.INIT_CWD ??= process.cwd();
process.argv.splice(2, 0, "packages/server/commands/avow.ts");
await import("../../scripts/run.mjs");
