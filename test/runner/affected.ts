import { existsSync, globSync, readFileSync } from "node:fs";
import { join, posix, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");
const folders = ["packages", "scripts", "test"];
/** Import and export declarations, and dynamic imports, of a relative path or of a package of this workspace. */
const ownImport = /(?:\bfrom|\bimport)\s*\(?\s*["']((?:\.{1,2}|@avow)\/[^"']+)["']/g;
/** The composition root imports the whole service, and every interface test imports it. */
const compositionRoot = "packages/server/app.ts";

/** For each file, the files that import it; all paths relative to the root. */
export type Importers = ReadonlyMap<string, ReadonlySet<string>>;

/** Reads the imports of all source files. */
export function readImporters(): Importers {
  const importers = new Map<string, Set<string>>();
  const entrances = readEntrances();
  const files = folders.flatMap((folder) =>
    globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root, exclude: ["**/node_modules/**"] }),
  );
  for (const file of files) {
    if (!existsSync(join(root, file))) continue;
    for (const [, path = ""] of readFileSync(join(root, file), "utf8").matchAll(ownImport)) {
      const imported = entrances.get(path) ?? posix.join(posix.dirname(file), path);
      importers.set(imported, (importers.get(imported) ?? new Set()).add(file));
    }
  }
  return importers;
}

/** The file behind each name that a package of this workspace exports, such as `@avow/verifier/keys`. */
function readEntrances(): ReadonlyMap<string, string> {
  return new Map(
    globSync("packages/*", { cwd: root }).flatMap((folder) => {
      const { name, exports = {} } = JSON.parse(
        readFileSync(join(root, folder, "package.json"), "utf8"),
      ) as { name: string; exports?: Record<string, string> };
      return Object.entries(exports).map(([subpath, file]) => [
        posix.join(name, subpath),
        posix.join(folder, file),
      ]);
    }),
  );
}

/**
 * The test files that a change of `changed` affects: those that import it, directly or not, and the
 * interface tests named after it or one of its folders. Imports through the composition root do not
 * count, because every interface test has them.
 */
export function selectAffected(
  changed: string,
  tests: readonly string[],
  importers: Importers,
): string[] {
  const reached = new Set([changed]);
  for (const file of reached)
    if (file !== compositionRoot || file === changed)
      for (const importer of importers.get(file) ?? []) reached.add(importer);
  const subjects = changed.startsWith("packages/server/modules/") ? toSubjects(changed) : [];
  return tests.filter((test) => reached.has(test) || subjects.some((name) => isNamed(test, name)));
}

/** `packages/server/modules/webhooks/feed/routes.ts` is about webhooks, feed and routes. */
function toSubjects(file: string): string[] {
  return file
    .replace(/\.tsx?$/, "")
    .split("/")
    .slice(3);
}

/** Whether the test file's name begins with the subject. */
function isNamed(test: string, subject: string): boolean {
  const name = posix.basename(test, ".test.ts");
  return test.startsWith("test/interface/") && (name === subject || name.startsWith(`${subject}-`));
}
