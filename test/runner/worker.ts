// A worker of the test run: imports one test file after another, each in a suite of its own, so that
// the file's hooks end with it. All files of a worker share its service and its browser.
import { on } from "node:events";
import { resolve } from "node:path";
import { suite } from "node:test";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { closeResources, resetResources } from "../resources.ts";
import { openStatementGuard } from "../statements/guard.ts";
import type { FileMessage, WorkerMessage } from "./messages.ts";

const send = (message: WorkerMessage) => process.send?.(message);
// node:test gives the error to a test that is still running; an error after the end of its test has no result.
process.on("uncaughtExceptionMonitor", (error) => {
  const names = ["uncaught error"];
  send({ type: "result", result: { names, outcome: "failed", ms: 0, error: inspect(error) } });
});
const guard = await openStatementGuard();
const messages = on(process, "message") as AsyncIterable<[FileMessage]>;
send({ type: "ready" });
for await (const [{ file }] of messages) {
  if (file === undefined) break;
  const { href } = pathToFileURL(resolve(file));
  await suite(file, () => import(href).then(() => undefined));
  resetResources();
  const names = ["statements of one plane"];
  for (const error of guard.takeBreaches())
    send({ type: "result", result: { names, outcome: "failed", ms: 0, error } });
}
await closeResources();
// Exits explicitly: a handle that a test left open would keep the process, and the run, waiting.
process.once("disconnect", () => process.exit());
process.disconnect?.();
