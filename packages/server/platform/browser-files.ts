import { createHash } from "node:crypto";
import { glob, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FastifyBaseLogger } from "fastify";
import { isUnwritable, keepBuild, readBuild } from "./browser-cache.ts";

/** Files that browsers load, by name. */
export type BrowserFiles = ReadonlyMap<string, Buffer>;

interface BrowserPackage {
  /** Packages whose sources the files are built from. */
  sources: readonly string[];
  build: () => Promise<ReadonlyMap<string, string | Uint8Array>>;
}

const packages = {
  admin: {
    sources: ["admin", "contract", "verifier"],
    build: async () => (await import("@avow/admin/build")).buildAdmin(),
  },
  widget: {
    sources: ["contract", "widget"],
    build: async () => (await import("@avow/widget/build")).buildWidget(),
  },
  verifier: {
    sources: ["verifier"],
    build: async () => (await import("@avow/verifier/build")).buildVerifier(),
  },
} satisfies Record<string, BrowserPackage>;

/** Packages with files that browsers load. */
export type BrowserPackageName = keyof typeof packages;

const root = fileURLToPath(new URL("../../../", import.meta.url));
const cache = join(root, "node_modules/.cache/avow-browser");
const isSource = /(?<!\.test)\.(?:tsx?|css|html|svg|json)$/;

export type AllBrowserFiles = Readonly<Record<BrowserPackageName, BrowserFiles>>;

/** Reads the browser files of all packages; logs once that builds cannot be kept. */
export async function readAllBrowserFiles(
  log: Pick<FastifyBaseLogger, "warn">,
): Promise<AllBrowserFiles> {
  const errors: unknown[] = [];
  const read = (name: BrowserPackageName): Promise<BrowserFiles> =>
    readBrowserFiles(name, (error) => errors.push(error));
  const [admin, widget, verifier] = await Promise.all([
    read("admin"),
    read("widget"),
    read("verifier"),
  ]);
  if (errors.length > 0)
    log.warn({ err: errors[0] }, "browser files not cached: every start builds them");
  return { admin, widget, verifier };
}

/**
 * Reads the files of a package that browsers load. A published package has them in `built/`. In a checkout they are
 * built when they are first needed, and the newest build is kept under a hash of what it is built from.
 */
export async function readBrowserFiles(
  name: BrowserPackageName,
  onUnwritable: (error: unknown) => void = () => undefined,
): Promise<BrowserFiles> {
  const manifest = fileURLToPath(import.meta.resolve(`@avow/${name}/package.json`));
  const published = await readBuild(join(dirname(manifest), "built"));
  if (published) return published;
  const key = `${name}-${await hashSources(packages[name].sources)}`;
  const kept = await readBuild(join(cache, key));
  if (kept) return kept;
  const built = await packages[name].build();
  await keepBuild(join(cache, key), built).catch((error: unknown) => {
    if (!isUnwritable(error)) throw error;
    onUnwritable(error);
  });
  return new Map([...built].map(([file, content]) => [file, Buffer.from(content)]));
}

/** A hash of the sources of packages and of the versions of what they use. */
async function hashSources(names: readonly string[]): Promise<string> {
  const files = ["package-lock.json"];
  for (const name of names)
    for await (const file of glob(`packages/${name}/**/*`, { cwd: root }))
      if (isSource.test(file)) files.push(file);
  const hash = createHash("sha256");
  for (const file of files.toSorted()) {
    const content = await readFile(join(root, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex").slice(0, 32);
}
