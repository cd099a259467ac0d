import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { sql } from "kysely";
import { hrefOf, paths } from "@avow/contract/urls";
import { service } from "../harness.ts";
import { collect, create, newSite, publish, readToken, toContract } from "./site.ts";

interface Entry {
  identifier: string;
  name: string;
  status: string;
}

describe("GET /v1/client/{id}/consents/{token}: `state`", () => {
  test("has at most 5,000 entries, and the rest behind `links.nextState`, each once", async () => {
    const site = await newSite();
    await collect(site, "contracts", site.contract, { accept: true, token: "t" });
    await sql`
      WITH s AS MATERIALIZED (
        SELECT project_id, token, lpad(n::text, 24, '0'), collection,
          jsonb_build_object('', jsonb_build_object('answer', 'accepted', 'substance', 'x', 'days', null,
            'name', 'Terms ' || n, 'since', since, 'consentId', consent_id, 'version', null)),
          since, consent_id, first_seen_at, consents
        FROM consent_states s, generate_series(1, 10100) n WHERE project_id = ${site.id}
      )
      INSERT INTO consent_states (project_id, token, identifier, collection, items, since, consent_id,
        first_seen_at, consents)
      SELECT * FROM s
    `.execute(service.data);
    const seen: string[] = [];
    const sizes: number[] = [];
    for (let next = hrefOf("", paths.clientConsents, { id: site.id, token: "t" }); next;) {
      const { status, body } = await service.fetch(next, { token: site.token });
      assert.equal(status, 200, JSON.stringify(body));
      sizes.push(body.state.length);
      seen.push(...body.state.map((entry: Entry) => entry.identifier));
      next = body.links.nextState;
    }
    assert.ok(
      sizes.every((size) => size <= 5_000),
      sizes.join(),
    );
    assert.equal(new Set(seen).size, seen.length);
    // Answered or never asked: two vendors and the processing.
    assert.equal(seen.length, 10_101 + 3);
    const bad = hrefOf("", paths.clientConsents, { id: site.id, token: "t" }, { stateCursor: "x" });
    const refused = await service.fetch(bad, { token: site.token });
    assert.equal(refused.status, 400);
    assert.match(refused.body.detail, /^\?stateCursor: .*`links\.nextState`$/);
  });

  test("names items that were answered before any publication and deleted since", async () => {
    const site = await newSite();
    await collect(site, "contracts", site.contract, { accept: true, token: "t" });
    const at = `/v1/vault/contracts/${site.contract}`;
    await service.fetch(at, { method: "DELETE", token: site.token });
    const { body } = await readToken(site, "t");
    const entry = body.state.find((e: Entry) => e.identifier === site.contract);
    assert.deepEqual([entry.name, entry.status], ["terms", "accepted"]);
  });
});

describe("the offers of a live version, which are kept in memory", () => {
  test("do not hide a configuration that was created, changed or published since", async () => {
    const site = await newSite();
    await publish(site);
    const readNames = async () => {
      const { body } = await readToken(site, "t");
      return body.state.map((entry: Entry) => entry.name).toSorted();
    };
    const live = ["Chat", "Matomo", "Newsletter", "terms"];
    for (let reading = 0; reading < 2; reading += 1) assert.deepEqual(await readNames(), live);
    const created = await create(site.token, "contracts", toContract(site.id, { name: "added" }));
    assert.deepEqual(await readNames(), ["Chat", "Matomo", "Newsletter", "added", "terms"]);
    const at = `/v1/vault/contracts/${created}`;
    const json = { name: "changed" };
    await service.fetch(at, { method: "PATCH", token: site.token, json });
    const later = ["Chat", "Matomo", "Newsletter", "changed", "terms"];
    assert.deepEqual(await readNames(), later);
    await publish(site);
    assert.deepEqual(await readNames(), later);
    await service.fetch(at, { method: "DELETE", token: site.token });
    assert.deepEqual(await readNames(), later, "it stays live");
    await publish(site);
    assert.deepEqual(await readNames(), live);
  });

  test("return the newest records beside the states, however many there are of each", async () => {
    const site = await newSite();
    await publish(site);
    for (const accept of [true, false, true]) {
      await collect(site, "contracts", site.contract, { accept, token: "t" });
      await collect(site, "processings", site.processing, { accept, token: "t" });
    }
    const { body } = await readToken(site, "t");
    assert.equal(body.history.length, 6);
    const ids = body.history.map((record: { consentId: string }) => record.consentId);
    assert.deepEqual(ids, ids.toSorted().toReversed());
    const asked = hrefOf("", paths.clientConsents, { id: site.id, token: "t" }, { limit: 1 });
    const page = await service.fetch(asked, { token: site.token });
    assert.deepEqual(page.body.history, body.history.slice(0, 1));
    assert.deepEqual(page.body.state, body.state);
    const next = await service.fetch(page.body.links.next, { token: site.token });
    assert.deepEqual(next.body.history, body.history.slice(1, 2));
    assert.deepEqual(next.body.state, body.state);
  });
});

