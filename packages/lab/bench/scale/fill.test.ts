import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "../../instance/requests.ts";
import { rebuildStates } from "../../../server/modules/consents/erase/rebuild.ts";
import { service } from "../../../../test/harness.ts";
import { ask } from "../measure/database.ts";
import { readBenchShop } from "../measure/site.ts";
import { HEAVY, patterns, toShares } from "./answers.ts";
import { assertAlike } from "./check.ts";
import { fill, prepareFilling } from "./fill.ts";
import { setUpProjects } from "./projects.ts";
import { collectSamples } from "./samples.ts";

const CONSENTS = 12_000;

test("responses for generated visitors equal those for collected ones, and states follow from records", async (context) => {
  context.after(() => ask(service.databaseUrl, "DROP SCHEMA IF EXISTS bench CASCADE"));
  const { token } = await service.newUser();
  const client = createClient(service.url).withToken(token);
  const projects = await setUpProjects(client, await readBenchShop(), 2);
  const { databaseUrl } = service;
  await prepareFilling(databaseUrl, projects, await collectSamples(client, projects));
  const written: number[] = [];
  for (const number of [0, 1]) {
    const filling = {
      fill: number,
      consents: CONSENTS / 2,
      shares: toShares(2),
      heavies: [{ project: 1, records: 40 }],
    };
    written.push(await fill(databaseUrl, filling));
  }
  for (const records of written)
    assert.ok(Math.abs(records / (CONSENTS / 2) - 1) < 0.05, `${records} records`);
  for (const { id: projectId } of projects) {
    const { tokens, differences } = await rebuildStates(service.data, { projectId, isCheck: true });
    assert.ok(tokens > 1_000, `${tokens} tokens`);
    assert.equal(differences, 0);
  }
  const [project] = projects;
  assert.ok(project);
  const compared = await assertAlike(client, { databaseUrl, fill: 1, project, number: 1 });
  assert.ok(compared > patterns.length, `${compared} of ${HEAVY + 1} patterns and 3 forms`);
});
