import { createHash } from "node:crypto";
import { glob, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FastifyBaseLogger } from "fastify";
import { isUnwritable, keepBuild, readBuild } from "./browser-cache.ts";

/** Files that browsers load, by name. */
export type BrowserFiles = ReadonlyMap<string, Buffer>;

type Build = () => Promise<ReadonlyMap<string, string | Uint8Array>>;

const builds = {
  admin: async () => (await import("@avow/admin/build")).buildAdmin(),
  widget: async () => (await import("@avow/widget/build")).buildWidget(),
  verifier: async () => (await import("@avow/verifier/build")).buildVerifier(),
} satisfies Record<string, Build>;

/** Packages with files that browsers load. */
export type BrowserPackageName = keyof typeof builds;
export const browserPackages = Object.keys(builds) as BrowserPackageName[];

const root = fileURLToPath(new URL("../../../", import.meta.url));
const cache = join(root, "node_modules/.cache/avow-browser");
const isSource = /(?<!\.test)\.(?:tsx?|css|html|svg|json)$/;

export type AllBrowserFiles = Readonly<Record<BrowserPackageName, BrowserFiles>>;

/** Reads the browser files of all packages. Logs once when builds cannot be cached. */
export async function readAllBrowserFiles(
  log: Pick<FastifyBaseLogger, "warn">,
): Promise<AllBrowserFiles> {
  const errors: unknown[] = [];
  const entries = browserPackages.map(
    async (name) => [name, await readBrowserFiles(name, (error) => errors.push(error))] as const,
  );
  const files = Object.fromEntries(await Promise.all(entries)) as AllBrowserFiles;
  if (errors.length > 0)
    log.warn({ err: errors[0] }, "browser files not cached: every start builds them");
  return files;
}

/**
 * Reads the files of a package that browsers load. A published package has them in `built/`. In a checkout they are
 * built at their first use, and the newest build is cached under a hash of its sources.
 */
export async function readBrowserFiles(
  name: BrowserPackageName,
  onUnwritable: (error: unknown) => void = () => undefined,
): Promise<BrowserFiles> {
  const manifest = fileURLToPath(import.meta.resolve(`@avow/${name}/package.json`));
  const published = await readBuild(join(dirname(manifest), "built"));
  if (published) return published;
  const key = `${name}-${await hashSources(name)}`;
  const kept = await readBuild(join(cache, key));
  if (kept) return kept;
  const built = await builds[name]();
  await keepBuild(join(cache, key), built).catch((error: unknown) => {
    if (!isUnwritable(error)) throw error;
    onUnwritable(error);
  });
  return new Map([...built].map(([file, content]) => [file, Buffer.from(content)]));
}

/** Hashes the sources of a package and its workspace dependencies, and the lock file. */
async function hashSources(name: string): Promise<string> {
  const files = ["package-lock.json"];
  for (const one of await listWorkspaces(name))
    for await (const file of glob(`packages/${one}/**/*`, { cwd: root }))
      if (isSource.test(file)) files.push(file);
  const hash = createHash("sha256");
  for (const file of files.toSorted()) {
    const content = await readFile(join(root, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex").slice(0, 32);
}

/** A package of the workspace and its direct and indirect dependencies there. */
async function listWorkspaces(name: string, found = new Set<string>()): Promise<Set<string>> {
  if (found.has(name)) return found;
  found.add(name);
  const text = await readFile(join(root, "packages", name, "package.json"), "utf8");
  const { dependencies = {} } = JSON.parse(text) as { dependencies?: Record<string, string> };
  for (const dependency of Object.keys(dependencies))
    if (dependency.startsWith("@avow/"))
      await listWorkspaces(dependency.slice("@avow/".length), found);
  return found;
}
