import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { findFreePort } from "../../packages/server/platform/ports.ts";
import { poll } from "../poll.ts";
import { packTarballs } from "./tarballs.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");

const INSTALL_MS = 300_000;
const BUILD_MS = 300_000;
const START_MS = 60_000;
const STOP_MS = 5_000;
const OUTPUT_BYTES = 64 * 1024 * 1024;

/** An installed copy of an example. */
export interface Example extends AsyncDisposable {
  folder: string;
  /** Runs a script of its package.json to the end. */
  run: (script: string, env?: Record<string, string>) => Promise<void>;
  /** Starts a program with Node on its own port, in `PORT`, and waits until it answers. */
  start: (args: readonly string[], env?: Record<string, string>) => Promise<Running>;
}

/** A running server of an example. */
export interface Running extends AsyncDisposable {
  url: string;
  /** The output so far. */
  readOutput: () => string;
}

/** The environment of examples: Node is the project's own. */
const environment = {
  ...process.env,
  PATH: `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}`,
  CI: "1",
  NO_COLOR: "1",
  NEXT_TELEMETRY_DISABLED: "1",
  NUXT_TELEMETRY_DISABLED: "1",
  ASTRO_TELEMETRY_DISABLED: "1",
  NG_CLI_ANALYTICS: "false",
};

/** Whether a file is not what an installation or a build in the example has left. */
function isSource(path: string): boolean {
  return !/[\\/](node_modules|dist|\.next|\.nuxt|\.output|\.astro|\.angular)([\\/]|$)/.test(
    path.slice(root.length),
  );
}

/** Installs a copy of `examples/NAME`, with our packages as they are published. */
export async function installExample(name: string): Promise<Example> {
  const folder = await mkdtemp(join(tmpdir(), `avow-example-${name}-`));
  const running = new AsyncDisposableStack();
  running.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  const npm = async (args: readonly string[], timeout: number, env = {}): Promise<void> => {
    const options = { cwd: folder, timeout, maxBuffer: OUTPUT_BYTES };
    await run("npm", args, { ...options, env: { ...environment, ...env } });
  };
  try {
    await cp(join(root, "examples", name), folder, { recursive: true, filter: isSource });
    await useTarballs(join(folder, "package.json"));
    const quick = ["--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"];
    await npm(["install", ...quick, "--loglevel=error"], INSTALL_MS);
  } catch (error) {
    await running.disposeAsync();
    throw error;
  }
  return {
    folder,
    run: (script, env) => npm(["run", script], BUILD_MS, env),
    async start(args, env = {}) {
      const started = await startNode(folder, args, env);
      running.use(started);
      return started;
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Replaces the versions of our packages by their files. */
async function useTarballs(file: string): Promise<void> {
  const tarballs = await packTarballs();
  const manifest = JSON.parse(await readFile(file, "utf8")) as {
    dependencies: Record<string, string>;
  };
  for (const name of Object.keys(manifest.dependencies))
    if (name.startsWith("@avow/")) manifest.dependencies[name] = `file:${tarballs[name] ?? ""}`;
  await writeFile(file, JSON.stringify(manifest));
}

async function startNode(
  folder: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<Running> {
  const port = await findFreePort("127.0.0.1");
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...environment, HOST: "127.0.0.1", PORT: String(port), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (output = (output + chunk.toString()).slice(-20_000)));
  const stop = (): Promise<void> => stopChild(child);
  try {
    await poll({
      read: () => isAnswering(url, child, () => output),
      isRight: Boolean,
      waitMs: START_MS,
      toMessage: () => `${args.join(" ")} does not answer at ${url}:\n${output}`,
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, readOutput: () => output, [Symbol.asyncDispose]: stop };
}

async function isAnswering(
  url: string,
  child: ChildProcess,
  readOutput: () => string,
): Promise<boolean> {
  if (child.exitCode !== null)
    throw new Error(`The example ended with ${child.exitCode}:\n${readOutput()}`);
  try {
    await fetch(url, { signal: AbortSignal.timeout(10_000) });
    return true;
  } catch {
    // Not listening yet.
    return false;
  }
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const killing = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
  await ended;
  clearTimeout(killing);
}
