// A picture process that performs the behaviour named by the path of its task.
import type { ChildRequest } from "../../packages/server/modules/assets/formats/tasks.ts";

process.on("disconnect", () => process.exit(0));
process.on("message", ({ id, task }: ChildRequest) => {
  const { path } = task;
  if (path === "hang") return;
  if (path === "spin") for (;;);
  if (path === "crash") process.kill(process.pid, "SIGSEGV");
  if (path === "fail") process.send?.({ id, error: "it failed" });
  if (path === "pid") process.send?.({ id, done: { sha256: String(process.pid) } });
});
