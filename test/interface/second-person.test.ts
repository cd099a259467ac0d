import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { hrefOf, paths } from "@avow/contract/urls";
import { service } from "../harness.ts";
import { erase } from "./erasures.ts";
import { newLink, post } from "./persons.ts";
import { type Site, collect, newSite, readToken, share } from "./site.ts";
import { newLiveSite } from "./tickets.ts";

const DAY_MS = 86_400_000;

const setRule = (site: Pick<Site, "id">, token: string, needsSecondPerson: unknown = true) =>
  service.fetch(hrefOf("", paths.erasureRule, { id: site.id }), {
    method: "PUT",
    token,
    json: { needsSecondPerson },
  });
const listProposals = async (site: Site) =>
  (await service.fetch(hrefOf("", paths.erasureProposals, { id: site.id }), { token: site.token }))
    .body.items;
const confirm = (site: Pick<Site, "id">, proposalId: string, token: string) =>
  service.fetch(hrefOf("", paths.erasureConfirmation, { id: site.id, proposalId }), {
    method: "POST",
    token,
  });
const reject = (site: Pick<Site, "id">, proposalId: string, token: string) =>
  service.fetch(hrefOf("", paths.erasureProposal, { id: site.id, proposalId }), {
    method: "DELETE",
    token,
  });

async function newKey(token: string, scopes: string[]): Promise<string> {
  const json = { label: "eraser", scopes };
  return (await service.fetch("/v1/auth/tokens", { token, json })).body.token;
}

/** The names and details of the project's last audit events, newest first. */
async function listEvents(site: Site, limit: number) {
  const { body } = await service.fetch(`/v1/vault/audit?projectId=${site.id}&limit=${limit}`, {
    token: site.token,
  });
  return body.items.map(({ event, details }: { event: string; details: object }) => ({
    event,
    details,
  }));
}

/** A site with two owners that requires a second person, and one consent of the token `ann`. */
async function newGuarded(): Promise<{ site: Site; second: string }> {
  const site = await newLiveSite();
  const second = await share(site, "owner");
  assert.equal((await setRule(site, site.token)).status, 200);
  await collect(site, "cookies", site.cookies, { token: "ann", accept: true });
  return { site, second };
}

describe("the rule that a second person confirms erasures", () => {
  it("is changed by owners in a session only, with one audit event for each change", async () => {
    const site = await newSite();
    assert.equal((await setRule(site, site.token)).status, 422, "the project has one owner");
    await share(site, "owner");
    for (const role of ["editor", "viewer", "auditor"])
      assert.equal((await setRule(site, await share(site, role))).status, 403, role);
    const key = await newKey(site.token, ["consents:erase", "vault:write"]);
    assert.equal((await setRule(site, key)).status, 403, "a key");
    const other = await newSite();
    assert.equal((await setRule(site, other.token)).status, 404, "a stranger");
    assert.equal((await setRule(site, site.token, "yes")).status, 400);
    for (const needs of [true, true, false])
      assert.equal((await setRule(site, site.token, needs)).status, 200);
    assert.deepEqual(await listEvents(site, 2), [
      { event: "erasure-rule.changed", details: { needsSecondPerson: false } },
      { event: "erasure-rule.changed", details: { needsSecondPerson: true } },
    ]);
    const href = hrefOf("", paths.erasureRule, { id: site.id });
    const auditor = await share(site, "auditor");
    assert.deepEqual((await service.fetch(href, { token: auditor })).body, {
      needsSecondPerson: false,
    });
  });
});

