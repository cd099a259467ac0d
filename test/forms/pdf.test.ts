import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { toBundleText } from "../../packages/server/modules/evidence/reports/statement/bundle-text.ts";
import {
  openPdfMaker,
  toPdfShare,
} from "../../packages/server/modules/evidence/reports/pdf/maker.ts";
import { toPdf } from "../../packages/server/modules/evidence/reports/pdf/proof.ts";
import type { ProofBundleOut } from "../../packages/server/modules/evidence/log/schema.ts";
import type { Actor } from "../../packages/server/kernel/actor.ts";
import { Fault } from "../../packages/server/platform/errors.ts";
import { cookies, newBundle, officer, processing } from "./bundles.ts";
import { readPdf } from "./read-pdf.ts";

const read = async (bundle: ProofBundleOut, options = {}) => readPdf(await toPdf(bundle, options));

/** Normalizes white space, since line breaks depend on the width. */
const flatten = (text: string) => text.replaceAll(/\s+/g, " ");

/** A banner with one step. */
const bannerOf = (step: object) =>
  newBundle({ content: { cookies: [{ ...cookies, steps: [step] }] } });

describe("a proof as PDF", () => {
  it("shows who answered what and when, and the words that were displayed", async () => {
    const bundle = newBundle({ record: { language: "en" } });
    const { pages, text, language } = await read(bundle);
    const words = flatten(text);
    assert.equal(language, "en");
    const finding =
      /On 20 November 2026 at 10:11:12 UTC, the visitor with the token “visitor-1 é” accepted 1 and refused 1 of 3 items of “Vos choix en matière de cookies”, on the page https: ?\/\/ ?shop\.example\/\. The texts published for display were those of version 3, published by Boutique\./;
    assert.match(words, finding);
    for (const shown of [
      "Matomo — matomo.org Accepted 2027-05-19",
      "Carte — maps.example Refused 2027-05-19",
      "Session Always on, not asked",
      "Vidéo — video.example Not in this answer",
      "2026-11-20T10:11:12.345Z",
      "visitor’s clock 0.345 s behind",
      "Nous utilisons des traceurs pour savoir quelles pages sont lues.",
      "• Refuser ne change rien au site.",
      "Tout refuser",
      officer.organization,
      String(bundle.publication?.record["hash"]),
      "index 99 in a tree of 100 entries",
      `avow verify proof-${bundle.consent.record.consentId}.json`,
    ])
      assert.ok(words.includes(shown), `${shown}\n${words}`);
    for (const [at, page] of pages.entries())
      assert.ok(page.includes(`Page ${at + 1} of ${pages.length}`), page);
  });

  it("has the accepted sentence, the buttons in order, and the use of the data", async () => {
    const record = {
      collection: "processings",
      language: "en",
      value: { email: "a@shop.example" },
      answers: { "": { answer: "accepted", days: null, name: "Newsletter", substance: "x" } },
    };
    const words = flatten(
      (await read(newBundle({ record, content: { processings: [processing] } }))).text,
    );
    for (const shown of [
      "Consent statement I want the news",
      "Button Yes, please Button No, thank you",
      "Personal data email, first name",
      "Retention period 12 months",
      "How to withdraw Write to dpo@shop.example",
      '{ "email": "a@shop.example" }',
    ])
      assert.ok(words.includes(shown), `${shown}\n${words}`);
  });

  it("shows the time of display by its ticket, and the browser's signals", async () => {
    const displayed = {
      grade: "ticketed",
      displayedAt: "2026-11-20T10:10:00.000Z",
      language: "en",
    };
    const signals = { gpc: true, googleConsentMode: { ad_storage: "denied" }, tcString: null };
    const words = flatten((await read(newBundle({ record: { ...displayed, signals } }))).text);
    for (const shown of [
      "Displayed at, by its ticket 2026-11-20T10:10:00.000Z",
      "Global Privacy Control on: do not sell, share or track",
      '{ "ad_storage": "denied" }',
    ])
      assert.ok(words.includes(shown), `${shown}\n${words}`);
    assert.doesNotMatch(words, /TC string/);
    const { text } = await read(newBundle({ record: { language: "en", signals: null } }));
    assert.doesNotMatch(text, /Privacy Control|Displayed at/);
  });

  it("takes the time of an imported record from its file, and compares no clocks", async () => {
    const words = flatten(
      (await read(newBundle({ record: { language: "en", grade: "imported" } }))).text,
    );
    assert.match(words, /According to an imported file, on 20 November 2026/);
    assert.match(words, /Time in the imported file 2026-11-20T10:11:12\.345Z/);
    assert.doesNotMatch(words, /Service’s clock|Difference/);
  });

  it("writes the first of a month as French does", async () => {
    const record = { language: "fr", createdAt: "2026-01-01T10:00:00.000Z" };
    assert.match(flatten((await read(newBundle({ record }))).text), /Le 1er janvier 2026/);
  });

  it("states that nothing was published when there is no publication", async () => {
    const bundle = newBundle({ content: null, record: { language: "en", url: null } });
    const words = flatten((await read(bundle)).text);
    assert.match(words, /The texts shown are not established/);
    assert.match(words, /Controller not stated/);
    assert.match(words, /Page not stated/);
  });

  it("shows a withdrawal that followed the record", async () => {
    const states = { carte: { answer: "withdrawn" } };
    const words = flatten((await read(newBundle(), { states, language: "en" })).text);
    assert.match(words, /Carte — maps\.example Withdrawn/);
    assert.match(words, /the record itself says “refused”/);
  });

  it("names the only vendor that a record withdraws, and states nothing about the whole", async () => {
    const record = {
      answers: {
        "": { answer: "accepted", days: 180, name: cookies.title, substance: "x" },
        carte: { answer: "refused", days: 180, name: "Carte", substance: "x" },
      },
    };
    const states = { carte: { answer: "withdrawn" } };
    const bundle = newBundle({ record });
    const words = flatten((await read(bundle, { states, language: "en" })).text);
    assert.match(words, /withdrew consent to “Carte” of “Vos choix en matière de cookies”/);
    assert.match(words, /Matomo — matomo\.org Not in this answer/);
    assert.doesNotMatch(words, /\(as a whole\)| Accepted 2027/);
    const french = flatten((await read(bundle, { states, language: "fr" })).text);
    assert.match(french, /a retiré son consentement à « Carte » de « Vos choix/);
    const plain = flatten((await read(bundle, { language: "en" })).text);
    assert.match(plain, /refused “Carte” of “Vos/);
  });

  it("counts the answers of each kind when they differ", async () => {
    const answers = (given: Record<string, string>) =>
      Object.fromEntries(
        Object.entries(given).map(([name, answer]) => [
          name,
          { answer, days: 180, name, substance: "x" },
        ]),
      );
    const all = { matomo: "refused", carte: "refused", video: "refused" };
    const withdrawn = { answer: "withdrawn" };
    for (const [given, states, displayed] of [
      [{ ...all, carte: "accepted" }, {}, "accepted 1 of 3 items of"],
      [all, {}, "refused all 3 items of"],
      [all, { matomo: withdrawn }, "withdrew consent to 1 and refused 2 of 3 items of"],
      [
        all,
        { matomo: withdrawn, carte: withdrawn, video: withdrawn },
        "withdrew consent to all 3 items of",
      ],
    ] as const) {
      const bundle = newBundle({ record: { answers: answers(given) } });
      const words = flatten((await read(bundle, { states, language: "en" })).text);
      assert.ok(words.includes(displayed), `${displayed}\n${words.slice(0, 600)}`);
    }
  });

  it("claims PDF/A-3, is tagged, and attaches the bundle byte for byte", async () => {
    const bundle = newBundle();
    const bytes = await toPdf(bundle);
    const { attachments, metadata } = await readPdf(bytes);
    assert.match(metadata, /<pdfaid:part>3<\/pdfaid:part>/);
    assert.match(metadata, /<pdfaid:conformance>B<\/pdfaid:conformance>/);
    assert.match(bytes.toString("latin1"), /\/AFRelationship \/Source/);
    assert.match(bytes.toString("latin1"), /\/MarkInfo/);
    assert.equal(attachments.length, 1);
    assert.equal(Buffer.from(attachments[0]?.content ?? []).toString(), toBundleText(bundle));
  });

  it("is deterministic for a bundle, at any time", async (context) => {
    const bundle = newBundle();
    const first = await toPdf(bundle);
    context.mock.timers.enable({ apis: ["Date"], now: Date.now() + 90_061_000 });
    assert.ok(first.equals(await toPdf(bundle)));
  });
});

