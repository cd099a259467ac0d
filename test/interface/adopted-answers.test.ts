import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { hrefOf, paths } from "@avow/contract/urls";
import { describeRecord } from "../../packages/verifier/describe.ts";
import { languages } from "../../packages/verifier/verify.ts";
import { readPdf } from "../forms/read-pdf.ts";
import { service } from "../harness.ts";
import { newLink, post } from "./persons.ts";
import { assertProven, waitForProof } from "./proofs.ts";
import { type Site, collect, publish } from "./site.ts";
import { readStats, answer } from "./stats.ts";
import { newLiveSite, newTicket, shop } from "./tickets.ts";

const token = "moved";
const imported = { from: "onetrust", answeredAt: "2026-01-02T03:04:05+01:00" };
/** The same as the service stores it. */
const stored = { from: "onetrust", answeredAt: "2026-01-02T02:04:05.000Z" };
const adopted = {
  accept: true,
  token,
  preferences: { vendors: { matomo: true, chat: false }, imported },
};

async function adopt(site: Site, more: object = {}): Promise<string> {
  const { status, body } = await collect(site, "cookies", site.cookies, { ...adopted, ...more });
  assert.equal(status, 201, JSON.stringify(body));
  return body.consentId;
}

describe("the imports of a cookie configuration", () => {
  it("name known tools and vendors, and are published as they are", async () => {
    const site = await newLiveSite();
    const at = `/v1/vault/cookies/${site.cookies}`;
    const patch = (imports: unknown) =>
      service.fetch(at, { method: "PATCH", token: site.token, json: { imports } });
    const valid = [
      { from: "klaro", categories: { "a service": ["matomo"] }, cookieName: "choices" },
    ];
    for (const wrong of [
      [{ ...valid[0], from: "another" }],
      [{ ...valid[0], categories: { a: ["not a slug"] } }],
      [{ ...valid[0], categories: { ["x".repeat(257)]: ["matomo"] } }],
      [{ ...valid[0], cookieName: "a=b;c" }],
      Array.from({ length: 13 }, () => valid[0]),
      [{ from: "klaro" }],
    ])
      assert.equal((await patch(wrong)).status, 400, JSON.stringify(wrong));
    assert.equal((await patch(valid)).status, 200);
    await publish(site);
    const { body } = await service.fetch(`/cdn/${site.id}.json`);
    assert.deepEqual(body.cookies[0].imports, valid);
  });
});

