// The reporter of a worker: passes the results of node:test on to the process that runs the workers.
import type { TestEvent } from "node:test/reporters";
import { inspect } from "node:util";
import type { TestResult, WorkerMessage } from "./messages.ts";

type Finished = Extract<TestEvent, { type: "test:pass" | "test:fail" }>["data"];

/** Sends each start and result over the channel; prints nothing. The outermost suite is the file. */
// oxlint-disable-next-line require-yield -- a reporter that writes nothing
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const path: string[] = [];
  for await (const event of events) {
    if (event.type === "test:start") {
      path.length = event.data.nesting;
      path.push(event.data.name);
      send({ type: "start", names: path.slice(1) });
    } else if (event.type === "test:pass" || event.type === "test:fail") {
      const { nesting, details } = event.data;
      const [file = "", ...names] = path.slice(0, nesting + 1);
      const result = toResult(event.data, names);
      if (result) send({ type: "result", result });
      if (nesting === 0) send({ type: "end", file, ms: details.duration_ms });
    }
  }
}

function send(message: WorkerMessage): void {
  process.send?.(message);
}

/** Undefined for a suite that only passes on what its tests said. */
function toResult(data: Finished, names: string[]): TestResult | undefined {
  const { details, skip = false, todo = false } = data;
  const ms = details.duration_ms;
  if (skip !== false || todo !== false) {
    const reason = [skip, todo].find((value) => typeof value === "string");
    return { names, outcome: "skipped", ms, ...(reason === undefined ? {} : { reason }) };
  }
  if (!("error" in details)) {
    return details.type === "suite" ? undefined : { names, outcome: "passed", ms };
  }
  const { error } = details;
  if ("failureType" in error && error.failureType === "subtestsFailed") return undefined;
  return { names, outcome: "failed", ms, error: inspect(error.cause ?? error, { depth: 6 }) };
}
