import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import {
  chmod,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, describe, it } from "node:test";
import { promisify } from "node:util";
import { parse } from "yaml";
import shop from "../../examples/shop.json" with { type: "json" };
import { applyPlan } from "../../packages/cli/code/apply.ts";
import { loadTree } from "../../packages/cli/code/files/load.ts";
import { planTree } from "../../packages/cli/code/targets.ts";
import { CommandError } from "../../packages/cli/terminal/errors.ts";
import { openProgress } from "../../packages/cli/terminal/progress.ts";
import { createClient } from "../../packages/client/client.ts";
import { type ProgramResult, runAvow, toCaller } from "../command.ts";
import { service } from "../harness.ts";
import { newTemplate, newTemplateSite } from "../interface/template-sites.ts";

const { fetch, newUser } = service;

/** A folder that is removed after the test. */
async function newFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "avow-code-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function create(token: string, resource: string, json: object) {
  const { status, body } = await fetch(`/v1/vault/${resource}`, { token, json });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

/** The demo shop's project, in an account of its own. */
async function newShop() {
  const { token } = await newUser();
  const project = await create(token, "projects", {
    ...shop.project,
    websiteURL: "https://shop.example",
  });
  for (const resource of ["cookies", "processings", "contracts"] as const)
    for (const body of shop[resource])
      await create(token, resource, { ...body, projectId: project.id });
  return { token, id: String(project.id) };
}

async function addVariant(token: string, projectId: string): Promise<void> {
  const [original] = (await fetch(`/v1/vault/cookies?projectId=${projectId}`, { token })).body;
  // A variant by id, fields of the customer's own, also with the name of one of the service's.
  await create(token, "cookies", {
    projectId,
    name: "variant",
    settings: { variantOf: original.id, share: 10, ours: { a: [1, null] } },
    steps: [{ name: "welcome", layout: "welcome", campaign: "spring" }],
    createdBy: "our editor",
  });
}

async function newKey(token: string, scopes: string[], projectId?: string): Promise<string> {
  const json = { label: "CI", scopes, ...(projectId === undefined ? {} : { projectId }) };
  const { status, body } = await fetch("/v1/auth/tokens", { token, json });
  assert.equal(status, 201, JSON.stringify(body));
  return body.token;
}

const avow = (token: string, ...args: string[]): Promise<ProgramResult> =>
  runAvow(args, { env: toCaller(service.url, token) });

async function runWell(token: string, ...args: string[]): Promise<ProgramResult> {
  const result = await avow(token, ...args);
  assert.equal(result.code, 0, result.err + result.out);
  return result;
}

/** The versions of all documents of a project, by resource and name. */
async function listVersions(token: string, projectId: string): Promise<Record<string, number>> {
  const path = `/v1/vault/projects/extended?projectId=${projectId}`;
  const { body } = await fetch(path, { token });
  const all = [{ ...body, collection: "projects" }, ...body.configurations];
  return Object.fromEntries(
    all.map((one) => [`${one.collection} ${one.name} ${one.language ?? ""}`, one.version]),
  );
}

async function edit(file: string, from: string, to: string): Promise<void> {
  const text = await readFile(file, "utf8");
  assert.ok(text.includes(from), `${file} has no ${from}`);
  await writeFile(file, text.replace(from, to));
}

/** A plan of this moment, which `apply` carries out later. */
async function planNow(token: string, root: string, projectId: string) {
  const { signal } = new AbortController();
  const client = createClient({ url: service.url, token });
  const target = { projectId, organizationId: undefined, creates: false, prune: false };
  const plan = await planTree(client, await loadTree(root), target, signal);
  const progress = openProgress(true);
  return { apply: () => applyPlan(client, plan, { progress, signal }) };
}

const minimal = "title: Shop\nwebsiteURL: https://shop.example\n";
const banner = `name: main
steps:
  - name: welcome
    layout: welcome
    message: <p>May we?</p>
  - name: stats
    layout: category
    vendors:
      - matomo
`;
const vendor = "name: matomo\ntitle: Matomo\ntype: analytics\n";

