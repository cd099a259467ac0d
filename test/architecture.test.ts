import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import {
  arrows,
  findBreaches,
  findFolderCycles,
  findNameBreaches,
  packageArrows,
} from "./architecture/rules.ts";
import { bucketTables, dataTables, globalTables } from "../packages/server/platform/db/planes.ts";
import {
  findMissedChanges,
  findPlaneBreaches,
  listTables,
  listTablesWith,
} from "./architecture/planes.ts";
import { listPaths, readSources } from "./architecture/tree.ts";

const root = join(import.meta.dirname, "..");

test("the tree follows the architecture rules", () => {
  const sources = readSources(root);
  assert.ok(sources.length > 50, "the tree was read");
  const breaches = [...findBreaches(sources), ...findFolderCycles(sources)];
  assert.deepEqual([...breaches, ...findNameBreaches(listPaths(root))], []);
});

test("the tables of allowed imports have no cycle", () => {
  for (const table of [arrows, packageArrows]) {
    const visit = (name: string, trail: readonly string[]): void => {
      assert.ok(!trail.includes(name), [...trail, name].join(" → "));
      for (const target of table[name] ?? []) visit(target, [...trail, name]);
    };
    for (const name of Object.keys(table)) visit(name, []);
  }
});

test("each store reads and writes one plane", () => {
  const tables = listTables(root);
  const stores = listPaths(root).filter((path) => /^packages\/server\/.*store\.ts$/.test(path));
  assert.ok(tables.size > 50 && stores.length > 50, "the tree was read");
  const breaches = stores.flatMap((path) =>
    findPlaneBreaches(path, readFileSync(join(root, path), "utf8"), tables),
  );
  assert.deepEqual(breaches, []);
  assert.deepEqual(
    [...dataTables].filter((name) => !tables.has(name)),
    [],
  );
});

test("each table of the data plane is of a bucket, or of all buckets", () => {
  for (const name of dataTables)
    assert.notEqual(bucketTables.has(name), globalTables.has(name), name);
  const withProject = listTablesWith(root, "project_id");
  const ofProjects = [...dataTables].filter((name) => withProject.has(name));
  assert.ok(ofProjects.length > 15, "the migrations were read");
  assert.deepEqual(
    ofProjects.filter((name) => !bucketTables.has(name)),
    // The directory, and the queue of what is not a consent, such as the versions that projects published.
    ["project_buckets", "log_documents"],
  );
});

test("each migration of a bucket's table runs in all buckets", () => {
  for (const path of listPaths(root).filter((name) =>
    name.startsWith("packages/server/migrations/"),
  ))
    assert.deepEqual(findMissedChanges(basename(path), readFileSync(join(root, path), "utf8")), []);
  const change =
    "CREATE INDEX a ON consents (id); ALTER TABLE choices ADD b text; DROP TABLE users";
  assert.deepEqual(findMissedChanges("0091_a.sql", change), ["consents", "choices"]);
  assert.deepEqual(findMissedChanges("0091_a.bucket.sql", change), []);
});

test("reports a store of two planes, and one with the other plane's connection", () => {
  const tables = new Set(["consents", "documents"]);
  const find = (text: string) => findPlaneBreaches("a/store.ts", text, tables);
  assert.equal(find("sql`SELECT FROM consents JOIN documents ON true`").length, 1);
  assert.equal(find("(db: Db) => sql`SELECT FROM consents`").length, 1);
  assert.equal(find('(tx: DataTx) => tx.insertInto("documents")').length, 1);
  assert.deepEqual(find("(db: DataDb) => sql`SELECT FROM consents`"), []);
});

