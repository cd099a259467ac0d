import type { ToWorker } from "../../../packages/server/platform/workers/messages.ts";

/** A worker without a service: it does what its plan has in place of the database's URL. */
process.on("message", (message: ToWorker) => {
  if (message.kind === "hand-over") process.exit(0);
  if (message.kind !== "plan") return;
  const { databaseUrl: script } = message.plan;
  if (script === "fail") {
    process.send?.({ kind: "failed", reason: "There is no database." }, () => process.exit(1));
    return;
  }
  process.on("SIGTERM", () => {
    if (script !== "hang") process.exit(0);
  });
  process.send?.({ kind: "serving", address: "http://127.0.0.1:1" });
  if (script === "crash") setTimeout(() => process.exit(3), 10);
});