/** A folder with a project that the service does not have yet. */
async function newTree(t: TestContext, files: Record<string, string> = {}): Promise<string> {
  const folder = await newFolder(t);
  const all = {
    "project.yaml": minimal,
    "banners/main.yaml": banner,
    "vendors/matomo.yaml": vendor,
    ...files,
  };
  for (const [path, text] of Object.entries(all)) {
    await mkdir(join(folder, path, ".."), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

describe("avow pull, plan and apply", () => {
  it("plans no change after a pull, applies an edit once, and fills an empty project", async (t) => {
    const { token, id } = await newShop();
    await addVariant(token, id);
    const folder = await newFolder(t);
    await runWell(token, "pull", folder, "--project", id);
    const variant = await readFile(join(folder, "banners/variant.yaml"), "utf8");
    assert.match(variant, /variantOf: shop-en/);
    const still = await runWell(token, "plan", folder, "--project", id, "--detailed-exitcode");
    assert.match(still.out, /No changes/);

    const file = join(folder, "banners/shop-en.yaml");
    await edit(file, "title: Cookies, English", "# The title of the list.\ntitle: Your choice");
    await edit(file, "<p>Which pages help", '<p onclick="x">Which pages help');
    const plan = await avow(token, "plan", folder, "--project", id, "--detailed-exitcode");
    assert.equal(plan.code, 2, plan.err);
    assert.match(plan.out, /title: "Cookies, English" → "Your choice"/);
    assert.doesNotMatch(plan.out, /onclick/, "the service removes it, so that nothing changes");
    assert.match(plan.out, /Plan: 0 to create, 1 to change, 0 to delete/);

    const before = await listVersions(token, id);
    await runWell(token, "apply", folder, "--project", id);
    const after = await listVersions(token, id);
    assert.deepEqual(
      Object.keys(after).filter((name) => after[name] !== before[name]),
      ["cookies shop-en en"],
    );
    await runWell(token, "apply", folder, "--project", id);
    assert.deepEqual(await listVersions(token, id), after, "a second apply writes nothing");

    const empty = await create(token, "projects", {
      title: "Empty",
      websiteURL: "https://other.example",
    });
    await runWell(token, "apply", folder, "--project", empty.id);
    const copied = await listVersions(token, empty.id);
    assert.deepEqual(Object.keys(copied).toSorted(), Object.keys(after).toSorted());
    await runWell(token, "plan", folder, "--project", empty.id, "--detailed-exitcode");
  });

  it("keeps comments and unchanged files when it pulls again", async (t) => {
    const { token, id } = await newShop();
    const folder = await newFolder(t);
    await runWell(token, "pull", folder, "--project", id);
    const file = join(folder, "project.yaml");
    await edit(file, "title:", "# As on the sign.\ntitle:");
    const other = join(folder, "banners/shop-fr.yaml");
    await edit(other, "name:", "# French.\nname:");
    const { mtimeMs } = await stat(other);
    await fetch(`/v1/vault/projects/${id}`, {
      method: "PATCH",
      token,
      json: { title: "New name" },
    });
    await runWell(token, "pull", folder, "--project", id);
    assert.match(await readFile(file, "utf8"), /^# As on the sign\.\ntitle: New name\n/);
    assert.equal((await stat(other)).mtimeMs, mtimeMs);
  });

  it("names who is asked again, and publishes once", async (t) => {
    const { token, id } = await newShop();
    const folder = await newFolder(t);
    await runWell(token, "pull", folder, "--project", id);
    const first = await runWell(token, "apply", folder, "--project", id, "--publish", "production");
    assert.match(first.err, /published .* as version 1 in production/);
    const { body: forms } = await fetch(`/v1/vault/processings?projectId=${id}`, { token });
    const form = forms.find(({ language }: { language: string }) => language === "en");
    const consent = await fetch(`/v1/app/consents/${id}/processings/${form.id}`, {
      json: { token: "visitor-of-the-plan", accept: true },
    });
    assert.equal(consent.status, 201, JSON.stringify(consent.body));
    await edit(
      join(folder, "consent-forms/the-kiln-letter.yaml"),
      "  - First name",
      "  - First name\n  - Address",
    );
    const plan = await runWell(token, "plan", folder, "--project", id, "--json");
    const [planned] = JSON.parse(plan.out).projects;
    assert.equal(planned.publication.asksAgain.tokens, 1);
    assert.deepEqual(planned.publication.asksAgain.items[0].additions, ["more-data"]);
    assert.deepEqual(planned.changes[0].fields, [
      { path: "personalDataTypes[Address]", after: "Address" },
    ]);
    const args = ["apply", folder, "--project", id, "--publish", "production"] as const;
    assert.match((await runWell(token, ...args)).err, /version 2 in production/);
    assert.match((await runWell(token, ...args)).err, /version 2 in production has everything/);
  });

  it("creates a project with its vendors, renames it, and deletes only with --prune", async (t) => {
    const { token } = await newUser();
    const folder = await newTree(t);
    const refused = await avow(token, "plan", folder);
    assert.equal(refused.code, 1);
    assert.match(refused.err, /There is no project “Shop”.*--create/s);
    await runWell(token, "apply", folder, "--create");
    await runWell(token, "plan", folder, "--detailed-exitcode");
    const { body: projects } = await fetch("/v1/vault/projects", { token });
    const [{ id }] = projects;
    const read = async () => (await fetch(`/v1/vault/cookies?projectId=${id}`, { token })).body;
    const [{ steps }] = await read();
    const { body: vendors } = await fetch(`/v1/vault/vendors?projectId=${id}`, { token });
    assert.deepEqual(steps[1].vendors, [vendors[0].id]);

    await edit(join(folder, "project.yaml"), "title: Shop", "title: Store\nrenamedFrom: Shop");
    await rm(join(folder, "banners/main.yaml"));
    const plan = await runWell(token, "plan", folder);
    assert.match(plan.out, /title: "Shop" → "Store"/);
    assert.match(plan.out, /keep {4}banner “main”, which has no file/);
    await runWell(token, "apply", folder);
    assert.equal((await read()).length, 1);
    await runWell(token, "apply", folder, "--prune");
    assert.equal((await read()).length, 0);
    assert.equal((await fetch("/v1/vault/projects", { token })).body.length, 1);
  });

  it("writes and applies all projects of an organization, with their shared vendors", async (t) => {
    const { token } = await newUser();
    const { id: organizationId } = await create(token, "organizations", { name: "Agency" });
    const shared = await create(token, "vendors", {
      organizationId,
      name: "matomo",
      title: "Matomo",
    });
    for (const title of ["One", "Two"]) {
      const project = await create(token, "projects", {
        title,
        websiteURL: "https://shop.example",
        organizationId,
      });
      const steps = [{ name: "stats", layout: "category", vendors: [shared.id] }];
      await create(token, "cookies", { projectId: project.id, name: "main", steps });
    }
    const folder = await newFolder(t);
    const at = ["--organization", organizationId] as const;
    await runWell(token, "pull", folder, ...at);
    assert.deepEqual(await readdir(join(folder, "projects")), ["one", "two"]);
    assert.match(
      await readFile(join(folder, "projects/two/banners/main.yaml"), "utf8"),
      /- matomo/,
    );
    await runWell(token, "plan", folder, ...at, "--detailed-exitcode");
    await mkdir(join(folder, "projects/three"));
    await writeFile(join(folder, "projects/three/project.yaml"), minimal);
    await edit(join(folder, "vendors/matomo.yaml"), "title: Matomo", "title: Matomo Cloud");
    const { out } = await runWell(token, "plan", folder, ...at);
    assert.match(out, /Plan: 1 to create, 1 to change/);
    await runWell(token, "apply", folder, ...at);
    const { body } = await fetch(`/v1/vault/projects?organizationId=${organizationId}`, { token });
    assert.deepEqual(body.map(({ title }: { title: string }) => title).toSorted(), [
      "One",
      "Shop",
      "Two",
    ]);
    await runWell(token, "plan", folder, ...at, "--detailed-exitcode");
  });

  it("stops at a document that was changed after the plan, and lists what it did", async (t) => {
    const { token, id } = await newShop();
    const folder = await newFolder(t);
    await runWell(token, "pull", folder, "--project", id);
    await edit(join(folder, "banners/shop-en.yaml"), "title: Cookies, English", "title: Mine");
    const saved = join(folder, ".plan.json");
    await runWell(token, "plan", folder, "--project", id, "--out", saved);
    const { body: all } = await fetch(`/v1/vault/cookies?projectId=${id}&name=shop-en`, { token });
    const path = `/v1/vault/cookies/${all[0].id}`;
    await fetch(path, { method: "PATCH", token, json: { country: "FR" } });
    const stale = await avow(token, "apply", folder, "--project", id, "--plan", saved);
    assert.equal(stale.code, 1);
    assert.match(stale.err, /have changed since .*\.plan\.json was written\. Plan again\./);
    assert.equal((await fetch(path, { token })).body.title, "Cookies, English");
  });

  it("lists what was changed when a later document is in conflict", async (t) => {
    const { token, id } = await newShop();
    const folder = await newFolder(t);
    await runWell(token, "pull", folder, "--project", id);
    await edit(join(folder, "project.yaml"), "title: Hearth & Clay", "title: Hearth");
    await edit(join(folder, "banners/shop-en.yaml"), "country: EU", "country: FR");
    const plan = await planNow(token, folder, id);
    const { body: all } = await fetch(`/v1/vault/cookies?projectId=${id}&name=shop-en`, { token });
    const path = `/v1/vault/cookies/${all[0].id}`;
    await fetch(path, { method: "PATCH", token, json: { title: "Theirs" } });
    await assert.rejects(plan.apply(), (error: Error) => {
      assert.equal(
        error.message,
        `Conflict: the banner “shop-en” was changed after the plan. Plan again.
Stopped after 1 of 2 changes. These were made, and stay:
  changed project “Hearth”`,
      );
      return true;
    });
    assert.equal((await fetch(path, { token })).body.title, "Theirs");
  });

  it("creates no second document of a name that was taken after the plan", async (t) => {
    const { token, id } = await newShop();
    const folder = await newFolder(t);
    await runWell(token, "pull", folder, "--project", id);
    await writeFile(join(folder, "consent-forms/poll.yaml"), "name: poll\ntitle: Poll\n");
    const plan = await planNow(token, folder, id);
    await create(token, "processings", { projectId: id, name: "poll", title: "Theirs" });
    await assert.rejects(plan.apply(), /another consent form “poll” was created after the plan/);
    const { body } = await fetch(`/v1/vault/processings?projectId=${id}&name[contains]=poll`, {
      token,
    });
    assert.deepEqual(
      body.map(({ title }: { title: string }) => title),
      ["Theirs"],
    );
  });

  it("rejects an API key without the right before it changes anything", async (t) => {
    const { token, id } = await newShop();
    const folder = await newFolder(t);
    await runWell(token, "pull", folder, "--project", id);
    const reading = await newKey(token, ["vault:read", "publish:read"], id);
    await runWell(reading, "plan", folder);
    await edit(join(folder, "project.yaml"), "websiteURL: https://shop", "websiteURL: https://new");
    const { code, err } = await avow(reading, "apply", folder, "--project", id);
    assert.equal(code, 1);
    assert.match(err, /403.*vault:write|vault:write/s);
    const blind = await avow(await newKey(token, ["stats:read"], id), "plan", folder);
    assert.equal(blind.code, 1);
    assert.match(blind.err, /vault:read/);
    const writing = await newKey(token, ["vault:read", "vault:write", "publish:read"], id);
    await runWell(writing, "apply", folder);
    assert.match(
      (await avow(writing, "apply", folder, "--publish", "production")).err,
      /publish:write/,
    );
  });

  it("runs files in TypeScript, and leaves them to their authors", async (t) => {
    const { token } = await newUser();
    const folder = await newTree(t, {
      "_shared.ts": 'export const text: string = "<p>May we?</p>";\n',
      "banners/main.ts": `import type { BannerFile } from "@avow/contract/files";
import { text } from "../_shared.ts";
export default {
  name: "main",
  steps: [{ name: "welcome", layout: "welcome", message: text }],
} satisfies BannerFile;
`,
    });
    await rm(join(folder, "banners/main.yaml"));
    await runWell(token, "apply", folder, "--create");
    await runWell(token, "plan", folder, "--detailed-exitcode");
    const { body } = await fetch("/v1/vault/cookies", { token });
    assert.equal(body[0].steps[0].message, "<p>May we?</p>");
    await fetch(`/v1/vault/cookies/${body[0].id}`, {
      method: "PATCH",
      token,
      json: { title: "x" },
    });
    const { err } = await runWell(token, "pull", folder);
    assert.match(err, /banners\/main\.ts is code: change it by hand \(title\)/);
    await writeFile(join(folder, "banners/main.ts"), "export default { name: 1n };\n");
    assert.match(
      (await avow(token, "plan", folder)).err,
      /banners\/main\.ts: \/name is no value of JSON/,
    );
    await writeFile(
      join(folder, "banners/main.ts"),
      "enum A { B }\nexport default { name: A.B };\n",
    );
    assert.match((await avow(token, "plan", folder)).err, /banners\/main\.ts: failed: /);
  });
});

describe("files of avow plan", () => {
  const cases: [string, Record<string, string>, RegExp][] = [
    [
      "an unknown field",
      { "banners/main.yaml": banner.replace("message:", "mesage:") },
      /banners\/main\.yaml:5:5: Unknown field `mesage`\. Did you mean `message`\?/,
    ],
    [
      "a wrong type",
      { "banners/main.yaml": banner.replace("layout: category", "layout: kategory") },
      /banners\/main\.yaml:7:5: \/steps\/1\/layout must be one of welcome, category/,
    ],
    [
      "a number for a text",
      { "project.yaml": minimal.replace("Shop", "3") },
      /project\.yaml:1:1: \/title must be string\./,
    ],
    [
      "a missing field",
      { "banners/main.yaml": "title: A\n" },
      /banners\/main\.yaml:1:1: The field `name` is missing/,
    ],
    [
      "two files of one document",
      { "banners/again.yaml": banner },
      /banners\/main\.yaml:1:1: The banner “main” is also in banners\/again\.yaml/,
    ],
    [
      "a name that is given twice",
      { "project.yaml": `${minimal}title: Other\n` },
      /project\.yaml:3:1: Map keys must be unique/,
    ],
    [
      "an unknown vendor",
      { "vendors/matomo.yaml": vendor.replace("matomo", "piwik") },
      /banners\/main\.yaml:9:9: There is no vendor `matomo`/,
    ],
    [
      "a rule between fields",
      { "banners/main.yaml": banner.replace("layout: category", "layout: welcome") },
      /banners\/main\.yaml:8:5: \/steps\/1\/vendors cannot be used with the layout welcome/,
    ],
    [
      "a field of the service under own",
      { "vendors/matomo.yaml": `${vendor}own:\n  title: x\n` },
      /vendors\/matomo\.yaml:5:3: `title` is a field of Avow/,
    ],
    [
      "aliases",
      { "project.yaml": `${minimal}colors: &a\n  main: red\nfonts: *a\n` },
      /project\.yaml:5:8: Aliases are not supported/,
    ],
    [
      "a tag",
      { "project.yaml": `title: !!js/function "x"\nwebsiteURL: https://shop.example\n` },
      /project\.yaml:1:8: Unresolved tag/,
    ],
    [
      "two documents",
      { "project.yaml": `${minimal}---\na: 1\n` },
      /project\.yaml:3:1: .*multiple documents/s,
    ],
    [
      "a prototype",
      { "project.yaml": `${minimal}colors:\n  __proto__: {}\n` },
      /\/colors\/__proto__ is not allowed/,
    ],
    [
      "no finite number",
      { "project.yaml": `${minimal}widgetStyle:\n  padding: .inf\n` },
      /must be a finite number/,
    ],
    [
      "a file outside of the layout",
      { "banner/main.yaml": banner, "notes.txt": "x" },
      /banner\/main\.yaml: is not in a place.*\nnotes\.txt: is no \.yaml/,
    ],
    ["a nested bomb", { "project.yaml": `a: ${"[".repeat(100_000)}` }, /project\.yaml/],
    [
      "a large file",
      { "project.yaml": `${minimal}# ${"x".repeat(1024 * 1024)}` },
      /is larger than 1 MiB/,
    ],
  ];
  for (const [what, files, expected] of cases)
    it(`rejects ${what} at its place`, async (t) => {
      const { token } = await newUser();
      const folder = await newTree(t, files);
      const client = createClient({ url: service.url, token });
      const { signal } = new AbortController();
      const target = {
        projectId: undefined,
        organizationId: undefined,
        creates: true,
        prune: false,
      };
      await assert.rejects(
        async () => planTree(client, await loadTree(folder), target, signal),
        (error) => error instanceof CommandError && expected.test(error.message),
      );
    });

  it("follows no symbolic link, when it reads and when it writes", async (t) => {
    const { token, id } = await newShop();
    const folder = await newTree(t);
    const outside = await newFolder(t);
    await writeFile(join(outside, "secret.yaml"), banner);
    await symlink(join(outside, "secret.yaml"), join(folder, "banners/link.yaml"));
    const { err } = await avow(token, "plan", folder);
    assert.match(err, /banners\/link\.yaml: is a symbolic link, which is not followed/);
    const other = await newFolder(t);
    await symlink(outside, join(other, "banners"));
    const pulled = await avow(token, "pull", other, "--project", id);
    assert.equal(pulled.code, 1);
    assert.deepEqual(await readdir(outside), ["secret.yaml"]);
  });

  it("keeps hostile names of documents inside of the folder", async (t) => {
    const { token, id } = await newShop();
    const name = "../../../evil\u001b[31m";
    await create(token, "processings", { projectId: id, name, title: "Evil" });
    const folder = await newFolder(t);
    await runWell(token, "pull", folder, "--project", id);
    assert.ok((await readdir(join(folder, "consent-forms"))).includes("evil-31m.yaml"));
    await rm(join(folder, "consent-forms/evil-31m.yaml"));
    const { out } = await runWell(token, "plan", folder, "--project", id);
    assert.ok(!out.includes("\u001b"), "no control characters in the output");
  });

  it("exits with 1 for wrong usage with --detailed-exitcode, and with 2 without", async () => {
    assert.equal((await avow("t", "plan", "--detailed-exitcode")).code, 1);
    assert.equal((await avow("t", "plan")).code, 2);
    const { code, err } = await avow("t", "plan", "6b02cd3bdcd1fade0cf7951f");
    assert.equal(code, 2);
    assert.match(err, /avow set-plan/);
  });
});

describe("examples/configuration", () => {
  const root = join(import.meta.dirname, "../../examples/configuration");

  it("has files without errors or findings, which a new project takes", async (t) => {
    const { token } = await newUser();
    await runWell(token, "apply", root, "--create");
    const { out } = await runWell(token, "plan", root, "--detailed-exitcode");
    assert.match(out, /Publish check: no findings/);
    const { body } = await fetch("/v1/vault/processings", { token });
    assert.equal(body[0].mailingList, "monthly");
    const folder = await newFolder(t);
    await runWell(token, "pull", folder);
    await runWell(token, "plan", folder, "--detailed-exitcode");
  });

  it("has a workflow that may only read the repository, with actions by their hashes", async () => {
    const text = await readFile(join(root, ".github/workflows/consent.yaml"), "utf8");
    const { permissions, jobs } = parse(text);
    assert.deepEqual(permissions, { contents: "read" });
    const steps: { uses?: string; run?: string; env?: object }[] = [
      ...jobs.plan.steps,
      ...jobs.apply.steps,
    ];
    for (const { uses } of steps) assert.match(uses ?? `a@${"0".repeat(40)}`, /@[0-9a-f]{40}$/);
    assert.ok(!steps.some(({ run }) => run?.includes("${{")), "no expression in a script");
    assert.ok(!JSON.stringify(jobs.plan).includes("AVOW_APPLY_TOKEN"));
    assert.equal(jobs.apply.environment, "production");
  });

  it("writes the plan of a pull request to its summary", async (t) => {
    const { token } = await newUser();
    const { id } = await create(token, "projects", {
      title: "Books",
      websiteURL: "https://books.example",
    });
    const temporary = await newFolder(t);
    const npx = join(temporary, "npx");
    const program = join(import.meta.dirname, "../../packages/server/commands/avow.ts");
    await writeFile(npx, `#!/bin/sh\nshift\nexec "${process.execPath}" "${program}" "$@"\n`);
    await chmod(npx, 0o755);
    const { jobs } = parse(await readFile(join(root, ".github/workflows/consent.yaml"), "utf8"));
    const { run: script } = jobs.plan.steps.find(({ name }: { name?: string }) => name === "Plan");
    const summary = join(temporary, "summary.md");
    const env = {
      ...toCaller(service.url, token),
      AVOW_PROJECT: id,
      PATH: `${temporary}:${process.env["PATH"]}`,
      RUNNER_TEMP: temporary,
      GITHUB_STEP_SUMMARY: summary,
    };
    await promisify(execFile)("bash", ["-e", "-c", script], { cwd: root, env });
    const text = await readFile(summary, "utf8");
    assert.match(text, /^### Consent configuration\n\n {4}Project/);
    assert.match(text, /title: "Books" → "Lamplight Books"/);
    assert.match(text, /Plan: 3 to create, 1 to change, 0 to delete/);
  });
});

describe("templates in files", () => {
  it("keeps open fields in the files of a template, and no template in those of a site", async (t) => {
    const template = await newTemplate();
    const { token } = template;
    const site = await newTemplateSite(template);
    const [ofTemplate, ofSite] = [await newFolder(t), await newFolder(t)];
    const run = (args: string[]) => runAvow(args, { env: toCaller(service.url, token) });
    for (const [folder, id] of [
      [ofTemplate, template.id],
      [ofSite, site],
    ] as const) {
      const pulled = await run(["pull", folder, "--project", id]);
      assert.equal(pulled.code, 0, pulled.err);
      const planned = await run(["plan", folder, "--project", id, "--detailed-exitcode"]);
      assert.equal(planned.code, 0, planned.out);
    }
    const ownBanner = join(ofTemplate, "banners", "banner.yaml");
    assert.deepEqual(parse(await readFile(ownBanner, "utf8")).openFields, [
      "/steps/welcome/message",
      "/settings/pages",
    ]);
    const project = await readFile(join(ofSite, "project.yaml"), "utf8");
    assert.doesNotMatch(project, /template/i);
    const own = join(ofSite, "banners", "banner.yaml");
    await writeFile(own, `${await readFile(own, "utf8")}\ntitle: Mine\n`);
    const applied = await run(["apply", ofSite, "--project", site, "--yes"]);
    assert.notEqual(applied.code, 0);
    assert.match(applied.err, /set by the template “House style”/);
  });
});
