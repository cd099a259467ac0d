#!/usr/bin/env node
// The command line in a checkout: under our own Node, in the folder that it was called from.
process.env.INIT_CWD ??= process.cwd();
process.argv.splice(2, 0, "packages/server/commands/avow.ts");
await import("../../scripts/run.mjs");
