import { type ChildProcess, fork } from "node:child_process";
import type { ChildRequest, ChildResponse } from "../formats/tasks.ts";

const HEAP_MB_MAX = 768;

/** A picture process. */
export interface Child {
  ask: (request: ChildRequest) => void;
  /** Kills it immediately; no event follows. */
  kill: () => void;
}

/** Starts a picture process, without the environment. It does not keep the service running. */
export function startChild(
  file: URL,
  on: { onResponse: (response: ChildResponse) => void; onEnd: (why: string) => void },
): Child {
  const child: ChildProcess = fork(file, {
    // Limits malloc's arenas, whose memory is not returned to the system.
    env: { MALLOC_ARENA_MAX: "2" },
    execArgv: [`--max-old-space-size=${HEAP_MB_MAX}`],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  let isListening = true;
  const end = (why: string): void => {
    if (!isListening) return;
    isListening = false;
    on.onEnd(why);
  };
  child.on("message", (response: ChildResponse) => {
    if (isListening) on.onResponse(response);
  });
  child.on("error", (error) => end(error.message));
  child.on("exit", (code, signal) => end(`exit ${code ?? signal ?? ""}`));
  child.unref();
  child.channel?.unref();
  return {
    ask: (request) => void child.send(request, (error) => error && end(error.message)),
    kill() {
      isListening = false;
      child.kill("SIGKILL");
    },
  };
}
