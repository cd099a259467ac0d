import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../harness.ts";
import { newLink, post } from "./persons.ts";
import { type Site, collect, publish, toCookies, vendors } from "./site.ts";
import { newLiveSite } from "./tickets.ts";

const token = "ann";

async function newBannerPage(
  answers: Record<string, boolean>,
): Promise<{ site: Site; url: string }> {
  const site = await newLiveSite();
  const json = { accept: true, token, preferences: { vendors: answers } };
  const { status } = await collect(site, "cookies", site.cookies, json);
  assert.equal(status, 201);
  const { url } = await newLink(site, token);
  return { site, url };
}

/** Publishes the banner with another text. */
async function publishText(site: Site, message: string): Promise<void> {
  const steps = [{ name: "analytics", layout: "category", message, vendors }];
  const json = toCookies(site.id, { steps });
  const at = `/v1/vault/cookies/${site.cookies}`;
  const { status, body } = await service.fetch(at, { method: "PATCH", token: site.token, json });
  assert.equal(status, 200, JSON.stringify(body));
  await publish(site);
}

const toText = (html: string) => html.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");

/** The collapsed details of the page: title and content of each. */
async function readWords(url: string, language = "en") {
  const { body } = await service.fetch(url, { headers: { "accept-language": language } });
  const folds = body.matchAll(
    /<details><summary>(.*?)<\/summary>\s*<div class="words">(.*?)<\/div>/gs,
  );
  return [...folds].map(([, title, words]) => ({ title, words: toText(words ?? "") }));
}

/** The answers of the page's history, newest first. */
async function readHistory(url: string, language = "en"): Promise<string[]> {
  const { body } = await service.fetch(url, { headers: { "accept-language": language } });
  const rows = body.matchAll(/<tr><td><time.*?<\/time><\/td><td>.*?<\/td><td>(.*?)<\/td>/gs);
  return [...rows].map(([, answer]) => answer ?? "");
}

describe("the words on a person's page", () => {
  it("are those of each answer's own version: an older acceptance in force keeps its words", async () => {
    const { site, url } = await newBannerPage({ matomo: true, chat: true });
    await publishText(site, "<p>Quite other words</p>");
    const first = (await readWords(url)).find(({ title }) => title?.includes("were shown"));
    assert.equal(first?.title, "The texts you were shown (version 1)");
    assert.doesNotMatch(first.words, /other words/);
    await post(url, { do: "refuse", identifier: site.cookies, vendor: "chat" });
    const details = (await readWords(url)).filter(({ title }) => title?.includes("were shown"));
    assert.deepEqual(
      details.map(({ title }) => title),
      [
        "The texts you were shown for Chat (version 2): still current, and accepted with “Accept”",
        "The texts you were shown for Matomo (version 1)",
      ],
    );
    assert.match(details[0]?.words ?? "", /Quite other words/);
    assert.doesNotMatch(details[1]?.words ?? "", /other words/);
    assert.match(JSON.stringify(await readWords(url, "fr")), /affichés pour Matomo \(version 1\)/);
  });
});

describe("the displayed version on a person's page", () => {
  it("is the banner's content in its order, without internal names, with the widget's own buttons as published", async () => {
    const site = await newLiveSite();
    const steps = [
      { name: "analytics", layout: "category", vendors },
      { name: "more", title: "More of it", layout: "category", message: "<p>Read on</p>" },
    ];
    const json = toCookies(site.id, {
      steps,
      title: "Banner of the marketing",
      language: "fr",
      strings: { acceptAll: "D’accord" },
    });
    const at = `/v1/vault/cookies/${site.cookies}`;
    const changed = await service.fetch(at, { method: "PATCH", token: site.token, json });
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    await publish(site);
    const sent = await collect(site, "cookies", site.cookies, { accept: true, token });
    assert.equal(sent.status, 201);
    const { url } = await newLink(site, token);
    const folds = await readWords(url);
    const { words = "" } = folds.find(({ title }) => title?.includes("were shown")) ?? {};
    assert.doesNotMatch(words, /marketing/);
    assert.match(
      words,
      /Title analytics .*Matomo.*Title More of it Message Read on .*D’accord.*Tout refuser.*Enregistrer mes choix.*Je choisis/,
    );
    assert.doesNotMatch(
      words,
      /Tout accepter|Suivant|Global Privacy/,
      "content that it did not show",
    );
    const published = await service.fetch(`/cdn/${site.id}.json`);
    const { words: spoken } = published.body.widget;
    assert.equal(spoken.fr.refuseAll, "Tout refuser", "the same words are in the published file");
  });

  it("has a consent form's own buttons, or the widget's", async () => {
    const site = await newLiveSite();
    await collect(site, "processings", site.processing, { accept: true, token });
    const { url } = await newLink(site, token);
    const folds = await readWords(url);
    const { words = "" } = folds.find(({ title }) => title?.includes("were shown")) ?? {};
    assert.match(words, /Button to refuse No, thank you/);
    assert.match(words, /Withdraw my consent/);
    assert.doesNotMatch(words, /I agree/, "its sentence is its own");
  });
});

describe("the history on a person's page", () => {
  it("names what a banner's record withdrew, and counts what it accepted", async () => {
    const { site, url } = await newBannerPage({ matomo: true, chat: false });
    const { cookies: identifier } = site;
    await post(url, { do: "accept", identifier, vendor: "chat" });
    await post(url, { do: "refuse", identifier, vendor: "matomo" });
    await post(url, { do: "refuse", identifier });
    await post(url, { do: "accept", identifier });
    assert.deepEqual(await readHistory(url), [
      "Accepted: all 2",
      "Withdrawn: all 2",
      "Withdrawn: Matomo",
      "Accepted: Chat",
      "Accepted: 1 of 2",
    ]);
    assert.deepEqual((await readHistory(url, "fr")).slice(1, 3), [
      "Retiré\u00a0: les 2",
      "Retiré\u00a0: Matomo",
    ]);
  });

  it("distinguishes a refusal of never accepted items from a withdrawal, and shows forms as a whole", async () => {
    const { site, url } = await newBannerPage({ matomo: true, chat: false });
    await collect(site, "processings", site.processing, { accept: false, token });
    await collect(site, "processings", site.processing, { accept: true, token });
    await collect(site, "processings", site.processing, { accept: false, token });
    await post(url, { do: "refuse", identifier: site.cookies, vendor: "chat" });
    await collect(site, "cookies", site.cookies, { accept: false, token: "bob" });
    assert.deepEqual(await readHistory(url), [
      "Refused: Chat",
      "Withdrawn",
      "Accepted",
      "Refused",
      "Accepted: 1 of 2",
    ]);
    const bobs = await newLink(site, "bob");
    assert.deepEqual(await readHistory(bobs.url), ["Refused: all 2"]);
  });

  it("shows a record without a map of vendors as everything asked", async () => {
    const site = await newLiveSite();
    await collect(site, "cookies", site.cookies, { accept: true, token });
    const { url } = await newLink(site, token);
    assert.deepEqual(await readHistory(url), ["Accepted: all 2"]);
  });
});
