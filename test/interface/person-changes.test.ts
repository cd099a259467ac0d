import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../harness.ts";
import { newLink, post } from "./persons.ts";
import { type Site, collect, publish, readStatuses, readToken } from "./site.ts";
import { newLiveSite } from "./tickets.ts";

const unknownId = "019a0000-0000-7000-8000-000000000000";

/** The page of a person who accepted the newsletter and one of two vendors. */
async function newPage(): Promise<{ site: Site; url: string }> {
  const site = await newLiveSite();
  const token = "ann";
  const preferences = { vendors: { matomo: true, chat: false } };
  await collect(site, "cookies", site.cookies, { accept: true, token, preferences });
  await collect(site, "processings", site.processing, { accept: true, token });
  const { url } = await newLink(site, token);
  return { site, url };
}

/**
 * Sends a form and follows its redirect, as a browser does; returns what the page says and what can be
 * undone.
 */
async function change(url: string, form: Record<string, string>) {
  const { status, headers } = await post(url, form);
  assert.equal(status, 303);
  const { body } = await service.fetch(new URL(headers.get("location") ?? "", url).href);
  const notice = /<div class="saved" id="saved" role="status"[^>]*>(.*?)<\/div>/s.exec(body)?.[1];
  const consent = /name="consent" value="([^"]+)"/.exec(notice ?? "")?.[1];
  return { body, notice: notice?.replaceAll(/<[^>]+>/g, " ").trim(), consent };
}

describe("a change on a person's page", () => {
  it("is confirmed once after saving, with its time and in the title, and not on later reads", async () => {
    const { site, url } = await newPage();
    const form = { do: "refuse", identifier: site.cookies, vendor: "matomo" };
    const { notice, body } = await change(url, form);
    assert.match(notice ?? "", /^Saved just now, at \d\d:\d\d UTC: Matomo – Withdrawn/);
    assert.match(body, /<title>Saved · Your choices/);
    const section = body.slice(body.indexOf('id="saved"') - 600, body.indexOf('id="saved"'));
    assert.ok(section.includes(`<section id="${site.cookies}"`), "at the changed item");
    assert.doesNotMatch((await service.fetch(url)).body, /role="status"|<title>Saved/);
    const later = await change(url, { do: "accept", identifier: site.cookies });
    assert.match(later.notice ?? "", /\(2 answers\) – Accepted/);
    assert.equal(later.consent, undefined, "an accepted item has its own button");
  });

  it("that withdrew can be undone: what was in force is accepted again, and nothing else", async () => {
    const { site, url } = await newPage();
    const vendor = (name: string) => `${site.cookies}/${name}`;
    const { consent = "" } = await change(url, { do: "refuse", identifier: site.cookies });
    const refused = await readStatuses(site, "ann");
    assert.deepEqual(
      [refused[vendor("matomo")], refused[vendor("chat")]],
      ["withdrawn", "refused"],
    );
    const { notice } = await change(url, { do: "undo", consent });
    assert.match(notice ?? "", /Matomo – Accepted/);
    const undone = await readStatuses(site, "ann");
    assert.deepEqual([undone[vendor("matomo")], undone[vendor("chat")]], ["accepted", "refused"]);
    const [last] = (await readToken(site, "ann")).body.history;
    assert.deepEqual([last.accept, last.preferences.vendors], [true, { matomo: true }]);
    assert.equal((await post(url, { do: "undo", consent })).status, 404, "once");
  });

  it("can be undone for a consent form, too", async () => {
    const { site, url } = await newPage();
    const { consent = "" } = await change(url, { do: "refuse", identifier: site.processing });
    assert.equal((await readStatuses(site, "ann"))[site.processing], "withdrawn");
    await change(url, { do: "undo", consent });
    assert.equal((await readStatuses(site, "ann"))[site.processing], "accepted");
  });

  it("cannot be undone when the question has changed, or the record is unknown or another's", async () => {
    const { site, url } = await newPage();
    const json = { purpose: "Send much more", personalDataTypes: ["everything"] };
    const patch = { method: "PATCH", token: site.token, json };
    await service.fetch(`/v1/vault/processings/${site.processing}`, patch);
    await publish(site);
    assert.equal((await readStatuses(site, "ann"))[site.processing], "superseded");
    const { notice, consent } = await change(url, { do: "refuse", identifier: site.processing });
    assert.match(notice ?? "", /^Saved just now/);
    assert.equal(consent, undefined, "the accepted words differ from the present ones");
    const [last] = (await readToken(site, "ann")).body.history;
    assert.equal((await post(url, { do: "undo", consent: last.consentId })).status, 404);
    assert.equal((await post(url, { do: "undo", consent: unknownId })).status, 404);
    assert.equal((await post(url, { do: "undo" })).status, 400);
    const bobs = await collect(site, "cookies", site.cookies, { accept: false, token: "bob" });
    const others = { do: "undo", consent: bobs.body.consentId };
    assert.equal((await post(url, others)).status, 404);
    const page = await service.fetch(`${url}?saved=${bobs.body.consentId}`);
    assert.doesNotMatch(page.body, /role="status"/, "another person's record is not revealed");
  });
});

