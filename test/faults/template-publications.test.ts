import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { Client } from "pg";
import { openTestDatabase } from "../database.ts";
import { ada, skip, stop } from "./lifecycle/checks.ts";
import { openDataFolder, startService, waitFor } from "./lifecycle/process.ts";
import { send } from "./requests.ts";

const SITES = 30;

interface Publication {
  status: string;
  counts: Record<string, number>;
  links: { self: string };
}

suite("a publication of a template's sites", { skip }, () => {
  test("killed with its service, is completed after the next start, each site once", async (t) => {
    await using database = await openTestDatabase();
    const dataDir = await openDataFolder(t);
    const env = { DATABASE_URL: database.url };
    const killed = startService(dataDir, env);
    const address = await killed.address();
    const { token } = await send<{ token: string }>(`${address}/v1/auth/local/signup`, {
      json: ada,
    });
    const create = async (resource: string, json: object): Promise<string> =>
      (await send<{ id: string }>(`${address}/v1/vault/${resource}`, { token, json })).id;
    const organizationId = await create("organizations", { name: "Agency" });
    const project = { websiteURL: "https://site.example", title: "Site", organizationId };
    const templateId = await create("projects", { ...project, isTemplate: true });
    const steps = [{ name: "first", layout: "welcome" }];
    await create("cookies", { projectId: templateId, name: "cookies", steps });
    for (let n = 0; n < SITES; n += 1) await create("projects", { ...project, templateId });

    const path = `${address}/v1/publish/templates/${templateId}/publications`;
    const { links } = await send<Publication>(path, { token, json: {} });
    const read = () => send<Publication>(links.self, { token });
    await waitFor("a part of the sites", async () => {
      const { counts } = await read();
      return (counts["Published"] ?? 0) >= 5 ? true : undefined;
    });
    killed.kill("SIGKILL");
    await killed.ended;
    const client = new Client({ connectionString: database.url });
    await client.connect();
    const count = async (query: string): Promise<number> => {
      const { rows } = await client.query<{ count: number }>(query);
      return rows[0]?.count ?? 0;
    };
    const open = await count(
      "SELECT count(*)::int FROM template_publication_sites WHERE ended_at IS NULL",
    );
    assert.ok(open > 0 && open < SITES, `killed with ${open} sites left`);

    const service = startService(dataDir, { ...env, PORT: new URL(address).port });
    await service.address();
    const done = await waitFor("the end of the publication", async () => {
      const publication = await read();
      return publication.status === "Active" ? undefined : publication;
    });
    assert.equal(done.status, "Done");
    assert.equal(done.counts["Published"], SITES);
    const jobs = "SELECT count(*)::int FROM publish_jobs";
    assert.equal(await count(jobs), SITES, "one job for each site");
    assert.equal(await count("SELECT count(*)::int FROM publications WHERE version = 1"), SITES);
    const events = "SELECT count(*)::int FROM events WHERE name = 'template.publication-done'";
    assert.equal(await count(events), 1);
    await client.end();
    await stop(service);
  });
});
