import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { FileMessage, TestResult, WorkerMessage } from "./messages.ts";

/** The end of what a worker prints while it runs a file, kept for the case that the file fails. */
const OUTPUT_CHARS_MAX = 64 * 1024;
/** Timeout of closing what a worker's files shared. */
const CLOSE_MS_MAX = 120_000;

/** The results of one test file. */
export interface FileRun {
  file: string;
  ms: number;
  tests: TestResult[];
  /** Standard output and error of the worker. */
  output: string;
}

interface Timeouts {
  testMs: number;
  fileMs: number;
}

export interface PoolOptions {
  files: readonly string[];
  workers: number;
  /** Added to the environment of this process. */
  env: Record<string, string>;
  timeouts: Timeouts;
  /** Stops the run; a file that is cut off is not reported. */
  signal: AbortSignal;
  /** Shows what workers print as it comes. */
  isLive: boolean;
  onFile: (run: FileRun) => void;
}

/**
 * Runs test files in worker processes; each takes the next file when it is idle. A worker that dies or
 * hangs fails its file and is replaced. Resolves when all files have run or the signal stopped the run.
 */
export async function runFiles(options: PoolOptions): Promise<void> {
  const { signal, workers } = options;
  const queue = [...options.files];
  const takeFile = () => (signal.aborted ? undefined : queue.shift());
  const work = async (): Promise<void> => {
    while (queue.length > 0 && !signal.aborted) await runWorker({ ...options, takeFile });
  };
  await Promise.all(Array.from({ length: Math.min(workers, queue.length) }, work));
}

interface WorkerOptions extends PoolOptions {
  takeFile: () => string | undefined;
}

/** Runs one worker until it has no more work or dies. */
async function runWorker(options: WorkerOptions): Promise<void> {
  const { onFile, takeFile, timeouts, signal } = options;
  const child = startWorker(options);
  const stop = () => child.kill();
  signal.addEventListener("abort", stop);
  const readOutput = collectOutput(child);
  let hasFailed = false;
  let running: string | undefined;
  let last = "";
  let current: string[] = [];
  let tests: TestResult[] = [];
  let timer: NodeJS.Timeout | undefined;
  const endFile = (file: string, ms: number): void => {
    clearTimeout(timer);
    if (tests.length === 0)
      tests.push({ names: [], outcome: "failed", ms: 0, error: "The file has no test." });
    hasFailed ||= tests.some(({ outcome }) => outcome === "failed");
    onFile({ file, ms, tests, output: readOutput() });
    [running, current, tests] = [undefined, [], []];
  };
  const assign = (): void => {
    running = takeFile();
    if (running === undefined) current = ["after all files of this worker"];
    else last = running;
    child.send({ file: running } satisfies FileMessage);
    const timeoutMs = running === undefined ? CLOSE_MS_MAX : timeouts.fileMs;
    timer = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
  };
  child.on("message", (message: WorkerMessage) => {
    if (message.type === "start") current = message.names;
    else if (message.type === "result") tests.push(message.result);
    else {
      if (message.type === "end") endFile(message.file, message.ms);
      assign();
    }
  });
  const [code, killedBy] = (await once(child, "close")) as [number | null, string | null];
  clearTimeout(timer);
  signal.removeEventListener("abort", stop);
  // A worker whose tests failed ends with status 1, too.
  if (signal.aborted || (running === undefined && (code === 0 || hasFailed))) return;
  const error = `The worker ended (${killedBy ?? `status ${code}`}).`;
  tests.push({ names: current, outcome: "failed", ms: 0, error });
  // Resources that the files of a worker share are closed after its last one, which is then run again for a retry.
  endFile(running ?? last, 0);
}

function startWorker({ env, isLive, timeouts }: WorkerOptions): ChildProcess {
  const args = [
    `--test-timeout=${timeouts.testMs}`,
    `--test-reporter=${join(import.meta.dirname, "events.ts")}`,
    "--test-reporter-destination=stdout",
    join(import.meta.dirname, "worker.ts"),
  ];
  const output = isLive ? "inherit" : "pipe";
  return spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", output, output, "ipc"],
  });
}

/** Returns a function that takes what the child printed since its last call, or the end of it. */
function collectOutput(child: ChildProcess): () => string {
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      text = (text + chunk).slice(-OUTPUT_CHARS_MAX);
    });
  return () => {
    const taken = text;
    text = "";
    return taken;
  };
}