describe("unanswered items on a person's page", () => {
  /** A site that asks the same in three languages. */
  async function newTwins() {
    const site = await newLiveSite();
    const create = async (resource: string, json: object): Promise<string> => {
      const request = { token: site.token, json: { projectId: site.id, ...json } };
      const { status, body } = await service.fetch(`/v1/vault/${resource}`, request);
      assert.equal(status, 201, JSON.stringify(body));
      return body.id;
    };
    const steps = [{ name: "one", layout: "category", vendors: [{ name: "one", title: "Un" }] }];
    const french = await create("cookies", { title: "Traceurs", language: "fr", steps });
    const german = await create("cookies", { title: "Verfolger", language: "de", steps });
    await create("processings", {
      title: "Lettre",
      language: "fr-FR",
      accept: "Oui",
      purpose: "Des nouvelles",
      storageDuration: 12,
      consentWithdraw: "Par un lien",
      personalDataTypes: ["adresse"],
    });
    await publish(site);
    return { site, french, german };
  }
  const split = (body: string) => {
    const [open = "", others = ""] = body.split('<details class="others">');
    return { open, others: others.split('aria-labelledby="h-history"')[0] ?? "" };
  };

  it("are in the languages of the answers; others are collapsed, and their banner has no twin", async () => {
    const { site, french } = await newTwins();
    await collect(site, "cookies", french, { accept: true, token: "ann" });
    const { url } = await newLink(site, "ann");
    // The reader's own language does not matter.
    const headers = { "accept-language": "en" };
    const { open, others } = split((await service.fetch(url, { headers })).body);
    for (const title of ["Traceurs", "Lettre"]) assert.ok(open.includes(`>${title}</h2>`), title);
    for (const title of ["Verfolger", "Newsletter"]) {
      assert.ok(others.includes(`>${title}</h2>`), title);
      assert.ok(!open.includes(`>${title}</h2>`), title);
    }
  });

  it("are in the preferred language of a person who answered nothing", async () => {
    const { site, french } = await newTwins();
    await collect(site, "cookies", french, { accept: true, token: "ann" });
    const { url } = await newLink(site, "ann");
    // As if nobody had been asked: the token's states are deleted.
    await service.data.deleteFrom("consent_states").where("project_id", "=", site.id).execute();
    for (const [liked, title, other] of [
      ["de-AT,de;q=0.9,en;q=0.5", "Verfolger", "Traceurs"],
      ["fr", "Traceurs", "Verfolger"],
    ] as const) {
      const headers = { "accept-language": liked };
      const { open, others } = split((await service.fetch(url, { headers })).body);
      assert.ok(open.includes(`>${title}</h2>`), title);
      assert.ok(others.includes(`>${other}</h2>`), other);
    }
    const { open } = split(
      (await service.fetch(url, { headers: { "accept-language": "xx" } })).body,
    );
    for (const title of ["Traceurs", "Verfolger", "Newsletter"]) assert.ok(open.includes(title));
  });
});