test("no folder of a package has more than fifteen source files", () => {
  const counts = new Map<string, number>();
  for (const path of listPaths(root))
    if (/^packages\/.*\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
      counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  assert.deepEqual(
    [...counts].filter(([, count]) => count > 15),
    [],
  );
});

test("ARCHITECTURE.md names files and folders that exist", () => {
  const text = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
  const names = [...text.matchAll(/`([\w.-]+\/[\w./-]*)`|\]\(([^)#:]+)\)/g)].map(
    (match) => match[1] ?? match[2] ?? "",
  );
  assert.ok(names.length > 30, "the page names its files");
  const folders = ["", "packages/server", "packages/server/modules"];
  const missing = names.filter((name) => !folders.some((one) => existsSync(join(root, one, name))));
  assert.deepEqual(missing, []);
});

/** A tree that follows the rules; each case below adds one file to it. */
const baseTree = {
  "packages/server/platform/db/db.ts":
    "export const db = { selectFrom: (name: string) => name };\n",
  "packages/server/modules/billing/billing.ts": "export const plan = 1;\n",
  "packages/server/modules/billing/store.ts":
    'import { db } from "../../platform/db/db.ts";\nexport const rows = () => db.selectFrom("plans");\n',
  "packages/server/modules/vault/vault.ts":
    'import { plan } from "../billing/billing.ts";\nexport const vault = plan;\n',
};

const planted: [string, string, string, RegExp[]][] = [
  [
    "an import that is not allowed",
    "packages/server/modules/billing/a.ts",
    'import "../vault/vault.ts";',
    [/billing may call no module/],
  ],
  [
    "an import of types",
    "packages/server/modules/auth/a.ts",
    'import type { vault } from "../vault/vault.ts";',
    [/auth may call no module/],
  ],
  [
    "an import by re-export",
    "packages/server/modules/auth/a.ts",
    'export * from "../vault/vault.ts";',
    [/auth may call no module/],
  ],
  [
    "an arrow by import()",
    "packages/server/modules/auth/a.ts",
    'export const a = () => import("../vault/vault.ts");',
    [/auth may call no module/],
  ],
  [
    "a module without allowed imports",
    "packages/server/modules/news/a.ts",
    'import "../vault/vault.ts";',
    [/not in the table/],
  ],
  [
    "another module's store",
    "packages/server/modules/vault/a.ts",
    'import "../billing/store.ts";',
    [/a\.ts:1 .*verbs and schemas/],
  ],
  [
    "platform that knows a module",
    "packages/server/platform/a.ts",
    'import "../modules/vault/vault.ts";',
    [/platform is below modules/],
  ],
  [
    "platform that knows the app",
    "packages/server/platform/a.ts",
    'import "../app.ts";',
    [/knows what is above/],
  ],
  [
    "a module that knows the app",
    "packages/server/modules/auth/a.ts",
    'import type { app } from "../../app.ts";',
    [/knows what is above/],
  ],
  [
    "a cycle",
    "packages/server/platform/a.ts",
    'import type { b } from "./a.ts";\nexport type b = 1;',
    [/an import cycle: .*a\.ts → .*a\.ts/],
  ],
  [
    "SQL outside stores",
    "packages/server/modules/vault/a.ts",
    "\nconst sql = String.raw;\nexport const a = sql`select 1`;",
    [/a\.ts:3 has SQL/],
  ],
  [
    "a query outside stores",
    "packages/server/modules/vault/a.ts",
    'import { db } from "../../platform/db/db.ts";\ndb.selectFrom("a");',
    [/a\.ts:2 has SQL/],
  ],
  [
    "Fastify in a verb",
    "packages/server/modules/vault/a.ts",
    'import type { FastifyReply } from "fastify";',
    [/knows HTTP/],
  ],
  [
    "http in a verb",
    "packages/server/modules/vault/a.ts",
    'import type { Http } from "../../http/http.ts";',
    [/knows HTTP/],
  ],
  [
    "the server in the verifier",
    "packages/verifier/a.ts",
    'import "../server/platform/db/db.ts";',
    [/the verifier depends on nobody/],
  ],
  [
    "process.env",
    "packages/server/platform/a.ts",
    'export const a = [process.env, process["env"], globalThis.process.env];',
    [/reads process\.env/, /reads process\.env/, /reads process\.env/],
  ],
  [
    "a package without an allowed import",
    "packages/widget/a.ts",
    'import { verify } from "@avow/verifier";',
    [/widget may import contract/],
  ],
  [
    "a package by its path",
    "packages/admin/a.ts",
    'import "../verifier/verify.ts";',
    [/by its name/],
  ],
];

for (const [what, path, text, rules] of planted) {
  test(`reports ${what} with its file`, async (context) => {
    const folder = await mkdtemp(join(tmpdir(), "avow-tree-"));
    context.after(() => rm(folder, { recursive: true }));
    assert.deepEqual(await findBreachesOf(folder, baseTree), []);
    const breaches = await findBreachesOf(folder, { [path]: `${text}\n` });
    assert.equal(breaches.length, rules.length, breaches.join("\n"));
    for (const [index, rule] of rules.entries()) {
      assert.match(breaches[index] ?? "", rule);
      assert.ok(breaches[index]?.startsWith(path));
    }
  });
}

test("reports folders with circular imports", async (context) => {
  const folder = await mkdtemp(join(tmpdir(), "avow-tree-"));
  context.after(() => rm(folder, { recursive: true }));
  const files = {
    "packages/widget/a/one.ts": 'import type { two } from "../b/two.ts";\nexport type one = two;\n',
    "packages/widget/b/two.ts": "export type two = 1;\n",
    "packages/widget/b/three.ts": 'export type { three } from "../a/three.ts";\n',
    "packages/widget/a/three.ts": "export type three = 3;\n",
  };
  const sources = await readSourcesOf(folder, files);
  assert.deepEqual(findBreaches(sources), []);
  assert.match(
    findFolderCycles(sources).join(),
    /import cycle: packages\/widget\/a → packages\/widget\/b → packages\/widget\/a/,
  );
});

test("reports nothing that a rule allows", async (context) => {
  const folder = await mkdtemp(join(tmpdir(), "avow-tree-"));
  context.after(() => rm(folder, { recursive: true }));
  const files = {
    ...baseTree,
    "packages/server/config/config.ts": "export const port = process.env;\n",
    "packages/server/modules/vault/user-routes.ts":
      'import type { FastifyReply } from "fastify";\nexport type R = FastifyReply;\n',
    "packages/server/modules/vault/rows-store.ts":
      "const sql = String.raw;\nexport const a = sql`select 1`;\n",
    "packages/server/modules/vault/a.ts":
      'import type { FastifyBaseLogger } from "fastify";\nexport type L = FastifyBaseLogger;\n',
    "packages/server/modules/vault/vault.test.ts":
      'import "../auth/store.ts";\nconst sql = String.raw;\nexport const a = sql`select 1`;\n',
  };
  assert.deepEqual(await findBreachesOf(folder, files), []);
});

test("reports index files and folders without a meaning", () => {
  const paths = [
    "packages/server/utils/a.ts",
    "packages/admin/lib/b.tsx",
    "packages/widget/index.ts",
    "packages/server/platform/library.ts",
  ];
  assert.deepEqual(
    findNameBreaches(paths).map((breach) => breach.split(":")[0]),
    paths.slice(0, 3),
  );
});

async function readSourcesOf(folder: string, files: Record<string, string>) {
  const project = { compilerOptions: { noLib: true, types: [] }, include: ["packages"] };
  for (const [path, text] of Object.entries({
    ...files,
    "tsconfig.json": JSON.stringify(project),
  })) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return readSources(folder);
}

async function findBreachesOf(folder: string, files: Record<string, string>): Promise<string[]> {
  return findBreaches(await readSourcesOf(folder, files));
}
