#!/usr/bin/env node
// The entry point of the published package. Plain JavaScript for any Node, so that an old one gets a clear
// message instead of an error from the first module that it does not support.
import { readFileSync } from "node:fs";

const manifest = JSON.parse(readFileSync(new URL("./package.json", import.meta.url), "utf8"));
const wanted = Number(/\d+/.exec(manifest.engines.node)[0]);

if (Number.parseInt(process.versions.node, 10) < wanted) {
  console.error(
    `Avow ${manifest.version} needs Node ${wanted} or newer, and this is Node ${process.versions.node} (${process.execPath}). Install one from https://nodejs.org, or run it with: npx node@${wanted} ${process.argv[1]}`,
  );
  process.exit(1);
}
// Any other argument, and none, goes to the service.
const commands = "export import dossier verify log webhooks backup restore migrate doctor".split(
  " ",
);
const isCommand = commands.includes(process.argv[2]);
await import(isCommand ? "./server/commands/avow.js" : "./server/main.js");
