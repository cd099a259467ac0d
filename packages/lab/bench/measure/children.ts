import { type ForkOptions, fork } from "node:child_process";
import { once } from "node:events";

/** A server in a separate process. Disposal stops it. */
export interface Child extends AsyncDisposable {
  url: string;
  pid: number;
}

/** Runs `file`, which sends its URL to this process when it listens. */
export async function openChild(file: string, options: ForkOptions = {}): Promise<Child> {
  const child = fork(file, options);
  const exited = new Promise<void>((resolve) => {
    child.once("exit", () => resolve()).once("error", () => resolve());
  });
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await exited;
  };
  const [url] = (await Promise.race([once(child, "message"), exited])) ?? [];
  if (typeof url === "string") return { url, pid: child.pid ?? 0, [Symbol.asyncDispose]: stop };
  await stop();
  throw new Error(`${file} exited before it was ready.`);
}