describe("a proof as PDF, in any script", () => {
  it("writes Greek, Cyrillic, Vietnamese, Hebrew, Devanagari, Chinese, Japanese and Korean", async () => {
    const samples = [
      "Ελληνικά",
      "Русский",
      "Việt",
      "עברית",
      "中文",
      "日本語",
      "한국어",
      "हम",
      "ไทย",
    ];
    const { text } = await read(bannerOf({ name: "x", message: samples.join(" ") }));
    for (const sample of samples) assert.ok(text.includes(sample), `${sample} in ${text}`);
  });

  it("writes invisible characters, and those without a glyph, as code points", async () => {
    const record = { language: "en", token: "a\u200bb\u0007" };
    const { text } = await read(
      newBundle({ record, content: { cookies: [{ ...cookies, title: "\u{10FFFD}" }] } }),
    );
    assert.match(text, /a⟨U\+200B⟩b⟨U\+0007⟩/);
    assert.match(text, /⟨U\+10FFFD⟩/);
  });

  it("keeps right-to-left text in order, with the words around it", async () => {
    const message = "<p>אנו משתמשים בעוגיות (cookies) 25</p>";
    const { text } = await read(bannerOf({ name: "x", message }));
    assert.ok(flatten(text).includes("cookies"));
    assert.ok(text.includes("25"));
    assert.match(text, /אנו/);
    assert.match(text, /בעוגיות/);
  });
});

