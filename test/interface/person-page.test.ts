import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../harness.ts";
import { newLink, post } from "./persons.ts";
import { waitForProof } from "./proofs.ts";
import { type Site, collect, publish, readStatuses, readToken } from "./site.ts";
import { newLiveSite } from "./tickets.ts";

const unknownId = "0123456789abcdef01234567";
const french = { "accept-language": "fr-CH, en;q=0.5" };

/** A site with a token that has answered everything, and the URL of its page. */
async function newPage(): Promise<{ site: Site; url: string; consentId: string }> {
  const site = await newLiveSite();
  const vendors = { matomo: true, chat: false };
  const token = "ann";
  const sent = await collect(site, "cookies", site.cookies, {
    accept: true,
    token,
    preferences: { vendors },
  });
  await collect(site, "processings", site.processing, { accept: true, token });
  const { url } = await newLink(site, token);
  return { site, url, consentId: sent.body.consentId };
}

describe("GET /c/{projectId}/{link}", () => {
  it("shows the project, each answer, its start, and the exact words of the displayed version", async () => {
    const { site, url } = await newPage();
    const change = { method: "PATCH", token: site.token, json: { purpose: "Send more" } };
    await service.fetch(`/v1/vault/processings/${site.processing}`, change);
    await publish(site);
    const { status, body, headers } = await service.fetch(url);
    assert.equal(status, 200);
    assert.match(headers.get("content-type") ?? "", /^text\/html/);
    const text = body.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");
    for (const words of [
      /Your choices at Shop \d/,
      /Matomo Accepted since \d+ \w+ \d{4}/,
      /Chat Refused/,
      /Newsletter Use of your data (Accepted|Asked again)/,
      /texts you were shown \(version 1\).*Send news/,
      /current texts \(version 2\).*Send more/,
      /Consent statement I want the news/,
      /Terms of sale Document Not answered/,
    ])
      assert.match(text, words);
    assert.doesNotMatch(body, /: Session"/, "items that are never asked have no button");
  });

  it("is protected from caches, indexes, frames, referrers, scripts and other origins", async () => {
    const { url } = await newPage();
    const { headers, body } = await service.fetch(url);
    assert.equal(headers.get("cache-control"), "no-store");
    assert.equal(headers.get("referrer-policy"), "no-referrer");
    assert.match(headers.get("x-robots-tag") ?? "", /noindex/);
    assert.match(body, /<meta name="robots" content="noindex/);
    const policy = headers.get("content-security-policy") ?? "";
    assert.match(policy, /default-src 'none'.*form-action 'self'.*frame-ancestors 'none'/);
    assert.doesNotMatch(policy, /unsafe|script-src/);
    assert.equal(headers.get("access-control-allow-origin"), null);
    assert.doesNotMatch(body, /<script|<link|\s(src|action)="/, "no loaded resources");
    const away = [...body.matchAll(/href="(https?:[^"]*)"/g)].map(([, href]) => href);
    assert.deepEqual(
      away,
      ["https://www.edpb.europa.eu/about-edpb/about-edpb/members_en", "https://shop.example"],
      "links to the authorities and to the site only",
    );
    assert.doesNotMatch(body, /\bann\b/, "no token");
  });

  it("is in French on request, with the same content", async () => {
    const { url } = await newPage();
    const { body, headers } = await service.fetch(url, { headers: french });
    assert.match(body, /<html lang="fr">/);
    assert.match(body, /Vos choix chez Shop/);
    assert.match(body, /lang="en">Send news/);
    assert.match(headers.get("vary") ?? "", /accept-language/i);
  });

  it("returns the same 404 page for every mismatch: link, project, length, another's project", async () => {
    const { url } = await newPage();
    const other = await newLiveSite();
    const secret = url.split("/").at(-1) ?? "";
    const bodies = new Set<string>();
    for (const at of [
      `${url.slice(0, -1)}${url.endsWith("A") ? "B" : "A"}`,
      url.replace(/c\/\w+/, `c/${unknownId}`),
      url.replace(/c\/\w+/, `c/${other.id}`),
      `/c/${other.id}/x`,
      `/c/${other.id}/${"x".repeat(1_000)}`,
      `/c/${"x".repeat(100)}/${secret}`,
      `${url}/receipts/${unknownId}.pdf`,
    ]) {
      const { status, body, headers } = await service.fetch(at);
      assert.equal(status, 404, at);
      assert.equal(headers.get("cache-control"), "no-store");
      bodies.add(body);
    }
    assert.equal(bodies.size, 1);
  });

  it("shows texts that are not HTML as text", async () => {
    const site = await newLiveSite();
    const title = "<script>alert(1)</script>";
    const patch = { method: "PATCH", token: site.token, json: { title } };
    await service.fetch(`/v1/vault/processings/${site.processing}`, patch);
    await publish(site);
    await collect(site, "processings", site.processing, { accept: true, token: "ann" });
    const { url } = await newLink(site, "ann");
    const { body } = await service.fetch(url);
    assert.doesNotMatch(body, /<script/);
    assert.match(body, /&lt;script&gt;alert\(1\)/);
  });
});

describe("POST /c/{projectId}/{link}", () => {
  it("withdraws and accepts in one tap, each as a record with its origin", async () => {
    const { site, url } = await newPage();
    const { status, headers } = await post(url, { do: "refuse", identifier: site.processing });
    assert.equal(status, 303);
    const to = new URL(headers.get("location") ?? "", url);
    assert.equal(to.pathname, new URL(url).pathname);
    assert.equal(to.hash, "#saved");
    assert.equal((await readStatuses(site, "ann"))[site.processing], "withdrawn");
    await post(url, { do: "accept", identifier: site.processing });
    assert.equal((await readStatuses(site, "ann"))[site.processing], "accepted");
    const [last] = (await readToken(site, "ann")).body.history;
    assert.equal(last.url, `${service.config.http.publicUrl}/c/${site.id}`);
    assert.equal(last.grade, "browser");
    assert.equal(last.language, "en");
    assert.equal(last.version, 1);
    assert.match((await service.fetch(url)).body, /value="refuse" aria-label="Refuse: Newsletter"/);
  });

  it("changes one vendor without the others, or all at once", async () => {
    const { site, url } = await newPage();
    const vendor = (name: string) => `${site.cookies}/${name}`;
    const { cookies: identifier } = site;
    await post(url, { do: "refuse", identifier, vendor: "matomo" });
    const one = await readStatuses(site, "ann");
    assert.equal(one[vendor("matomo")], "withdrawn");
    assert.equal(one[vendor("chat")], "refused");
    const [last] = (await readToken(site, "ann")).body.history;
    assert.deepEqual([last.accept, last.preferences.vendors], [false, { matomo: false }]);
    await post(url, { do: "accept", identifier, vendor: "chat" });
    await post(url, { do: "accept", identifier, vendor: "matomo" });
    await post(url, { do: "refuse", identifier, vendor: "chat" });
    const [mixed] = (await readToken(site, "ann")).body.history;
    assert.equal(mixed.accept, true, "another vendor is still accepted");
    await post(url, { do: "refuse", identifier });
    const none = await readStatuses(site, "ann");
    assert.deepEqual([none[vendor("matomo")], none[vendor("chat")]], ["withdrawn", "withdrawn"]);
    await post(url, { do: "accept", identifier });
    assert.equal((await readStatuses(site, "ann"))[vendor("chat")], "accepted");
  });

  it("rejects items that are not asked, and bodies other than its forms", async () => {
    const { site, url } = await newPage();
    const before = (await readToken(site, "ann")).body.history.length;
    const { cookies: identifier } = site;
    for (const [form, status] of [
      [{ do: "accept", identifier: unknownId }, 404],
      [{ do: "accept", identifier, vendor: "session" }, 404],
      [{ do: "accept", identifier, vendor: "nobody" }, 404],
      [{ do: "accept" }, 400],
      [{ do: "everything", identifier }, 400],
      [{ do: "accept", identifier: "x".repeat(100) }, 400],
    ] as const) {
      const answer = await post(url, form);
      assert.equal(answer.status, status, JSON.stringify(form));
      assert.match(answer.headers.get("content-type") ?? "", /^text\/html/);
    }
    assert.equal((await service.fetch(url, { json: { do: "accept", identifier } })).status, 415);
    const long = await service.fetch(url, { form: { do: "accept", more: "x".repeat(9_000) } });
    assert.equal(long.status, 413);
    assert.equal((await readToken(site, "ann")).body.history.length, before);
  });

  it("revokes the link permanently", async () => {
    const { url } = await newPage();
    const asked = await service.fetch(`${url}?end=ask`);
    assert.equal(asked.status, 200);
    assert.match(asked.body, /Deactivate this address\?.*Nobody will be able to open this page/s);
    assert.equal((await service.fetch(url)).status, 200, "the confirmation page revokes nothing");
    const { status, body } = await post(url, { do: "end" });
    assert.equal(status, 200);
    assert.match(body, /This address is deactivated/);
    assert.equal((await service.fetch(url)).status, 404);
  });

  it("limits each link: 429 with a page, while another link works", async () => {
    const { site, url } = await newPage();
    const other = await newLink(site, "ann");
    const statuses = new Set<number>();
    for (let n = 0; n < 35; n += 1)
      statuses.add((await post(url, { do: "accept", identifier: unknownId })).status);
    assert.deepEqual([...statuses], [404, 429]);
    const late = await post(url, { do: "refuse", identifier: site.processing });
    assert.equal(late.headers.get("retry-after"), "60");
    assert.match(late.body, /Too many requests/);
    const form = { do: "refuse", identifier: site.processing };
    assert.equal((await post(other.url, form)).status, 303);
  });
});

describe("a receipt of the page", () => {
  it("is verified on a page without scripts, which names the verifier; others' receipts are not", async () => {
    const { site, url, consentId } = await newPage();
    await waitForProof(consentId, "ann");
    const listed = (await service.fetch(url)).body;
    assert.ok(listed.includes(`/check/${consentId}"`), "the history links it");
    const { status, body, headers } = await service.fetch(`${url}/check/${consentId}`);
    assert.equal(status, 200);
    assert.equal(headers.get("cache-control"), "no-store");
    assert.doesNotMatch(headers.get("content-security-policy") ?? "", /script-src/);
    const text = body.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");
    assert.match(text, /Proven: all checks passed\./);
    assert.ok(text.split("Confirmed:").length > 4, text);
    assert.doesNotMatch(text, /Failed:|Not established/);
    assert.match(text, /This service verified the receipt itself/);
    const page = await service.fetch(`${url}/check/${consentId}`, { headers: french });
    assert.match(page.body, /a vérifié lui-même le reçu/);
    const foreign = await collect(site, "processings", site.processing, {
      accept: true,
      token: "bob",
    });
    await waitForProof(foreign.body.consentId, "bob");
    assert.equal((await service.fetch(`${url}/check/${foreign.body.consentId}`)).status, 404);
    const gone = url.replace(/[^/]+$/, "x".repeat(43));
    assert.equal((await service.fetch(`${gone}/check/${consentId}`)).status, 404);
  });

  it("is available as PDF and as verified file, for the token's own consents only", async () => {
    const { site, url, consentId } = await newPage();
    await waitForProof(consentId, "ann");
    const json = await service.fetch(`${url}/receipts/${consentId}.json`);
    assert.equal(json.status, 200, JSON.stringify(json.body));
    assert.equal(json.body.consent.record.consentId, consentId);
    assert.match(json.headers.get("content-disposition") ?? "", /attachment; filename="receipt-/);
    assert.equal(json.headers.get("cache-control"), "no-store");
    const pdf = await service.fetch(`${url}/receipts/${consentId}.pdf`);
    assert.equal(pdf.headers.get("content-type"), "application/pdf");
    assert.match(pdf.body, /^%PDF-/);
    const foreign = await collect(site, "cookies", site.cookies, { accept: true, token: "bob" });
    await waitForProof(foreign.body.consentId, "bob");
    const refused = await service.fetch(`${url}/receipts/${foreign.body.consentId}.json`);
    assert.equal(refused.status, 404);
  });

  it("is not shown for another project's token of the same name", async () => {
    const { url } = await newPage();
    const other = await newLiveSite();
    const sent = await collect(other, "cookies", other.cookies, { accept: true, token: "ann" });
    await waitForProof(sent.body.consentId, "ann");
    assert.equal((await service.fetch(`${url}/receipts/${sent.body.consentId}.json`)).status, 404);
  });
});
