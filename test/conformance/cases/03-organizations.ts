import assert from "node:assert/strict";
import { type Json, assertProblem, assertStatus, toList, toText } from "../client.ts";
import { behaviour, section } from "../behaviour.ts";
import { toBanner } from "../documents.ts";
import { create, createProject, select } from "../site.ts";
import { openOwner, runId } from "../target.ts";

const address = {
  email: "office@example.com",
  country: "FR",
  line1: "1 Test Street",
  line2: "Second floor",
  city: "Paris",
  postalCode: "75001",
  isProfessional: true,
  vat: "FR00123456789",
};

section("Organizations", { isConcurrent: true }, () => {
  behaviour("accepts companyName for name, and answers both", "wire 9: Organizations", async () => {
    const { client } = await openOwner();
    const companyName = `Conformance ${runId} companyName`;
    const created = await create("organizations", { companyName });
    const read = await client.get(`/v1/vault/organizations/${toText(created["_id"])}`);
    for (const organization of [created, assertStatus(read, 200).json]) {
      assert.equal(organization["companyName"], companyName);
      assert.equal(organization["name"], companyName);
    }
  });

  behaviour(
    "accepts name, and answers companyName beside it",
    "wire 9: Organizations",
    async () => {
      const name = `Conformance ${runId} name`;
      const created = await create("organizations", { name });
      assert.equal(created["name"], name);
      assert.equal(created["companyName"], name);
    },
  );

  behaviour("requires one of the two names: 400", "wire 9: Organizations", async () => {
    const { client } = await openOwner();
    const { city } = address;
    const answer = assertProblem(await client.post("/v1/vault/organizations", { city }), 400);
    assert.match(JSON.stringify(answer.json["errors"]), /name/i);
  });

  behaviour("keeps the fields of the address as sent", "wire 9: Organizations", async () => {
    const { client } = await openOwner();
    const sent = { companyName: `Conformance ${runId} address`, ...address };
    const created = await create("organizations", sent);
    assert.deepEqual(select(created, sent), sent);
    const path = `/v1/vault/organizations/${toText(created["_id"])}`;
    assert.deepEqual(select(assertStatus(await client.get(path), 200).json, sent), sent);
    const changed = { companyName: `Conformance ${runId} moved`, city: "Lyon" };
    const { json } = assertStatus(await client.patch(path, changed), 200);
    assert.deepEqual(select(json, sent), { ...sent, ...changed });
    assert.equal(json["name"], changed.companyName);
  });

  behaviour("replaces an organization by companyName", "wire 2, 9", async () => {
    const { client } = await openOwner();
    const created = await create("organizations", { name: `Conformance ${runId} before` });
    const path = `/v1/vault/organizations/${toText(created["_id"])}`;
    const companyName = `Conformance ${runId} after`;
    const { json } = assertStatus(await client.put(path, { companyName, ...address }), 200);
    assert.equal(json["name"], companyName);
    assert.equal(json["companyName"], companyName);
    assert.deepEqual(select(json, address), address);
  });

  behaviour("deletes an organization without projects at once", "wire 9: DELETE", async () => {
    const { client } = await openOwner();
    const created = await create("organizations", { name: `Conformance ${runId} empty` });
    const path = `/v1/vault/organizations/${toText(created["_id"])}`;
    assertStatus(await client.delete(path), 204);
    assertProblem(await client.get(path), 404);
  });

  behaviour(
    "names its projects, and only these, in the 409 of a deletion",
    "wire 9: DELETE",
    async () => {
      const { client } = await openOwner();
      const organization = await create("organizations", { name: `Conformance ${runId} full` });
      const organizationId = toText(organization["_id"]);
      const title = `Conformance ${runId} of an organization`;
      const project = await createProject({ organizationId, title });
      const banner = await create("cookies", toBanner(toText(project["_id"])));
      const answer = await client.delete(`/v1/vault/organizations/${organizationId}`);
      assertProblem(answer, 409);
      const entries = Object.values(answer.json as Record<string, Json>)
        .filter((value): value is Json & readonly Json[] => Array.isArray(value))
        .flatMap((list) => toList(list));
      assert.deepEqual(
        entries.map(({ id, title: name }) => ({ id, title: name })),
        [{ id: project["_id"], title }],
        "a list with id and title of each project",
      );
      assert.ok(!answer.text.includes(toText(banner["_id"])), "a configuration is listed");
    },
  );

  behaviour("lets the rights of an organization apply to its projects", "wire 2", async () => {
    const organization = await create("organizations", { name: `Conformance ${runId} rights` });
    const organizationId = toText(organization["_id"]);
    const project = await createProject({ organizationId });
    assert.equal(project["organizationId"], organizationId);
    const { client } = await openOwner();
    const query = { organizationId };
    const { json } = assertStatus(await client.get("/v1/vault/projects", { query }), 200);
    assert.deepEqual(
      toList(json).map(({ _id }) => _id),
      [project["_id"]],
    );
  });
});
