import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { sql } from "kysely";
import { hrefOf, paths } from "@avow/contract/urls";
import { service } from "../harness.ts";
import { collect, newSite, share } from "./site.ts";

const unknownId = "0123456789abcdef01234567";

describe("GET /v1/app/consent/{projectId}?token=&service=&identifier=", () => {
  const read = (id: string, query: string, headers = {}) =>
    service.fetch(hrefOf("", paths.latestConsent, { projectId: id }) + query, { headers });

  test("returns the token's latest record, or { accept: false }", async () => {
    const site = await newSite();
    assert.deepEqual((await read(site.id, "?token=t")).body, { accept: false });
    await collect(site, "cookies", site.cookies, { accept: true, token: "t" });
    const latest = await collect(site, "cookies", site.cookies, {
      accept: false,
      token: "t",
      value: 0,
    });
    await collect(site, "processings", site.processing, { accept: true, token: "other" });
    const { status, body, headers } = await read(site.id, "?token=t", {
      origin: "https://anywhere.example",
    });
    assert.equal(status, 200);
    assert.deepEqual(body, latest.body);
    assert.equal(headers.get("cache-control"), "no-store");
    assert.equal(headers.get("access-control-allow-origin"), "*");
  });

  test("filters by `service` (the collection) and `identifier` (the configuration)", async () => {
    const site = await newSite();
    const first = await collect(site, "cookies", site.cookies, { accept: true, token: "t" });
    const second = await collect(site, "processings", site.processing, {
      accept: true,
      token: "t",
    });
    assert.deepEqual((await read(site.id, "?token=t&service=cookies")).body, first.body);
    assert.deepEqual(
      (await read(site.id, `?token=t&identifier=${site.processing}`)).body,
      second.body,
    );
    assert.deepEqual((await read(site.id, "?token=t&service=contracts")).body, { accept: false });
    assert.equal((await read(site.id, "?token=t&service=other")).status, 400);
  });

  test("returns 400 without a token, 404 for an unknown project", async () => {
    const site = await newSite();
    const { status, body } = await read(site.id, "");
    assert.equal(status, 400);
    assert.deepEqual(body.errors, [{ path: "?token", message: "is required" }]);
    assert.equal((await read(unknownId, "?token=t")).status, 404);
  });
});

