import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

/** The pinned version; npx downloads it once into npm's cache. */
const PRISM = "@stoplight/prism-cli@5.16.0";
/** The first run downloads the package. */
const START_TIMEOUT_MS = 300_000;
const STOP_TIMEOUT_MS = 5_000;
const POLL_MS = 100;
const OUTPUT_CHARS_MAX = 8_192;

export interface Prism extends AsyncDisposable {
  url: string;
}

/**
 * Starts Prism as a proxy of the service at `upstream`: it validates each request and each answer
 * against the document, and answers violations with a problem of its own.
 */
export async function openPrism(options: {
  file: string;
  upstream: string;
  port: number;
  signal: AbortSignal;
}): Promise<Prism> {
  const { file, upstream, port, signal } = options;
  const args = ["--yes", "--ignore-scripts", PRISM, "proxy", file, upstream, "--errors"];
  const child = spawn("npx", [...args, "--host", "127.0.0.1", "--port", String(port)], {
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own, because npx does not pass signals on.
    detached: true,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-OUTPUT_CHARS_MAX);
    });
  const exited = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", (error) => {
      output += error.message;
      resolve();
    });
  });
  const stop = async () => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    process.kill(-child.pid, "SIGTERM");
    await Promise.race([exited, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]);
  };
  let isRunning = true;
  void exited.then(() => (isRunning = false));
  const deadline = performance.now() + START_TIMEOUT_MS;
  try {
    while (!output.includes("Prism is listening")) {
      signal.throwIfAborted();
      if (!isRunning) throw new Error(`Prism did not start:\n${output}`);
      if (performance.now() > deadline) throw new Error(`Prism did not start in time:\n${output}`);
      await sleep(POLL_MS);
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: stop };
}
