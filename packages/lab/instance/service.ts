import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { extname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { serviceFlags } from "../../server/service-flags.mjs";

export const root = join(import.meta.dirname, "../../..");
/** Source in a checkout, compiled in the published package. */
const program = join(import.meta.dirname, `../../server/main${extname(import.meta.filename)}`);

const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 30_000;
const POLL_MS = 50;
const OUTPUT_CHARS_MAX = 16_384;

/**
 * A service in a separate process. Disposal shuts it down gracefully, including its database. It also
 * stops when this process is killed.
 */
export interface ChildService extends AsyncDisposable {
  pid: number;
  /** Settles when the process has exited for any reason. */
  exited: Promise<void>;
}

/**
 * Starts the service with `env` and waits until it is ready at `url`.
 * @throws ServiceEndedError with its output if it exits before
 */
export async function openService(options: {
  url: string;
  env: NodeJS.ProcessEnv;
  signal?: AbortSignal;
  /** The root of another checkout; default: this one. */
  tree?: string | undefined;
}): Promise<ChildService> {
  const { url, env, signal, tree } = options;
  const main = tree === undefined ? program : join(tree, "packages/server/main.ts");
  const child = spawn(process.execPath, [...serviceFlags, main], {
    env,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  child.channel?.unref();
  const output = collectOutput(child);
  const exited = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
    await exited;
    clearTimeout(timer);
  };
  try {
    await once(child, "spawn");
    await waitUntilReady(url, { child, output, signal });
  } catch (error) {
    await stop();
    throw error;
  }
  return { pid: child.pid ?? 0, exited, [Symbol.asyncDispose]: stop };
}

/** The service exited before it was ready; the message contains its output. */
export class ServiceEndedError extends Error {
  override name = "ServiceEndedError";
}

interface Starting {
  child: ChildProcess;
  output: () => string;
  signal: AbortSignal | undefined;
}

async function waitUntilReady(url: string, starting: Starting): Promise<void> {
  const { child, output, signal } = starting;
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < deadline) {
    signal?.throwIfAborted();
    if (child.exitCode !== null || child.signalCode !== null)
      throw new ServiceEndedError(`The service did not start:\n${output()}`);
    if (await isReady(url)) return;
    await sleep(POLL_MS, undefined, signal ? { signal } : {});
  }
  throw new Error(`The service did not answer at ${url} within ${START_TIMEOUT_MS / 1000} s.`);
}

async function isReady(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(2_000) });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false; // Not listening yet.
  }
}

/** Reads the output of the child, so that its pipe never fills, and keeps the end of it. */
function collectOutput(child: ChildProcess): () => string {
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      text = (text + chunk).slice(-OUTPUT_CHARS_MAX);
    });
  return () => text.trim() || "It printed nothing.";
}
