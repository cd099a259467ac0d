// Replaces the picture process in tests: does what the path of a task says.
import type { Asked } from "../../packages/server/modules/assets/formats/tasks.ts";

process.on("disconnect", () => process.exit(0));
process.on("message", ({ id, task }: Asked) => {
  const { path } = task;
  if (path === "hang") return;
  if (path === "spin") for (;;);
  if (path === "crash") process.kill(process.pid, "SIGSEGV");
  if (path === "fail") process.send?.({ id, error: "it failed" });
  if (path === "pid") process.send?.({ id, done: { sha256: String(process.pid) } });
});