describe("a long proof as PDF", () => {
  const vendors = Array.from({ length: 255 }, (_, at) => ({
    name: `vendor-${at}`,
    title: `Vendor number ${at}.`,
    shortDescription: "It counts visits. ".repeat(4),
  }));

  it("has all of 255 vendors, in the table and among the texts", async () => {
    const answers = Object.fromEntries(
      vendors.map(({ name, title }, at) => [
        name,
        { answer: at % 2 === 0 ? "accepted" : "refused", days: 180, name: title },
      ]),
    );
    const content = { cookies: [{ ...cookies, steps: [{ name: "x", vendors }] }] };
    const { text, pages } = await read(newBundle({ record: { answers, language: "en" }, content }));
    const words = flatten(text);
    assert.ok(pages.length > 10 && pages.length < 60, `${pages.length} pages`);
    for (const page of pages.filter((each) =>
      /Vendor number \d+\. *\n? *(Accepted|Refused)/.test(each),
    ))
      assert.match(page, /Purpose or vendor/);
    for (const [at, { title }] of vendors.entries()) {
      assert.ok(words.includes(`${title} ${at % 2 === 0 ? "Accepted" : "Refused"}`), title);
      assert.ok(words.includes(`Title ${title}`), title);
    }
  });

  it("is bounded, and states how much is only in the attached file", async () => {
    const long = vendors
      .slice(0, 40)
      .map((vendor) => ({ ...vendor, longDescription: "long ".repeat(4_000) }));
    const bundle = bannerOf({ name: "x", vendors: long });
    const { text, attachments } = await read(bundle, { language: "en" });
    const words = flatten(text);
    const parts = words.split("[A text of 20000 characters, too long for this document");
    assert.equal(parts.length - 1, 28);
    for (const { title } of long) assert.ok(words.includes(`Title ${title}`), title);
    assert.equal(Buffer.from(attachments[0]?.content ?? []).toString(), toBundleText(bundle));
  });

  it("breaks a text that is longer than a page over several pages", async () => {
    const message = Array.from({ length: 1_500 }, (_, at) => `word${at}`).join(" ");
    const { text, pages } = await read(bannerOf({ name: "x", message }));
    assert.ok(pages.length > 3);
    const words = flatten(text);
    for (const at of [0, 700, 1_499]) assert.ok(words.includes(`word${at} `), String(at));
  });
});