describe("an erasure where a second person confirms", () => {
  it("becomes one proposal and erases nothing, also by a key", async () => {
    const { site, second } = await newGuarded();
    const { status, body } = await erase(site, "ann");
    assert.equal(status, 202, JSON.stringify(body));
    assert.equal(body.proposedBy, site.userId);
    assert.equal(Date.parse(body.expiresAt) - Date.parse(body.proposedAt), 14 * DAY_MS);
    assert.equal(body.dueAt, undefined);
    assert.equal((await readToken(site, "ann")).body.history.length, 1);
    const key = await newKey(second, ["consents:erase"]);
    const again = await erase({ id: site.id, token: key }, "ann");
    assert.equal(again.status, 202);
    assert.deepEqual(again.body, body, "the open proposal");
    assert.equal((await erase(site, "nobody")).status, 404);
    assert.deepEqual(await listProposals(site), [body]);
    const [event] = await listEvents(site, 1);
    assert.deepEqual(event, { event: "erasure.proposed", details: {} });
  });

  it("is confirmed by another owner in a session, once", async () => {
    const { site, second } = await newGuarded();
    const { body } = await erase(site, "ann");
    assert.equal((await confirm(site, body.id, site.token)).status, 403, "the same person");
    const key = await newKey(second, ["consents:erase"]);
    assert.equal((await confirm(site, body.id, key)).status, 403, "a key");
    for (const role of ["editor", "auditor"])
      assert.equal((await confirm(site, body.id, await share(site, role))).status, 403, role);
    const other = await newGuarded();
    assert.equal((await confirm(site, body.id, other.second)).status, 404, "a stranger");
    assert.equal((await confirm(other.site, body.id, other.second)).status, 404, "by its project");
    const erased = await confirm(site, body.id, second);
    assert.equal(erased.status, 200, JSON.stringify(erased.body));
    assert.equal(erased.body.count, 1);
    assert.deepEqual((await readToken(site, "ann")).body.history, []);
    assert.equal((await confirm(site, body.id, second)).status, 404, "twice");
    const [event] = await listEvents(site, 1);
    assert.deepEqual(event, {
      event: "consent.erased",
      details: { reason: "request", count: 1, proposedBy: site.userId },
    });
    assert.doesNotMatch(JSON.stringify(await listEvents(site, 20)), /\bann\b/);
  });

  it("is executed once when two owners confirm at the same time", async () => {
    const { site, second } = await newGuarded();
    const third = await share(site, "owner");
    const { body } = await erase(site, "ann");
    const answers = await Promise.all(
      [second, third, second, third].map((token) => confirm(site, body.id, token)),
    );
    const statuses = answers.map(({ status }) => status);
    assert.deepEqual(
      statuses.toSorted((a, b) => a - b),
      [200, 404, 404, 404],
    );
    const events = await listEvents(site, 20);
    const count = events.filter(({ event }: { event: string }) => event === "consent.erased");
    assert.equal(count.length, 1);
  });

  it("is rejected by any owner, also against a confirmation at the same time", async () => {
    const { site, second } = await newGuarded();
    const { body } = await erase(site, "ann");
    const editor = await share(site, "editor");
    assert.equal((await reject(site, body.id, editor)).status, 403);
    assert.equal((await reject(site, body.id, site.token)).status, 204);
    assert.equal((await confirm(site, body.id, second)).status, 404);
    assert.equal((await listEvents(site, 1))[0].event, "erasure.rejected");
    const { body: next } = await erase(site, "ann");
    const [confirmed, rejected] = await Promise.all([
      confirm(site, next.id, second),
      reject(site, next.id, site.token),
    ]);
    const isErased = confirmed.status === 200;
    assert.deepEqual([confirmed.status, rejected.status], isErased ? [200, 404] : [404, 204]);
    const { history } = (await readToken(site, "ann")).body;
    assert.equal(history.length, isErased ? 0 : 1);
  });

  it("shows when the person's own request is due, and the confirmation closes the request", async () => {
    const { site, second } = await newGuarded();
    const { url } = await newLink(site, "ann");
    await post(url, { do: "request-erasure" });
    const requests = hrefOf("", paths.erasureRequests, { id: site.id });
    const [request] = (await service.fetch(requests, { token: site.token })).body.items;
    const { body } = await erase(site, "ann");
    assert.equal(body.dueAt, request.dueAt);
    assert.equal((await confirm(site, body.id, second)).status, 200);
    assert.deepEqual((await service.fetch(requests, { token: site.token })).body.items, []);
  });

  it("expires after 14 days, and can be proposed again", async () => {
    const { site, second } = await newGuarded();
    const key = await newKey(site.token, ["consents:read", "consents:erase"]);
    const { email: username } = (await service.fetch("/v1/auth/me", { token: second })).body;
    const { body } = await erase(site, "ann");
    service.clock.advance(14 * DAY_MS + 1_000);
    assert.deepEqual(await listProposals({ ...site, token: key }), []);
    const json = { username, password: "correct horse" };
    const { token } = (await service.fetch("/v1/auth/local/signin", { json })).body;
    assert.equal((await confirm(site, body.id, token)).status, 404);
    const again = await erase({ id: site.id, token: key }, "ann");
    assert.equal(again.status, 202);
    assert.notEqual(again.body.id, body.id);
    service.clock.reset();
  });

  it("runs at once after the rule is switched off; open proposals stay", async () => {
    const { site, second } = await newGuarded();
    await collect(site, "cookies", site.cookies, { token: "bob", accept: true });
    const { body } = await erase(site, "ann");
    assert.equal((await setRule(site, site.token, false)).status, 200);
    assert.equal((await erase(site, "bob")).status, 200);
    assert.equal((await listProposals(site)).length, 1);
    assert.equal((await confirm(site, body.id, second)).status, 200);
  });
});
