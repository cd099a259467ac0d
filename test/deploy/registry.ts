import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort } from "../../packages/server/platform/ports.ts";
import { poll } from "../poll.ts";
import { toolModules } from "./tools.ts";

const READY_MS_MAX = 60_000;

/** A registry of npm on this machine, with Verdaccio. */
export interface Registry extends AsyncDisposable {
  url: string;
  /** The configuration of npm for a user of the registry who may publish. */
  npmrc: string;
}

/** Opens an empty registry; packages that are not Avow's come from the registry that npm uses here. */
export async function openRegistry(): Promise<Registry> {
  const folder = await mkdtemp(join(tmpdir(), "avow-registry-"));
  const upstream = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim();
  const own = ["avow", "@avow/*"].map(
    (name) => `  "${name}": { access: $all, publish: $all, unpublish: $all }\n`,
  );
  const config = join(folder, "config.yaml");
  await writeFile(
    config,
    `storage: ${folder}/storage
uplinks:
  npm: { url: "${upstream}", timeout: 60s }
packages:
${own.join("")}  "**": { access: $all, proxy: npm }
log: { type: stdout, format: json, level: warn }
`,
  );
  const port = await findFreePort("127.0.0.1");
  const url = `http://127.0.0.1:${port}`;
  const program = join(toolModules, "verdaccio/bin/verdaccio");
  const child = spawn(process.execPath, [program, "--config", config, "--listen", url], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (chunk: string) => (output += chunk));
  const ended = once(child, "exit");
  const close = async (): Promise<void> => {
    child.kill();
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await poll({
      read: () => {
        if (child.exitCode !== null) throw new Error(`The registry ended:\n${output}`);
        return isReady(url);
      },
      isRight: Boolean,
      waitMs: READY_MS_MAX,
      toMessage: () => `The registry does not answer:\n${output}`,
    });
  } catch (error) {
    await close();
    throw error;
  }
  return {
    url,
    npmrc: `registry=${url}\n//127.0.0.1:${port}/:_authToken=anybody\n`,
    [Symbol.asyncDispose]: close,
  };
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/-/ping`)).ok;
  } catch {
    return false; // Not listening yet.
  }
}
