// The process that reads and makes pictures, one at a time. It is killed when one takes too long.
import { writeFileSync } from "node:fs";
import { setPriority } from "node:os";
import { inspectFile } from "./inspect.ts";
import { restrictLibrary } from "./picture.ts";
import { renderFile } from "./render.ts";
import { type Asked, RefusedError, type Task, type Told } from "../formats/tasks.ts";

/** What visitors wait for goes first. */
const PRIORITY = 10;

setPriority(PRIORITY);
if (process.platform === "linux") dieFirst();
restrictLibrary();
// An ordinary end would wait for the picture that is being made.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
process.on("message", (asked: Asked) => {
  void answer(asked).then((told) => process.send?.(told));
});

async function answer({ id, task }: Asked): Promise<Told> {
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

/** Where memory runs out, the system ends this process rather than the service. */
function dieFirst(): void {
  try {
    writeFileSync("/proc/self/oom_score_adj", "1000");
  } catch {
    // Without /proc the system chooses by itself.
  }
}