const one = { key: "somebody", keyMax: 1 };

describe("the PDF maker", () => {
  it("works on its own thread, so that this one stays free", async () => {
    await using maker = openPdfMaker();
    const bundle = newBundle();
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), 1);
    const made = await maker.make(bundle, {}, one);
    clearInterval(timer);
    assert.ok(made.equals(await toPdf(bundle)));
    assert.ok(ticks > 10, `${ticks} ticks`);
  });

  it("rejects requests beyond its queue's limit as busy, and serves those it accepted", async () => {
    await using maker = openPdfMaker({ waitersMax: 1 });
    const taken = ["a", "b"].map((key) => maker.make(newBundle(), {}, { key, keyMax: 1 }));
    await assert.rejects(maker.make(newBundle(), {}, { key: "c", keyMax: 1 }), isFault("busy"));
    for (const pdf of await Promise.all(taken)) assert.equal(pdf.toString("latin1", 0, 5), "%PDF-");
    assert.ok((await maker.make(newBundle(), {}, one)).length > 0);
  });

  it("limits each caller to a share of the queue", async () => {
    await using maker = openPdfMaker({ waitersMax: 4 });
    const visitor: Actor = { kind: "visitor" };
    const user = (userId: string): Actor => ({ kind: "user", userId, tokenId: "t" });
    const make = (actor: Actor, projectId: string) =>
      maker.make(newBundle(), {}, toPdfShare(actor, projectId));
    const crowd = [make(visitor, "a"), make(visitor, "a")];
    await assert.rejects(make(visitor, "a"), isFault("too-many"));
    const others = [make(visitor, "b"), make(user("ann"), "a"), make(user("bob"), "a")];
    await assert.rejects(make(user("ann"), "b"), isFault("too-many"));
    assert.equal((await Promise.all([...crowd, ...others])).length, 5);
    assert.ok((await make(visitor, "a")).length > 0, "a finished request frees its slot");
  });

  it("times out a slow request alone, and serves the queue on a new thread", async () => {
    const thread = new URL("./stuck-thread.ts", import.meta.url);
    await using maker = openPdfMaker({ timeoutMs: 12_000, thread });
    const stuck = { ...newBundle(), origin: "stuck.example/log" };
    const late = maker.make(stuck, {}, { key: "late", keyMax: 1 });
    const quick = ["b", "c"].map((key) => maker.make(newBundle(), {}, { key, keyMax: 1 }));
    await assert.rejects(late, isFault("busy"));
    for (const pdf of await Promise.all(quick)) assert.equal(pdf.toString("latin1", 0, 5), "%PDF-");
  });

  it("times out a request that waits too long, and serves the one before it", async () => {
    await using maker = openPdfMaker({ waitMsMax: 1 });
    const first = maker.make(newBundle(), {}, { key: "a", keyMax: 1 });
    await assert.rejects(maker.make(newBundle(), {}, { key: "b", keyMax: 1 }), isFault("busy"));
    assert.ok((await first).length > 0);
  });

  it("fails on an invalid bundle, and serves the next", async () => {
    await using maker = openPdfMaker();
    const bundle = newBundle();
    const broken = { ...bundle, consent: { ...bundle.consent, proof: "nothing" } };
    await assert.rejects(
      maker.make(broken, {}, one),
      /The proof is not in the format of this service/,
    );
    assert.ok((await maker.make(bundle, {}, one)).length > 0);
  });
});

function isFault(kind: Fault["kind"]) {
  return (error: unknown): boolean => error instanceof Fault && error.kind === kind;
}
