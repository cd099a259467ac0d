import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { buildFramework, type frameworks } from "../../scripts/build/framework.ts";
import { buildWidget } from "../../scripts/build/widget.ts";
import { poll } from "../poll.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");
const START_MS_MAX = 120_000;
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;

/** A copy of an example, with our packages installed from the files that npm would publish. */
export interface ExampleCopy extends AsyncDisposable {
  folder: string;
  /** Runs a program of an installed package to its end, and returns its output. */
  run: (script: string, args: readonly string[]) => Promise<string>;
  /** Starts a server by such a program, and returns its address. */
  serve: (script: string, toArguments: (port: number) => readonly string[]) => Promise<string>;
}

/** Copies an example to a temporary folder, and installs its packages. */
export async function copyExample(
  name: string,
  packages: readonly (typeof frameworks)[number][],
  env: Readonly<Record<string, string>>,
): Promise<ExampleCopy> {
  const folder = await mkdtemp(join(tmpdir(), `avow-${name}-`));
  const stopping = new AbortController();
  const servers: Promise<unknown>[] = [];
  const close = async (): Promise<void> => {
    stopping.abort();
    await Promise.allSettled(servers);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const isOurs = (path: string) => !/[\\/](node_modules|\.next)([\\/]|$)/.test(path);
    await cp(join(root, "examples", name), folder, { recursive: true, filter: isOurs });
    await install(folder, packages);
  } catch (error) {
    await close();
    throw error;
  }
  const { PATH, HOME } = process.env;
  const options = {
    cwd: folder,
    env: { PATH, HOME, NEXT_TELEMETRY_DISABLED: "1", ...env },
    signal: stopping.signal,
  };
  const toPath = (script: string) => join(folder, "node_modules", script);
  return {
    folder,
    [Symbol.asyncDispose]: close,
    async run(script, args) {
      const all = [toPath(script), ...args];
      const { stdout, stderr } = await run(process.execPath, all, {
        ...options,
        maxBuffer: OUTPUT_BYTES_MAX,
      }).catch((error: { stdout?: string; stderr?: string }) => {
        throw new Error(`${script} failed:\n${error.stdout}\n${error.stderr}`, { cause: error });
      });
      return stdout + stderr;
    },
    async serve(script, toArguments) {
      const port = await findFreePort();
      const all = [toPath(script), ...toArguments(port)];
      const server = spawn(process.execPath, all, { ...options, stdio: "ignore" });
      servers.push(once(server, "exit"));
      const url = `http://127.0.0.1:${port}`;
      const read = () =>
        fetch(url).then(
          ({ ok }) => ok,
          () => false,
        );
      const toMessage = () => `${script} does not respond at ${url}`;
      await poll({ read, isRight: Boolean, waitMs: START_MS_MAX, toMessage });
      return url;
    },
  };
}

/** Packs our packages, and installs them with the example's other packages. */
async function install(
  folder: string,
  names: readonly (typeof frameworks)[number][],
): Promise<void> {
  const packed = join(folder, "packed");
  await mkdir(packed);
  await buildWidget(join(packed, "widget"));
  for (const name of names) buildFramework(name, join(packed, name));
  const all = ["widget", ...names];
  await run("npm", ["pack", "--loglevel=error", ...all.map((name) => `./${name}`)], {
    cwd: packed,
  });
  const file = join(folder, "package.json");
  const manifest = JSON.parse(await readFile(file, "utf8"));
  for (const name of all)
    manifest.dependencies[`@avow/${name}`] = `file:packed/avow-${name}-${manifest.version}.tgz`;
  await writeFile(file, JSON.stringify(manifest));
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"];
  await run("npm", ["install", "--loglevel=error", ...flags], { cwd: folder });
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
