import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { arrows, findBreaches, findNameBreaches } from "./architecture/rules.ts";
import { listPaths, readSources } from "./architecture/tree.ts";

const root = join(import.meta.dirname, "..");

test("the tree keeps the house's rules", () => {
  const sources = readSources(root);
  assert.ok(sources.length > 50, "the tree was read");
  assert.deepEqual([...findBreaches(sources), ...findNameBreaches(listPaths(root))], []);
});

test("the table of arrows has no cycle", () => {
  const visit = (name: string, trail: readonly string[]): void => {
    assert.ok(!trail.includes(name), [...trail, name].join(" → "));
    for (const target of arrows[name] ?? []) visit(target, [...trail, name]);
  };
  for (const name of Object.keys(arrows)) visit(name, []);
});

/** A tree that keeps the rules; each case below plants one file in it. */
const sound = {
  "server/platform/db/db.ts": "export const db = { selectFrom: (name: string) => name };\n",
  "server/modules/billing/billing.ts": "export const plan = 1;\n",
  "server/modules/billing/store.ts":
    'import { db } from "../../platform/db/db.ts";\nexport const rows = () => db.selectFrom("plans");\n',
  "server/modules/vault/vault.ts":
    'import { plan } from "../billing/billing.ts";\nexport const vault = plan;\n',
};

const planted: [string, string, string, RegExp[]][] = [
  [
    "an arrow that is not there",
    "server/modules/billing/a.ts",
    'import "../vault/vault.ts";',
    [/billing may call no module/],
  ],
  [
    "an arrow of types",
    "server/modules/auth/a.ts",
    'import type { vault } from "../vault/vault.ts";',
    [/auth may call no module/],
  ],
  [
    "an arrow by re-export",
    "server/modules/auth/a.ts",
    'export * from "../vault/vault.ts";',
    [/auth may call no module/],
  ],
  [
    "an arrow by import()",
    "server/modules/auth/a.ts",
    'export const a = () => import("../vault/vault.ts");',
    [/auth may call no module/],
  ],
  [
    "a module without arrows",
    "server/modules/news/a.ts",
    'import "../vault/vault.ts";',
    [/not in the table/],
  ],
  [
    "another module's store",
    "server/modules/vault/a.ts",
    'import "../billing/store.ts";',
    [/a\.ts:1 .*verbs and schemas/],
  ],
  [
    "platform that knows a module",
    "server/platform/a.ts",
    'import "../modules/vault/vault.ts";',
    [/platform knows no module/],
  ],
  [
    "platform that knows the app",
    "server/platform/a.ts",
    'import "../app.ts";',
    [/platform knows no module/],
  ],
  [
    "a module that knows the app",
    "server/modules/auth/a.ts",
    'import type { app } from "../../app.ts";',
    [/knows what is above/],
  ],
  [
    "a cycle",
    "server/platform/a.ts",
    'import type { b } from "./a.ts";\nexport type b = 1;',
    [/an import cycle: .*a\.ts → .*a\.ts/],
  ],
  [
    "SQL outside stores",
    "server/modules/vault/a.ts",
    "\nconst sql = String.raw;\nexport const a = sql`select 1`;",
    [/a\.ts:3 has SQL/],
  ],
  [
    "a query outside stores",
    "server/modules/vault/a.ts",
    'import { db } from "../../platform/db/db.ts";\ndb.selectFrom("a");',
    [/a\.ts:2 has SQL/],
  ],
  [
    "Fastify in a verb",
    "server/modules/vault/a.ts",
    'import type { FastifyReply } from "fastify";',
    [/knows HTTP/],
  ],
  [
    "platform/http in a verb",
    "server/modules/vault/a.ts",
    'import type { Http } from "../../platform/http/http.ts";',
    [/knows HTTP/],
  ],
  [
    "the server in the verifier",
    "verifier/a.ts",
    'import "../server/platform/db/db.ts";',
    [/the verifier depends on nobody/],
  ],
  [
    "process.env",
    "server/platform/a.ts",
    'export const a = [process.env, process["env"], globalThis.process.env];',
    [/reads process\.env/, /reads process\.env/, /reads process\.env/],
  ],
  ["a long file", "server/platform/a.test.ts", "\n".repeat(401), [/402 lines, more than 400/]],
  [
    "a long function",
    "server/platform/a.ts",
    `/** Doc */\nexport function a() {${"\n".repeat(69)}}`,
    [/a\.ts:2 a has 70 lines/],
  ],
];

for (const [what, path, text, rules] of planted) {
  test(`${what} breaks a rule, told with its file`, async (context) => {
    const folder = await mkdtemp(join(tmpdir(), "avow-tree-"));
    context.after(() => rm(folder, { recursive: true }));
    assert.deepEqual(await findBreachesOf(folder, sound), []);
    const breaches = await findBreachesOf(folder, { [path]: `${text}\n` });
    assert.equal(breaches.length, rules.length, breaches.join("\n"));
    for (const [index, rule] of rules.entries()) {
      assert.match(breaches[index] ?? "", rule);
      assert.ok(breaches[index]?.startsWith(path));
    }
  });
}

test("what a rule allows is not told", async (context) => {
  const folder = await mkdtemp(join(tmpdir(), "avow-tree-"));
  context.after(() => rm(folder, { recursive: true }));
  const files = {
    ...sound,
    "server/config.ts": "export const port = process.env;\n",
    "server/modules/vault/user-routes.ts":
      'import type { FastifyReply } from "fastify";\nexport type R = FastifyReply;\n',
    "server/modules/vault/rows-store.ts":
      "const sql = String.raw;\nexport const a = sql`select 1`;\n",
    "server/modules/vault/a.ts":
      'import type { FastifyBaseLogger } from "fastify";\nexport type L = FastifyBaseLogger;\n',
    "server/modules/vault/vault.test.ts":
      'import "../auth/store.ts";\nconst sql = String.raw;\nexport const a = sql`select 1`;\n',
  };
  assert.deepEqual(await findBreachesOf(folder, files), []);
});

test("long files, index files and folders without a meaning are told", () => {
  const paths = [
    "server/utils/a.ts",
    "admin/lib/b.tsx",
    "widget/index.ts",
    "server/platform/library.ts",
  ];
  assert.deepEqual(
    findNameBreaches(paths).map((breach) => breach.split(":")[0]),
    paths.slice(0, 3),
  );
});

test("a tree of files that are long in the median is told", () => {
  const long = Array.from({ length: 11 }, (_, index) => ({
    path: `server/platform/a${index}.ts`,
    lines: index < 5 ? 10 : 90 + index * 20,
    imports: [],
    functions: [],
    queryLines: [],
    environmentLines: [],
  }));
  const told = findBreaches(long);
  assert.equal(told.length, 2);
  assert.match(told[0] ?? "", /median file has 190 lines/);
  assert.match(told[1] ?? "", /one file in ten has 270 lines/);
});

async function findBreachesOf(folder: string, files: Record<string, string>): Promise<string[]> {
  const project = { compilerOptions: { noLib: true, types: [] }, include: ["server", "verifier"] };
  for (const [path, text] of Object.entries({
    ...files,
    "tsconfig.json": JSON.stringify(project),
  })) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return findBreaches(readSources(folder));
}
