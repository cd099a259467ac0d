import { type ChildProcess, fork } from "node:child_process";
import type { Asked, Told } from "../formats/tasks.ts";

const HEAP_MB_MAX = 768;

/** A process that reads and makes pictures. */
export interface Child {
  ask: (asked: Asked) => void;
  /** At once, whatever it does; nothing is heard of it any more. */
  kill: () => void;
}

/** Starts one. It gets nothing of the environment, and does not keep the service from ending. */
export function startChild(
  file: URL,
  on: { told: (told: Told) => void; ended: (why: string) => void },
): Child {
  const child: ChildProcess = fork(file, {
    // Memory that threads keep for themselves is not given back.
    env: { MALLOC_ARENA_MAX: "2" },
    execArgv: [`--max-old-space-size=${HEAP_MB_MAX}`],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  let isHeard = true;
  const end = (why: string): void => {
    if (!isHeard) return;
    isHeard = false;
    on.ended(why);
  };
  child.on("message", (told: Told) => {
    if (isHeard) on.told(told);
  });
  child.on("error", (error) => end(error.message));
  child.on("exit", (code, signal) => end(`exit ${code ?? signal ?? ""}`));
  child.unref();
  child.channel?.unref();
  return {
    ask: (asked) => void child.send(asked, (error) => error && end(error.message)),
    kill() {
      isHeard = false;
      child.kill("SIGKILL");
    },
  };
}
