import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { sql } from "kysely";
import { findPublishedLosses } from "../../packages/server/modules/vault/deletion/deletion-store.ts";
import { service } from "../harness.ts";
import { openExplained } from "./explained.ts";
import { publishAndWait } from "./publishing.ts";
import { type Site, collect, newSite, publishAsIs } from "./site.ts";

const { fetch } = service;

function end({ id, token }: Pick<Site, "id" | "token">, query = "") {
  return fetch(`/v1/vault/projects/${id}${query}`, { method: "DELETE", token });
}

async function stage({ id, token }: Site): Promise<void> {
  const { status } = await publishAndWait(token, id, { environment: "staging" });
  assert.equal(status, "Done");
}

async function unpublish({ id, token }: Site): Promise<void> {
  const at = `/v1/publish/projects/${id}`;
  assert.equal((await fetch(at, { method: "DELETE", token })).status, 204);
}

/** Asserts that the deletion needs a confirmation because of `losses`, and another project's id is none. */
async function assertLosses(site: Site, losses: string[]): Promise<void> {
  for (const query of ["", `?confirm=${"0".repeat(24)}`]) {
    const { status, body } = await end(site, query);
    assert.deepEqual([status, body.losses], [409, losses]);
    assert.match(body.detail, new RegExp(`To confirm, add \\?confirm=${site.id}\\.$`));
    assert.deepEqual(body.errors, [{ path: "?confirm", message: `must be ${site.id}` }]);
  }
}

describe("wire section 9: DELETE of a project asks for ?confirm={id} only where something is lost", () => {
  it("deletes a project with configurations at once, and rejects nothing for a needless confirmation", async () => {
    const [site, other] = [await newSite(), await newSite()];
    assert.equal((await end(site)).status, 204);
    assert.equal((await end(site)).status, 404);
    assert.equal((await end(other, `?confirm=${other.id}`)).status, 204);
  });

  it("asks for a confirmation while a file is published, in production or in staging", async () => {
    const site = await newSite();
    await publishAsIs(site);
    await assertLosses(site, ["production"]);
    await stage(site);
    await assertLosses(site, ["production", "staging"]);
    await unpublish(site);
    assert.equal((await end(site)).status, 204);
    const staged = await newSite();
    await stage(staged);
    await assertLosses(staged, ["staging"]);
    await unpublish(staged);
    await stage(staged);
    await assertLosses(staged, ["staging"]);
    assert.equal((await end(staged, `?confirm=${staged.id}`)).status, 204);
  });

  it("asks for a confirmation where a consent is on record", async () => {
    const site = await newSite();
    assert.equal((await collect(site, "cookies", site.cookies, { accept: false })).status, 201);
    await assertLosses(site, ["consents"]);
    assert.equal((await fetch(`/v1/vault/projects/${site.id}`, { token: site.token })).status, 200);
    assert.equal((await end(site, `?confirm=${site.id}`)).status, 204);
    assert.equal((await fetch(`/v1/vault/projects/${site.id}`, { token: site.token })).status, 404);
  });

  const explained = openExplained();
  it("checks by indexes alone", async () => {
    const { id } = await newSite();
    // The planner prefers a sequential scan of an empty partition, even where it could use an index.
    await sql`SET enable_seqscan = off`.execute(explained.db);
    await explained.db.transaction().execute((tx) => findPublishedLosses(tx, id));
    const asked = explained.queries.find((query) => query.sql.includes("publish.withdrawn"));
    assert.ok(asked);
    assert.doesNotMatch(JSON.stringify(await explained.explain(asked)), /"Node Type":"Seq Scan"/);
  });
});