describe("a configuration that is live but deleted in the vault", () => {
  test("is collected, displayed and asked for until its publication ends", async () => {
    const site = await newSite();
    const contract = await create(site.token, "contracts", toContract(site.id, { name: "second" }));
    await publish(site);
    for (const [resource, id] of [
      ["cookies", site.cookies],
      ["contracts", site.contract],
      ["contracts", contract],
    ])
      await service.fetch(`/v1/vault/${resource}/${id}`, { method: "DELETE", token: site.token });
    const answer = { accept: true, token: "t" };
    const kept = await collect(site, "cookies", site.cookies, answer);
    assert.equal(kept.status, 201, JSON.stringify(kept.body));
    assert.equal(kept.body.version, 1);
    assert.equal(kept.body.warnings, undefined);
    assert.equal((await collect(site, "contracts", site.contract, answer)).status, 201);
    assert.equal((await collect(site, "processings", site.cookies, answer)).status, 404);
    const state = await readState();
    assert.deepEqual(state[`${site.cookies}/matomo`], ["Matomo", "accepted"]);
    assert.deepEqual(state[site.contract], ["terms", "accepted"]);
    assert.deepEqual(state[contract], ["second", "never-asked"]);
    const asked = hrefOf("", paths.clientAccepted, { id: site.id });
    const askable = await service.fetch(asked, { token: site.token });
    const names = askable.body.map((entry: Entry) => entry.name);
    assert.ok(names.includes("second") && names.includes("Matomo"), names.join());
    await publish(site);
    assert.equal((await collect(site, "cookies", site.cookies, answer)).status, 404);
    const later = await readState();
    assert.deepEqual(later[`${site.cookies}/matomo`], ["Matomo", "accepted"]);
    assert.equal(later[contract], undefined);

    async function readState(): Promise<Record<string, [string, string]>> {
      const { body } = await readToken(site, "t");
      return Object.fromEntries(
        body.state.map((e: Entry) => [e.identifier, [e.name, e.status]] as const),
      );
    }
  });

  test("returns 404 once the project is unpublished or deleted", async () => {
    const site = await newSite();
    await publish(site);
    const contract = `/v1/vault/contracts/${site.contract}`;
    await service.fetch(contract, { method: "DELETE", token: site.token });
    const send = async () =>
      (await collect(site, "contracts", site.contract, { accept: true })).status;
    assert.equal(await send(), 201);
    const at = hrefOf("", paths.publishedProject, { projectId: site.id });
    assert.equal((await service.fetch(at, { method: "DELETE", token: site.token })).status, 204);
    assert.equal(await send(), 404);
    const gone = `/v1/vault/projects/${site.id}?confirm=${site.id}`;
    assert.equal((await service.fetch(gone, { method: "DELETE", token: site.token })).status, 204);
    assert.equal((await collect(site, "cookies", site.cookies, { accept: true })).status, 404);
  });
});
