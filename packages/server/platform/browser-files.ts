import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { glob, mkdir, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

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

/**
 * Reads the files of a package that browsers load. A published package has them in `built/`. In a checkout they are
 * built when they are first needed, and kept under a hash of what they are built from.
 */
export async function readBrowserFiles(name: BrowserPackageName): Promise<BrowserFiles> {
  const published = join(
    dirname(fileURLToPath(import.meta.resolve(`@avow/${name}/package.json`))),
    "built",
  );
  if (existsSync(published)) return readFolder(published);
  const kept = join(cache, `${name}-${await hashSources(packages[name].sources)}`);
  if (existsSync(kept)) return readFolder(kept);
  const built = await packages[name].build();
  await keep(kept, built);
  return new Map([...built].map(([file, content]) => [file, Buffer.from(content)]));
}

async function readFolder(folder: string): Promise<BrowserFiles> {
  const names = await readdir(folder);
  const files = await Promise.all(
    names.map(async (name) => [name, await readFile(join(folder, name))] as const),
  );
  return new Map(files);
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

/** Writes the files into a folder that is complete as soon as it is there. */
async function keep(
  folder: string,
  files: ReadonlyMap<string, string | Uint8Array>,
): Promise<void> {
  const part = `${folder}.${randomUUID()}`;
  try {
    await mkdir(part, { recursive: true });
    for (const [name, content] of files) await writeFile(join(part, name), content);
    await rename(part, folder);
  } catch (error) {
    // Another process kept the same files first, or this user cannot write there: the next start builds them again.
    const { code } = error as NodeJS.ErrnoException;
    if (!["EEXIST", "ENOTEMPTY", "EACCES", "EPERM", "EROFS"].includes(code ?? "")) throw error;
    await rm(part, { recursive: true, force: true });
  }
}