describe("GET /v1/app/consents/{projectId}", () => {
  const list = (id: string, token: string | undefined, query = "") =>
    service.fetch(
      hrefOf("", paths.consents, { projectId: id }) + query,
      token === undefined ? {} : { token },
    );

  test("returns a bare array of records, newest first, with the page headers", async () => {
    const site = await newSite();
    const sent: string[] = [];
    for (let n = 0; n < 5; n += 1)
      sent.push(
        (await collect(site, "cookies", site.cookies, { accept: true, token: `t${n}` })).body
          .consentId,
      );
    const { status, body, headers } = await list(site.id, site.token);
    assert.equal(status, 200);
    assert.deepEqual(
      body.map((c: { consentId: string }) => c.consentId),
      sent.toReversed(),
    );
    assert.equal(headers.get("x-total-count"), "5");
    assert.equal(headers.get("x-per-page"), "100");
    const second = await list(site.id, site.token, "?perPage=2&page=2&sort=createdAt");
    assert.deepEqual(
      second.body.map((c: { consentId: string }) => c.consentId),
      sent.slice(2, 4),
    );
    assert.equal(second.headers.get("x-last-page"), "3");
    assert.match(second.headers.get("link") ?? "", /rel="next"/);
  });

  test("links the next page by `cursor` in the Link header, and counts no total", async () => {
    const site = await newSite();
    for (let n = 0; n < 5; n += 1) await collect(site, "cookies", site.cookies, { accept: true });
    const seen: string[] = [];
    let next: string | undefined =
      `${hrefOf(service.url, paths.consents, { projectId: site.id })}?perPage=2&cursor=`;
    for (let pages = 0; next !== undefined; pages += 1) {
      assert.ok(pages < 4);
      const { body, headers, status } = await service.fetch(next, { token: site.token });
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(headers.get("x-total-count"), null);
      seen.push(...body.map((c: { consentId: string }) => c.consentId));
      next = /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
    }
    assert.equal(seen.length, 5);
    assert.deepEqual(seen, seen.toSorted().toReversed());
    assert.equal((await list(site.id, site.token, "?cursor=nonsense")).status, 400);
    const foreign = Buffer.from('["no uuid"]').toString("base64url");
    assert.equal((await list(site.id, site.token, `?cursor=${foreign}`)).status, 400);
  });

  test("filters by `start`, `end`, `token`, `collection`, `identifier` and `accept`", async () => {
    const site = await newSite();
    // Ids never decrease, but other tests moved the clock back: begin after all of theirs.
    service.clock.advance(3 * 86_400_000);
    const first = await collect(site, "cookies", site.cookies, { accept: true, token: "a" });
    service.clock.advance(1_000);
    const second = await collect(site, "processings", site.processing, {
      accept: false,
      token: "b",
    });
    service.clock.advance(1_000);
    const third = await collect(site, "contracts", site.contract, { accept: true, token: "a" });
    service.clock.reset();
    const ids = [first, second, third].map((a) => a.body.consentId);
    const found = async (query: Record<string, string>) => {
      const { status, body } = await list(
        site.id,
        site.token,
        `?${new URLSearchParams(query).toString()}`,
      );
      assert.equal(status, 200, JSON.stringify(body));
      return body.map((c: { consentId: string }) => ids.indexOf(c.consentId));
    };
    assert.deepEqual(await found({ token: "a" }), [2, 0]);
    assert.deepEqual(await found({ collection: "processings" }), [1]);
    assert.deepEqual(await found({ identifier: site.contract }), [2]);
    assert.deepEqual(await found({ accept: "false" }), [1]);
    assert.deepEqual(await found({ start: second.body.createdAt }), [2, 1]);
    assert.deepEqual(await found({ end: second.body.createdAt }), [0]);
    assert.deepEqual(
      await found({ start: second.body.createdAt, end: third.body.createdAt, accept: "true" }),
      [],
    );
    assert.equal((await list(site.id, site.token, "?start=monday")).status, 400);
    assert.equal((await list(site.id, site.token, "?sort=token")).status, 400);
  });

  test("returns 422 that suggests the cursor for a page deeper than 100,000 records", async () => {
    const site = await newSite();
    const { status, body } = await list(site.id, site.token, "?page=1002&perPage=100");
    assert.equal(status, 422);
    assert.match(body.detail, /cursor/);
    assert.equal((await list(site.id, site.token, "?page=1001&perPage=100")).status, 200);
  });

  test("returns 403 without a token, 404 for a foreign project; viewers and auditors may read", async () => {
    const [site, other] = await Promise.all([newSite(), newSite()]);
    assert.equal((await list(site.id, undefined)).status, 403);
    assert.equal((await list(site.id, other.token)).status, 404);
    assert.equal((await list(unknownId, site.token)).status, 404);
    assert.equal((await list(site.id, await share(site, "viewer"))).status, 200);
    assert.equal((await list(site.id, await share(site, "auditor"))).status, 200);
  });

  test("does not allow every origin (CORS)", async () => {
    const site = await newSite();
    const at = hrefOf("", paths.consents, { projectId: site.id });
    const { headers } = await service.fetch(at, {
      token: site.token,
      headers: { origin: "https://anywhere.example" },
    });
    assert.equal(headers.get("access-control-allow-origin"), null);
  });

  test("scans 5,000 records for a page whose filter matches few, and links the next", async () => {
    const site = await newSite();
    const wanted = [];
    for (const accept of [true, false, true]) {
      const { body } = await collect(site, "cookies", site.cookies, { accept, token: "t" });
      if (!accept) wanted.push(body.consentId);
    }
    // Records between the two that match. They have no states, since no state is read here.
    await sql`
      INSERT INTO consents (project_id, id, token, collection, identifier, accept, answers, user_agent, created_at)
      SELECT project_id, overlay(id::text placing lpad(to_hex(n), 4, '0') from 10 for 4)::uuid, 't', collection,
        identifier, true, '{}', 'other', created_at
      FROM consents, generate_series(0, 11999) n WHERE project_id = ${site.id} AND NOT accept
      ON CONFLICT DO NOTHING
    `.execute(service.data);
    const found: string[] = [];
    let pages = 0;
    for (
      let next = hrefOf(
        "",
        paths.consents,
        { projectId: site.id },
        { accept: "false", cursor: "" },
      );
      ;
    ) {
      const answer = await service.fetch(next, { token: site.token });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      found.push(...answer.body.map((c: { consentId: string }) => c.consentId));
      pages += 1;
      const link = /<([^>]+)>; rel="next"/.exec(answer.headers.get("link") ?? "")?.[1];
      if (link === undefined) break;
      next = link;
    }
    assert.deepEqual(found, wanted);
    assert.equal(pages, 3);
  });
});
