import assert from "node:assert/strict";
import { test } from "node:test";
import { paths } from "@avow/contract/urls";
import { service } from "../../../../test/harness.ts";

test("stores all fields of an event, including session and network", async () => {
  const { token, id } = await service.newUser();
  const json = { websiteURL: "https://shop.example", title: "Shop" };
  const made = await service.fetch("/v1/vault/projects", { token, json });
  const { body: sessions } = await service.fetch(paths.accessTokens, { token });
  const event = await service.db
    .selectFrom("events")
    .selectAll()
    .where("document_id", "=", made.body.id)
    .executeTakeFirstOrThrow();
  assert.equal(event.actor, id);
  assert.equal(event.token_id, sessions[0].id);
  assert.equal(event.network, "127.0.0.0/24");
  assert.equal(event.request_id, made.headers.get("x-request-id"));
});
