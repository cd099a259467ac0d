import { spawn } from "node:child_process";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const INSTALL_TIMEOUT_MS = 300_000;
/** The peer, and what its documentation has it run on; its HTTP server is its framework's own for Node. */
const dependencies = {
  "@c15t/backend": "2.2.1",
  "@hono/node-server": "2.1.8",
  kysely: "0.28.18",
  pg: "8.23.1",
};
const told = ["@c15t/backend", "hono", "@hono/node-server", "kysely", "pg"];

/** The peer, installed. */
export interface Installed {
  /** What runs it as a server. */
  file: string;
  /** Its packages with their versions, in words. */
  versions: string;
}

/** Installs the peer from npm in `folder`; no package's scripts are run. Throws with what npm said. */
export async function installPeer(folder: string): Promise<Installed> {
  await mkdir(folder);
  const manifest = { name: "peer", private: true, type: "module", dependencies };
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest, null, 2));
  await runNpm(folder);
  const file = join(folder, "server.mjs");
  await copyFile(join(import.meta.dirname, "server.mjs"), file);
  const versions = await Promise.all(
    told.map(async (name) => {
      const text = await readFile(join(folder, "node_modules", name, "package.json"), "utf8");
      return `${name} ${(JSON.parse(text) as { version: string }).version}`;
    }),
  );
  return { file, versions: versions.join(", ") };
}

async function runNpm(folder: string): Promise<void> {
  const { npm_execpath: script, npm_node_execpath: node } = process.env;
  const [program, ...first] = script?.endsWith(".js")
    ? [node ?? process.execPath, script]
    : ["npm"];
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const args = [...first, "install", "--prefix", folder, ...flags];
  // The npm that runs this tells its own package's place in the environment.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^npm_(package|config_local_prefix)/.test(name),
    ),
  );
  const child = spawn(program ?? "npm", args, {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: INSTALL_TIMEOUT_MS,
  });
  const stop = (): void => void child.kill();
  process.once("exit", stop);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject).once("close", resolve);
  });
  process.off("exit", stop);
  if (code === 0) return;
  throw new Error(
    `npm did not install the peer @c15t/backend ${dependencies["@c15t/backend"]}, so there is nothing to compare with:\n${output.trim()}`,
  );
}
