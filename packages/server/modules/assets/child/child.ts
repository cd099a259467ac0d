// The process that inspects and renders pictures, one at a time. It is killed when a task takes too long.
import { writeFileSync } from "node:fs";
import { setPriority } from "node:os";
import { inspectFile } from "./inspect.ts";
import { restrictLibrary } from "./picture.ts";
import { renderFile } from "./render.ts";
import {
  type ChildRequest,
  RefusedError,
  type Task,
  type ChildResponse,
} from "../formats/tasks.ts";

/** A lower priority (nice) than the service's. */
const PRIORITY = 10;

setPriority(PRIORITY);
if (process.platform === "linux") preferOutOfMemoryKill();
restrictLibrary();
// A normal exit would wait for the current task.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
process.on("message", (request: ChildRequest) => {
  void answer(request).then((response) => process.send?.(response));
});

async function answer({ id, task }: ChildRequest): Promise<ChildResponse> {
  try {
    return { id, done: await work(task) };
  } catch (error) {
    if (error instanceof RefusedError) return { id, refused: error.refused, detail: error.message };
    return { id, error: error instanceof Error ? error.message : String(error) };
  }
}

function work(task: Task) {
  return task.kind === "inspect" ? inspectFile(task.path, task.out) : renderFile(task);
}

/** Makes the kernel kill this process rather than the service when memory runs out. */
function preferOutOfMemoryKill(): void {
  try {
    writeFileSync("/proc/self/oom_score_adj", "1000");
  } catch {
    // Without /proc the kernel's choice is not changed.
  }
}
