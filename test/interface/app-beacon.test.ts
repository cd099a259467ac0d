import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { hrefOf, paths } from "@avow/contract/urls";
import { service } from "../harness.ts";
import { newSite } from "./site.ts";

const text = { "content-type": "text/plain;charset=UTF-8" };

async function countRecords(projectId: string): Promise<number> {
  const rows = await service.data
    .selectFrom("consents")
    .select("id")
    .where("project_id", "=", projectId)
    .execute();
  return rows.length;
}

async function addressesOf() {
  const { id: projectId, cookies: identifier } = await newSite();
  const item = { id: "b", collection: "cookies", identifier, accept: true, token: "t" };
  return {
    projectId,
    single: hrefOf("", paths.collect, { projectId, collection: "cookies", identifier }),
    batch: hrefOf("", paths.collectBatch, { projectId }),
    item,
  };
}

describe("beacons (JSON as text/plain, which needs no preflight)", () => {
  test("are accepted by both collection routes, with the same checks", async () => {
    const { projectId, single, batch, item } = await addressesOf();
    const send = (at: string, body: string) => service.fetch(at, { body, headers: text });
    assert.equal((await send(single, JSON.stringify({ accept: true }))).status, 201);
    const answer = await send(batch, JSON.stringify([item]));
    assert.equal(answer.status, 200);
    assert.ok(answer.body[0].consentId);
    assert.equal((await send(single, "accept=true")).status, 400);
    assert.equal((await send(single, JSON.stringify({ accept: "yes" }))).status, 400);
    assert.equal(
      (await send(single, `{"accept":true,"value":"${"x".repeat(102_400)}"}`)).status,
      413,
    );
    assert.equal(await countRecords(projectId), 2);
  });

  test("do not make these routes accept other types, nor other routes accept text/plain", async () => {
    const { single } = await addressesOf();
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const refused = await service.fetch(single, { body: "accept=true", headers: form });
    assert.equal(refused.status, 415);
    const { token } = await service.newUser();
    const other = await service.fetch("/v1/client/", { body: "{}", headers: text, token });
    assert.equal(other.status, 415);
  });
});
