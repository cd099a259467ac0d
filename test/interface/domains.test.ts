import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { describe, it } from "node:test";
import { recheckDomains } from "../../packages/server/modules/vault/brands/domains.ts";
import { service } from "../harness.ts";
import { waitForMail } from "./mails.ts";
import { newLink } from "./persons.ts";
import { newReviewLink } from "./reviewing.ts";
import { collect } from "./site.ts";
import { newLiveSite } from "./tickets.ts";

const { fetch, newUser } = service;
const { port } = new URL(service.url);
const newHost = () => `consent-${crypto.randomUUID().slice(0, 8)}.avow.test`;
const domainOf = (organizationId: string) => `/v1/vault/organizations/${organizationId}/domain`;

/** A live site of an organization with a brand, and its visitor. */
async function newAgency() {
  const site = await newLiveSite();
  const { token } = site;
  const json = { name: "Agency", brand: { name: "Hearth & Clay" } };
  const { body } = await fetch("/v1/vault/organizations", { token, json });
  const organizationId: string = body.id;
  const moved = { organizationId };
  const path = `/v1/vault/projects/${site.id}`;
  assert.equal((await fetch(path, { token, method: "PATCH", json: moved })).status, 200);
  await collect(site, "cookies", site.cookies, { accept: true, token: "ann" });
  const setDomain = (host: string) =>
    fetch(domainOf(organizationId), { token, method: "PUT", json: { host } });
  const newPersonLink = async () => (await newLink(site, "ann")).url;
  return { ...site, organizationId, setDomain, newPersonLink };
}

describe("the domain of an organization", () => {
  it("starts the links to visitors' pages, review pages and invitations once it leads to the service", async () => {
    const { id, token, organizationId, setDomain, newPersonLink } = await newAgency();
    const host = newHost();
    const { status, body } = await setDomain(host);
    assert.equal(status, 200, JSON.stringify(body));
    const origin = `http://${host}:${port}`;
    assert.deepEqual([body.host, body.url, body.isFound, body.fault], [host, origin, true, null]);
    const link = new URL(await newPersonLink());
    assert.equal(link.origin, origin);
    const review = await newReviewLink(token, id, {});
    assert.equal(new URL(review.url).origin, origin);
    const email = `client-${crypto.randomUUID()}@example.org`;
    const json = { email, data: { collection: "projects", id } };
    assert.equal((await fetch("/v1/auth/invitations", { token, json })).status, 200);
    const { text = "" } = await waitForMail(email, /You are invited/);
    assert.match(text, new RegExp(`${origin}/admin/invitation\\?token=`));
    assert.match(text, new RegExp(`Sent for Hearth & Clay by the service at ${origin}\\.`));
    const headers = { host: link.host, origin, "accept-language": "en" };
    const page = await fetch(link.pathname, { headers });
    assert.equal(page.status, 200);
    const removed = await fetch(domainOf(organizationId), { token, method: "DELETE" });
    assert.equal(removed.status, 204);
    assert.equal(new URL(await newPersonLink()).origin, service.url);
    assert.equal((await fetch(domainOf(organizationId), { token })).status, 404);
  });

  it("is in no link while it leads elsewhere, and says why", async () => {
    const { setDomain, newPersonLink } = await newAgency();
    const other = createServer((_, answer) => answer.end('{"proof":"stolen"}'));
    other.listen(Number(port), "127.0.0.2");
    await once(other, "listening");
    try {
      const { body } = await setDomain("elsewhere.avow.test");
      assert.deepEqual(
        [body.isFound, body.fault],
        [false, "it answered 200, and is not this service"],
      );
    } finally {
      other.close();
    }
    const { body: secret } = await setDomain("private.avow.test");
    assert.equal(secret.fault, "its address is not of the public internet");
    assert.equal(new URL(await newPersonLink()).origin, service.url);
  });

  it("is in the links of one organization only", async () => {
    const first = await newAgency();
    const second = await newAgency();
    const host = newHost();
    assert.equal((await first.setDomain(host)).body.isFound, true);
    const { body } = await second.setDomain(host);
    assert.equal(body.fault, "another organization of this service has it");
    assert.equal(new URL(await second.newPersonLink()).origin, service.url);
    await fetch(domainOf(first.organizationId), { method: "DELETE", token: first.token });
    assert.equal((await second.setDomain(host)).body.isFound, true);
  });

  it("is checked again every day, and leaves links when it is lost", async () => {
    const { token, organizationId, setDomain, newPersonLink } = await newAgency();
    const host = newHost();
    await setDomain(host);
    const day = () => new Date(service.clock.now().getTime() + 86_400_000);
    const recheck = (answer: string) =>
      recheckDomains({
        db: service.db,
        now: day,
        publicUrl: service.url,
        secret: Buffer.from("another installation"),
        poster: {
          post: async () => ({
            status: 200,
            retryAfter: undefined,
            answer: Buffer.from(answer),
            isCut: false,
          }),
        },
      });
    await recheck('{"proof":"of an expired domain"}');
    const lost = await fetch(domainOf(organizationId), { token });
    assert.equal(lost.body.isFound, false);
    assert.equal(new URL(await newPersonLink()).origin, service.url);
    const events = await fetch(`/v1/vault/audit?organizationId=${organizationId}`, { token });
    const names = events.body.items.map(({ event }: { event: string }) => event);
    assert.ok(names.includes("domain.set") && names.includes("domain.lost"), names.join());
    assert.equal((await setDomain(host)).body.isFound, true);
  });

  it("can be set by owners only, to a host name", async () => {
    const { token, organizationId, setDomain } = await newAgency();
    const { token: stranger } = await newUser();
    const editor = await newUser();
    const path = domainOf(organizationId);
    const json = { host: newHost() };
    for (const method of ["GET", "PUT", "DELETE"] as const) {
      const given = method === "PUT" ? { json } : {};
      assert.equal((await fetch(path, { method, token: stranger, ...given })).status, 404, method);
    }
    const users = `/v1/vault/organizations/${organizationId}/users`;
    const member = { userId: editor.id, roles: ["editor"] };
    assert.equal((await fetch(users, { token, json: member })).status, 200);
    const denied = await fetch(path, { method: "PUT", token: editor.token, json });
    assert.equal(denied.status, 403);
    for (const host of ["localhost", "a.example/", "a.example:80", "A.example", "10.0.0.1", "a..b"])
      assert.equal((await setDomain(host)).status, 400, host);
  });

  it("is limited to a few checks a minute", async () => {
    const { setDomain } = await newAgency();
    const host = newHost();
    const statuses: number[] = [];
    for (let n = 0; n < 31; n += 1) statuses.push((await setDomain(host)).status);
    assert.deepEqual(statuses, [...Array.from({ length: 30 }, () => 200), 429]);
  });

  it("is confirmed to proxies that issue certificates, before it leads to the service too", async () => {
    const { setDomain } = await newAgency();
    const host = newHost();
    const ask = async () => (await fetch(`/v1/domains?domain=${host.toUpperCase()}`)).status;
    assert.equal(await ask(), 404);
    await setDomain(host);
    assert.equal(await ask(), 204);
  });
});
