// A worker of the test run: imports one test file after another, each in a suite of its own, so that
// the file's hooks end with it. All files of a worker share its service and its browser.
import { on } from "node:events";
import { resolve } from "node:path";
import { suite } from "node:test";
import { pathToFileURL } from "node:url";
import { closeResources } from "../resources.ts";
import type { FileMessage, WorkerMessage } from "./messages.ts";

const messages = on(process, "message") as AsyncIterable<[FileMessage]>;
process.send?.({ type: "ready" } satisfies WorkerMessage);
for await (const [{ file }] of messages) {
  if (file === undefined) break;
  const { href } = pathToFileURL(resolve(file));
  await suite(file, () => import(href).then(() => undefined));
}
await closeResources();
process.channel?.unref();
