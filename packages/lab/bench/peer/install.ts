import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { installPackages } from "../measure/npm.ts";

/** The peer and its documented dependencies; the HTTP server is that of its framework for Node. */
const dependencies = {
  "@c15t/backend": "2.2.1",
  "@hono/node-server": "2.1.8",
  kysely: "0.28.18",
  pg: "8.23.1",
};
const packages = ["@c15t/backend", "hono", "@hono/node-server", "kysely", "pg"];

/** The peer, installed. */
export interface Installed {
  /** The script that runs it as a server. */
  file: string;
  /** Its packages with their versions, as text. */
  versions: string;
}

/** Installs the peer from npm in `folder`, without running package scripts. Throws with npm's error output. */
export async function installPeer(folder: string): Promise<Installed> {
  const versionOf = await installPackages(folder, dependencies);
  const file = join(folder, "server.mjs");
  await copyFile(join(import.meta.dirname, "server.mjs"), file);
  const versions = await Promise.all(
    packages.map(async (name) => `${name} ${await versionOf(name)}`),
  );
  return { file, versions: versions.join(", ") };
}
