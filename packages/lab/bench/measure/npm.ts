import { spawn } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const INSTALL_TIMEOUT_MS = 300_000;

/**
 * Installs packages from npm in `folder`, which it creates, without running package scripts. Returns the
 * version of each by name. Throws with npm's error output.
 */
export async function installPackages(
  folder: string,
  dependencies: Readonly<Record<string, string>>,
): Promise<(name: string) => Promise<string>> {
  await mkdir(folder, { recursive: true });
  const manifest = { name: "peer", private: true, type: "module", dependencies };
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest, null, 2));
  const errorOutput = await runNpm(folder);
  if (errorOutput !== undefined) {
    const names = Object.entries(dependencies).map(([name, version]) => `${name} ${version}`);
    throw new Error(`npm could not install ${names.join(", ")}:\n${errorOutput}`);
  }
  return async (name) => {
    const text = await readFile(join(folder, "node_modules", name, "package.json"), "utf8");
    return (JSON.parse(text) as { version: string }).version;
  };
}

/** Runs npm; returns its error output if it fails. */
async function runNpm(folder: string): Promise<string | undefined> {
  const { npm_execpath: script, npm_node_execpath: node } = process.env;
  const [program, ...first] = script?.endsWith(".js")
    ? [node ?? process.execPath, script]
    : ["npm"];
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const args = [...first, "install", "--prefix", folder, ...flags];
  // If npm runs this process, it has set the location of its package in the environment.
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
  return code === 0 ? undefined : output.trim();
}