describe("an answer that a page adopted from another consent tool", () => {
  it("is imported, and the proof covers the tool and the time", async () => {
    const site = await newLiveSite();
    const record = await assertProven(await waitForProof(await adopt(site), token));
    assert.equal(record["grade"], "imported");
    assert.deepEqual((record["preferences"] as Record<string, unknown>)["imported"], stored);
    const at = hrefOf("", paths.latestConsent, { projectId: site.id }, { token });
    const latest = await service.fetch(at);
    assert.equal(latest.body.grade, "imported");
    assert.deepEqual(latest.body.preferences.imported, stored);
    assert.equal(latest.body.import, undefined);
  });

  it("has no better assurance level with a ticket, an access token, or in a batch", async () => {
    const site = await newLiveSite();
    const json = { ...adopted, ticket: await newTicket(site) };
    const ticketed = await collect(site, "cookies", site.cookies, json, { origin: shop });
    const authorization = `Bearer ${site.token}`;
    const own = await collect(site, "cookies", site.cookies, adopted, { authorization });
    const item = { id: "a-1", collection: "cookies", identifier: site.cookies, ...adopted };
    const at = hrefOf("", paths.collectBatch, { projectId: site.id });
    const batch = await service.fetch(at, { json: [item] });
    for (const body of [ticketed.body, own.body, batch.body[0]]) {
      assert.equal(body.grade, "imported", JSON.stringify(body));
      assert.equal(body.displayedAt, undefined);
    }
  });

  it("is rejected for forms, unknown tools and invalid times", async () => {
    const site = await newLiveSite();
    const send = async (preferences: object) =>
      (await collect(site, "cookies", site.cookies, { ...adopted, preferences })).status;
    assert.equal(await send({ imported: { from: "another" } }), 400);
    assert.equal(await send({ imported: {} }), 400);
    assert.equal(await send({ imported: { from: "klaro", answeredAt: "2026-02-30" } }), 400);
    for (const answeredAt of [
      "2026-12-31T23:59:60Z",
      "2026-02-30T00:00:00Z",
      "0000-01-01T00:00:00Z",
    ])
      assert.equal(await send({ imported: { from: "klaro", answeredAt } }), 400, answeredAt);
    assert.equal(await send({ imported: { from: "klaro" } }), 201);
    const form = await collect(site, "processings", site.processing, adopted);
    assert.equal(form.status, 400, JSON.stringify(form.body));
    assert.match(JSON.stringify(form.body), /\/preferences\/imported/);
  });

  it("has a warning if its time lies in the future", async () => {
    const site = await newLiveSite();
    const preferences = { imported: { from: "klaro", answeredAt: "2999-01-01T00:00:00Z" } };
    const { body } = await collect(site, "cookies", site.cookies, { ...adopted, preferences });
    assert.equal(body.warnings[0].path, "/preferences/imported/answeredAt");
  });

  it("is not counted in statistics, because nobody was asked", async () => {
    const site = await newLiveSite();
    await adopt(site);
    await answer(site, true);
    assert.equal((await readStats(site)).totals.accepted, 1);
  });

  it("is shown as such on the person's own page, until the person answers there", async () => {
    const site = await newLiveSite();
    await adopt(site);
    const { url } = await newLink(site, token);
    const read = async (language: string) => {
      const { body } = await service.fetch(url, { headers: { "accept-language": language } });
      return body.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");
    };
    const page = await read("en");
    assert.match(
      page,
      /Matomo Accepted since [^,]+(, valid until [^,]+)?, imported from OneTrust, answered on 2 January 2026/,
    );
    assert.match(page, /Accepted: 1 of 2 \(imported from OneTrust/);
    assert.match(page, /the texts you were shown are not known here/);
    assert.doesNotMatch(page, /The texts you were shown \(version/);
    assert.match(await read("fr"), /importé de OneTrust, réponse du 2 janvier 2026/);
    await post(url, { do: "refuse", identifier: site.cookies, vendor: "matomo" });
    const changed = await read("en");
    assert.match(changed, /Matomo Withdrawn since \d+ \w+ \d{4} Refused Accept/);
    assert.match(changed, /Chat Refused since [^,]+, imported from OneTrust/);
  });

  it("is shown as such in the PDF, in JSON-LD, and by the verifier", async () => {
    const site = await newLiveSite();
    const consentId = await adopt(site);
    const bundle = await waitForProof(consentId, token);
    const at = (query: Record<string, string>) =>
      hrefOf(service.url, paths.proof, { consentId }, { token, ...query });
    const readText = async (language: string) => {
      const response = await fetch(at({ format: "pdf", language }));
      const { text } = await readPdf(Buffer.from(await response.arrayBuffer()));
      return text.replaceAll(/[\s\u2068\u2069]+/g, " ");
    };
    const pdf = await readText("en");
    assert.match(
      pdf,
      /According to the answer to OneTrust that was stored in the browser, as read on/,
    );
    assert.match(pdf, /imported — the answer to another consent tool/);
    assert.match(pdf, /OneTrust 2026-01-02T02:04:05\.000Z/);
    assert.match(pdf, /they were not shown/);
    assert.match(
      await readText("fr"),
      /D’après la réponse à OneTrust conservée dans le navigateur/,
    );
    const jsonLd = JSON.stringify(await (await fetch(at({ format: "jsonld" }))).json());
    assert.match(jsonLd, /"dpv:isIndicatedAtTime":"2026-01-02T02:04:05.000Z"/);
    assert.doesNotMatch(jsonLd, /importedFileClock":"|dpv:ExpressedConsent/);
    const rows = describeRecord(bundle.consent.record, languages.en);
    const level = rows.find(({ label }) => label === languages.en.fields["grade"]);
    assert.match(level?.value ?? "", /answer to another consent tool/);
    assert.ok(!rows.some(({ label }) => label === languages.en.importedAt));
  });
});
