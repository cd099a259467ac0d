import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { runAvow } from "../command.ts";
import { service } from "../harness.ts";

let folder = "";
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "avow-sites-"));
});
after(() => rm(folder, { recursive: true, force: true }));

const run = (token: string, input: string, ...options: string[]) =>
  runAvow(["sites", "create", "-", ...options], {
    env: { AVOW_TOKEN: token, AVOW_URL: service.url },
    input,
  });

async function listProjects(token: string) {
  return (await service.fetch("/v1/vault/projects?sort=title&perPage=100", { token })).body;
}

describe("avow sites create", () => {
  it("creates a project for each row, in organizations, groups and with templates, and none twice", async () => {
    const { token } = await service.newUser();
    const json = { name: "Hearth" };
    const { body: organization } = await service.fetch("/v1/vault/organizations", { token, json });
    const base = { title: "Base", isTemplate: true, organizationId: organization.id };
    const template = await service.newProject(token, base);
    const table =
      "title;websiteURL;groups;organization;template\r\nAlpha;alpha.example;Retail|North;hearth;Base\r\n;www.beta.example;;;\r\n";
    const checked = await run(token, table, "--check");
    assert.deepEqual([checked.code, checked.out], [0, ""], checked.err);
    assert.equal((await listProjects(token)).length, 1);
    const { code, out, err } = await run(token, table);
    assert.equal(code, 0, err);
    assert.match(out, /^[0-9a-f]{24}\thttps:\/\/alpha\.example\tAlpha\n/);
    const [alpha, , beta] = await listProjects(token);
    assert.deepEqual(alpha.groups, ["Retail", "North"]);
    assert.deepEqual([alpha.organizationId, alpha.templateId], [organization.id, template.id]);
    assert.deepEqual([beta.title, beta.websiteURL], ["beta.example", "https://www.beta.example"]);
    const again = await run(token, table);
    assert.deepEqual([again.code, again.out], [0, ""], again.err);
    assert.match(again.err, /the project “Alpha” \([0-9a-f]{24}\) has this address: left out/);
    // The same table has the same idempotency keys.
    const forced = await run(token, table, "--existing");
    assert.equal(forced.out, out);
    assert.equal((await listProjects(token)).length, 3);
  });

  it("leaves out a row whose project has the address with another scheme, or with a comma", async () => {
    const { token } = await service.newUser();
    await service.newProject(token, { title: "Alpha", websiteURL: "http://alpha.example" });
    await service.newProject(token, { title: "Beta", websiteURL: "https://beta.example/a,b" });
    const table = 'websiteURL\nalpha.example\n"beta.example/a,b"\n';
    const { code, out, err } = await run(token, table);
    assert.deepEqual([code, out], [0, ""], err);
    for (const title of ["Alpha", "Beta"])
      assert.match(err, new RegExp(`the project “${title}” .* has this address: left out`));
    assert.equal((await listProjects(token)).length, 2);
  });

  it("creates nothing while a row is invalid, and the valid rows on request, with a table of the others", async () => {
    const { token } = await service.newUser();
    const table = "title,websiteURL\nAlpha,alpha.example\nBeta,nowhere\n";
    const refused = await run(token, table);
    assert.equal(refused.code, 1);
    assert.match(refused.err, /Line 3: The address is not that of a website\./);
    assert.match(refused.err, /Nothing was created/);
    assert.deepEqual(await listProjects(token), []);
    const failed = join(folder, "failed.csv");
    const partly = await run(token, table, "--skip-invalid", "--failed", failed);
    assert.equal(partly.code, 1);
    assert.equal((await listProjects(token)).length, 1);
    assert.equal(
      await readFile(failed, "utf8"),
      "title,websiteURL,groups,organization,template,reason\nBeta,nowhere,,,,The address is not that of a website.\n",
    );
  });

  it("reports rows that the service rejects, and continues", async () => {
    const { token } = await service.newUser();
    const id = "0123456789abcdef01234567";
    const table = `websiteURL,organization\nalpha.example,${id}\nbeta.example,\n`;
    const { code, out, err } = await run(token, table);
    assert.equal(code, 1);
    assert.match(err, /Line 2: The service returned 422: .*names nothing that you may see/);
    assert.match(out, /\tbeta\.example\n$/);
  });

  it("exits with 1 for a text that is no table, and with 2 for wrong usage", async () => {
    const { token } = await service.newUser();
    const unknown = await run(token, "title\nA\n");
    assert.equal(unknown.code, 1);
    assert.match(unknown.err, /no column websiteURL/);
    const usage = await runAvow(["sites", "list", "x"], { env: { AVOW_TOKEN: token } });
    assert.equal(usage.code, 2);
    const help = await runAvow(["sites", "--help"]);
    assert.equal(help.code, 0);
    assert.match(help.out, /Usage: avow sites create FILE\.csv/);
  });
});
