import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { type ConsentTool, consentTools } from "@avow/contract/consent-tools";
import { toGiven } from "./adopt.ts";
import { toolFormats } from "./formats.ts";

type Stored = Readonly<Record<string, string>>;

/** The parsed answer, with the names and times in plain form. */
function read(tool: ConsentTool, text: string, others: Stored = {}) {
  const answer = toolFormats[tool].parse(text, (name) => others[name]);
  if (!answer) return undefined;
  const { given, at, isComplete = false } = answer;
  const time = at === undefined ? undefined : new Date(at).toISOString();
  return { ...Object.fromEntries(given), isComplete, at: time };
}

const time = "2026-03-04T05:06:07.089Z";
const ms = Date.parse(time);

describe("the stored answer of another consent tool", () => {
  it("is read from OneTrust's two cookies, and is none before the visitor has closed the banner", () => {
    // Format as in https://www.npmjs.com/package/@commercetools-frontend/cookie-consent
    const text =
      "isGpcEnabled=0&datestamp=Wed+Feb+01+2023+12%3A35%3A32+GMT%2B0100&version=202209.1.0&isIABGlobal=false&hosts=&consentId=7f3c&interactionCount=1&landingPath=NotLandingPage&groups=C0001%3A1%2CC0002%3A0%2CC0003%3A1%2CC0004%3A2&geolocation=AT%3B9&AwaitingReconsent=false";
    const closed = { OptanonAlertBoxClosed: time };
    const given = { C0001: true, C0002: false, C0003: true, isComplete: false, at: time };
    assert.deepEqual(read("onetrust", text, closed), given);
    assert.equal(read("onetrust", text), undefined);
    assert.equal(
      read("onetrust", text.replace("Reconsent=false", "Reconsent=true"), closed),
      undefined,
    );
  });

  it("is read from Cookiebot's cookie, unless it is implied or a placeholder", () => {
    const stamp = "Ov4gD1JVnDnBaJv8K2wYQlyWlnNlT/AKO768tibZYdQGNj/EolraLw==";
    const text = `{stamp:'${stamp}',necessary:true,preferences:false,statistics:true,marketing:false,method:'explicit',ver:1,utc:${ms},region:'gb'}`;
    const given = { necessary: true, preferences: false, statistics: true, marketing: false };
    for (const one of [text, encodeURIComponent(text)])
      assert.deepEqual(read("cookiebot", one), { ...given, isComplete: false, at: time });
    assert.equal(read("cookiebot", text.replace("explicit", "implied")), undefined);
    for (const placeholder of ["-1", "0", ""])
      assert.equal(read("cookiebot", placeholder), undefined);
  });

  it("is read from Didomi's token; a name in both lists was refused", () => {
    // The example of https://support.didomi.io/en/didomi-cookies-storage-1
    const example =
      "eyJ1c2VyX2lkIjoiMTc4NDExNGMtZjhiMy02NTkwLWE2ZGYtYjlmYjI0MGJkZWE1IiwiY3JlYXRlZCI6IjIwMjEtMDMtMTdUMTY6NDY6MzIuMzQ0WiIsInVwZGF0ZWQiOiIyMDIxLTAzLTE3VDE2OjQ2OjMyLjM0NFoiLCJ2ZW5kb3JzIjp7ImVuYWJsZWQiOlsiYW1hem9uIiwiZ29vZ2xlIiwiYzpyZXNlYXV4c28tVkZlcEtyTFIiLCJjOnBhcnRlbmFpcmUtWDlTRFdrZzIiLCJjOnBlcnNvbm5hbGktWDNWY3h6UkQiLCJjOmdvb2dsZWFuYS1oN0tjM2U3WSIsImM6cHVibGljaXRlLXRGUkY0ZDM5Il19LCJwdXJwb3NlcyI6eyJlbmFibGVkIjpbInA0ZW05YThtIiwicGFydGVuYWlyZS1jQXNEZThqQyIsIkNMLVQxUmdtNyIsIk05TlJISmUzRyIsInE0emxKcWRjRCJdfSwidmVuZG9yc19saSI6eyJlbmFibGVkIjpbImdvb2dsZSJdfSwidmVyc2lvbiI6Mn0=";
    const known = read("didomi", example);
    assert.equal(known?.at, "2021-03-17T16:46:32.344Z");
    assert.deepEqual(
      ["amazon", "c:googleana-h7Kc3e7Y", "q4zlJqdcD"].map((name) => Object(known)[name]),
      [true, true, true],
    );
    const token = {
      updated: time,
      purposes: { enabled: ["a", "b"] },
      vendors: { disabled: ["b"] },
    };
    const given = { a: true, b: false, isComplete: false, at: time };
    assert.deepEqual(read("didomi", encodeURIComponent(btoa(JSON.stringify(token)))), given);
  });

  it("is read from Usercentrics' storage of both versions, after the visitor has answered", () => {
    const answered = { uc_user_interaction: "true" };
    const three = {
      consent: { services: { HkocEodjb7: { name: "Google Analytics", consent: false } } },
    };
    assert.deepEqual(read("usercentrics", JSON.stringify(three), answered), {
      HkocEodjb7: false,
      "Google Analytics": false,
      isComplete: false,
      at: undefined,
    });
    const history = [
      { timestamp: ms - 1, status: false },
      { timestamp: ms, status: true },
    ];
    const two = { services: [{ id: "HkocEodjb7", status: true, history }] };
    assert.deepEqual(read("usercentrics", JSON.stringify(two), answered), {
      HkocEodjb7: true,
      isComplete: false,
      at: time,
    });
    assert.equal(read("usercentrics", JSON.stringify(two)), undefined);
  });

  it("is read from Axeptio's cookie once it is completed, in whichever encoding", () => {
    const stored = { $$token: "t", $$date: time, $$completed: true, hotjar: true, Bing: false };
    const given = { hotjar: true, Bing: false, isComplete: false, at: time };
    const text = JSON.stringify(stored);
    for (const one of [text, encodeURIComponent(text), text.replaceAll('"', "%22")])
      assert.deepEqual(read("axeptio", one), given);
    const open = JSON.stringify({ ...stored, $$completed: false });
    assert.equal(read("axeptio", open), undefined);
  });

  it("is read from tarteaucitron's and Klaro's cookies, which have no time", () => {
    const given = { gtag: true, youtube: false, isComplete: false, at: undefined };
    assert.deepEqual(read("tarteaucitron", "!gtag=true!youtube=false!matomo=wait"), given);
    const text = JSON.stringify({ gtag: true, youtube: false });
    for (const one of [text, encodeURIComponent(text)]) assert.deepEqual(read("klaro", one), given);
  });

  it("is read from both versions of orestbida's CookieConsent", () => {
    const two = {
      categories: ["necessary", "analytics"],
      level: ["necessary", "analytics"],
      revision: 0,
      data: null,
      rfc_cookie: false,
      consent_date: "2026-01-01T00:00:00.000Z",
      consent_uuid: "a",
      last_consent_update: time,
    };
    const given = { necessary: true, analytics: true, isComplete: true, at: time };
    assert.deepEqual(read("cookieconsent", JSON.stringify(two)), given);
    const three = {
      categories: ["necessary", "analytics"],
      revision: 0,
      consentTimestamp: "2026-01-01T00:00:00.000Z",
      services: { necessary: [], analytics: ["matomo"] },
      lastConsentTimestamp: time,
    };
    const text = encodeURIComponent(JSON.stringify(three));
    assert.deepEqual(read("cookieconsent", text), { ...given, matomo: true });
    assert.equal(read("cookieconsent", JSON.stringify({ categories: ["a"] })), undefined);
  });

  it("is read from c15t's cookie and storage, with the time of the answer", () => {
    const cookie = `c.necessary:1,c.measurement:1,i.t:${ms},i.sid:sub_1`;
    const given = { necessary: true, measurement: true };
    assert.deepEqual(read("c15t", cookie), { ...given, isComplete: true, at: time });
    const stored = { consents: { ...given, marketing: false }, consentInfo: { time: ms } };
    assert.deepEqual(read("c15t", JSON.stringify(stored)), {
      ...given,
      marketing: false,
      isComplete: false,
      at: time,
    });
    assert.equal(read("c15t", "c.necessary:1"), undefined);
    assert.equal(read("c15t", JSON.stringify({ consents: given })), undefined);
  });

  it("is booleans only, whatever a page stores under its name", () => {
    const texts = fc.oneof(
      fc.string({ maxLength: 200 }),
      fc.json(),
      fc.json().map(btoaOf),
      fc
        .record({
          categories: fc.jsonValue(),
          consent: fc.jsonValue(),
          services: fc.jsonValue(),
          consents: fc.jsonValue(),
          consentInfo: fc.record({ time: fc.jsonValue() }),
          lastConsentTimestamp: fc.jsonValue(),
          __proto__: fc.jsonValue(),
          $$completed: fc.constant(true),
        })
        .map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(fc.constantFrom(...consentTools), texts, (tool, text) => {
        try {
          const answer = toolFormats[tool].parse(text, () => "true");
          for (const [name, isOn] of answer?.given ?? []) {
            assert.equal(typeof name, "string");
            assert.equal(typeof isOn, "boolean");
          }
          assert.ok(answer?.at === undefined || Number.isFinite(answer.at));
        } catch (error) {
          // The caller ignores texts in another format.
          assert.ok(
            error instanceof SyntaxError ||
              error instanceof URIError ||
              error instanceof DOMException,
            String(error),
          );
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it("takes linear time for the longest text", () => {
    for (const tool of consentTools)
      for (const part of ["{", "!", "a:", "%", "[", "&groups=", ",c.", "a:true", '{"a":'])
        try {
          const start = performance.now();
          const text = part.repeat(16_384 / part.length);
          toolFormats[tool].parse(`${text}method:'explicit'`, () => "true");
          assert.ok(performance.now() - start < 500, `${tool} ${part}`);
        } catch (error) {
          assert.notEqual((error as Error).name, "AssertionError", String(error));
        }
  });
});

function btoaOf(text: string): string {
  return Buffer.from(text).toString("base64");
}

describe("the answers for vendors", () => {
  const every = (): boolean => true;
  const map = (
    categories: Record<string, string[]>,
    given: Record<string, boolean>,
    isComplete = false,
  ) => toGiven(categories, { given: new Map(Object.entries(given)), isComplete }, every);

  it("are those of their category; an unanswered one leaves them out", () => {
    const categories = { C2: ["matomo", "hotjar"], C4: ["meta"], C5: ["x"] };
    assert.deepEqual(map(categories, { C2: true, C4: false }), {
      matomo: true,
      hotjar: true,
      meta: false,
    });
  });

  it("are refusals for the categories that a list of accepted ones leaves out", () => {
    assert.deepEqual(map({ a: ["one"], b: ["two"] }, { a: true }, true), { one: true, two: false });
  });

  it("are acceptances only if all categories of the vendor were accepted", () => {
    const categories = { a: ["v"], b: ["v"] };
    assert.deepEqual(map(categories, { a: true, b: true }), { v: true });
    assert.deepEqual(map(categories, { a: true, b: false }), { v: false });
    assert.deepEqual(map(categories, { a: false, b: true }), { v: false });
    assert.deepEqual(map(categories, { a: true }), {});
    assert.deepEqual(map(categories, { b: true }), {});
    assert.deepEqual(map(categories, { a: false }), { v: false });
  });

  it("are only for vendors that are asked", () => {
    const given = new Map([["a", true]]);
    const answers = toGiven({ a: ["asked", "required"] }, { given }, (name) => name === "asked");
    assert.deepEqual(answers, { asked: true });
  });

  it("cannot replace members of objects", () => {
    const categories = JSON.parse('{"__proto__":["one"],"constructor":["two"]}');
    const given = map(categories, {}, true);
    assert.deepEqual(given, { one: false, two: false });
  });
});
