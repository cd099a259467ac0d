import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { anyCharacter } from "../../../../../test/any-character.ts";
import { openConsentIds } from "../../../kernel/ids.ts";
import { toUserAgentFamily } from "../../../platform/user-agent.ts";
import { toAnswerSet, withDigest } from "./answered.ts";
import type { Offer } from "../offers/offer.ts";
import {
  type Answers,
  type RecordAnswers,
  type State,
  follow,
  itemOf,
  toStatus,
} from "./states.ts";
import { fromAnswersJson, fromItemsJson, toAnswersJson, toItemsJson } from "./states-json.ts";
import { toPrefixEnd } from "./tokens.ts";

const DAY_MS = 86_400_000;
const start = new Date("2026-01-01T00:00:00Z");

function offer(item: string, more: Partial<Offer> = {}): Offer {
  const shared = { identifier: "c", collection: "cookies", name: item, substance: "s" } as const;
  return { ...shared, item, covers: [], required: false, expiresAfterDays: 180, ...more };
}

const offering = (...all: Offer[]) =>
  ({
    identifier: "c",
    collection: "cookies",
    version: 1,
    offers: new Map(all.map((o) => [o.item, o])),
  }) as const;
const offers = offering(offer(""), offer("a"), offer("b"), offer("must", { required: true }));

function answersOf(accept: boolean, vendors?: Record<string, boolean>): Record<string, string> {
  const { answers } = toAnswerSet(offers, { accept, preferences: vendors ? { vendors } : null });
  return Object.fromEntries([...answers].map(([item, { answer }]) => [item, answer]));
}

test("answers for all vendors except required ones without a vendor map", () => {
  assert.deepEqual(answersOf(true), { "": "accepted", a: "accepted", b: "accepted" });
  assert.deepEqual(answersOf(false), { "": "refused", a: "refused", b: "refused" });
});

test("answers for exactly the offered vendors of a vendor map", () => {
  const vendors = { a: false, must: true, unknown: true, "": false };
  assert.deepEqual(answersOf(true, vendors), { "": "accepted", a: "refused" });
  assert.deepEqual(answersOf(true, {}), { "": "accepted" });
  const tricky = toAnswerSet(offering(offer("toString"), offer("__proto__")), {
    accept: true,
    preferences: { vendors: JSON.parse('{"__proto__":true}') as Record<string, boolean> },
  });
  assert.deepEqual([...tricky.answers.keys()], ["__proto__"]);
  assert.deepEqual(fromAnswersJson(toAnswersJson(tricky.answers)), tricky.answers);
});

test("a digest depends on answers and offer digests, not on names or order", () => {
  const digestOf = (...all: Offer[]) =>
    toAnswerSet(offering(...all), { accept: true, preferences: null }).digest;
  const usual = digestOf(offer("a"), offer("b"));
  assert.equal(digestOf(offer("b", { name: "other" }), offer("a")), usual);
  for (const more of [{ substance: "t" }, { expiresAfterDays: null }, { expiresAfterDays: 1 }])
    assert.notEqual(digestOf(offer("a", more), offer("b")), usual);
  assert.notEqual(digestOf(offer("a")), usual);
});

const newId = openConsentIds();

function answered(
  accepted: Record<string, boolean>,
  ms: number,
  more: Partial<Offer> = {},
): RecordAnswers {
  const createdAt = new Date(start.getTime() + ms);
  const all = offering(...Object.keys(accepted).map((item) => offer(item, more)));
  const { answers } = toAnswerSet(all, { accept: true, preferences: { vendors: accepted } });
  const shared = { projectId: "p", token: "t", identifier: "c", collection: "cookies" } as const;
  return { ...shared, id: newId(createdAt), version: 1, createdAt, answers };
}

const statusOf = (state: State | undefined, item: string, ms: number, substance = "s") =>
  toStatus(state && itemOf(state, item), { substance, covers: [] }, new Date(start.getTime() + ms));

test("status: never-asked, accepted, refused, withdrawn, expired, superseded", () => {
  const first = follow(undefined, answered({ a: true, b: false }, 0));
  assert.equal(statusOf(undefined, "a", 1), "never-asked");
  assert.equal(statusOf(first, "other", 1), "never-asked");
  assert.equal(statusOf(first, "a", 1), "accepted");
  assert.equal(statusOf(first, "b", 1), "refused");
  assert.equal(statusOf(first, "a", 180 * DAY_MS - 1), "accepted");
  assert.equal(statusOf(first, "a", 180 * DAY_MS), "expired");
  assert.equal(statusOf(first, "a", 1, "other"), "superseded");
  const item = itemOf(first, "a");
  assert.equal(
    toStatus(item, undefined, start),
    "accepted",
    "an item that is not offered keeps its answer",
  );
  const second = follow(first, answered({ a: false, b: false }, 10));
  assert.equal(statusOf(second, "a", 11), "withdrawn");
  assert.equal(statusOf(second, "b", 11), "refused");
  const third = follow(second, answered({ a: false }, 20));
  assert.equal(statusOf(third, "a", 21), "withdrawn", "still");
  assert.equal(statusOf(follow(third, answered({ a: true }, 30)), "a", 31), "accepted");
});

test("a run continues while the answer and the digest of the offer stay the same and the answer has not expired", () => {
  const sinceOf = (...all: RecordAnswers[]) => {
    const state = all.reduce<State | undefined>(follow, undefined);
    const item = state && itemOf(state, "a");
    return (item?.since.getTime() ?? 0) - start.getTime();
  };
  assert.equal(sinceOf(answered({ a: true }, 5), answered({ a: true }, 9)), 5);
  assert.equal(sinceOf(answered({ a: true }, 5), answered({ b: true }, 9)), 5);
  assert.equal(sinceOf(answered({ a: true }, 5), answered({ a: false }, 9)), 9);
  assert.equal(
    sinceOf(answered({ a: true }, 5), answered({ a: false }, 9), answered({ a: true }, 12)),
    12,
  );
  assert.equal(sinceOf(answered({ a: true }, 5), answered({ a: true }, 9, { substance: "t" })), 9);
  const late = 181 * DAY_MS;
  assert.equal(sinceOf(answered({ a: true }, 5), answered({ a: true }, late)), late);
  const never = { expiresAfterDays: null };
  assert.equal(sinceOf(answered({ a: true }, 5, never), answered({ a: true }, late, never)), 5);
});

test("a state has the same item states as its records applied one by one", () => {
  const answer = fc.dictionary(fc.constantFrom("a", "b", "c"), fc.boolean(), { minKeys: 1 });
  fc.assert(
    fc.property(fc.array(answer, { minLength: 1, maxLength: 6 }), (list) => {
      const records = list.map((accepted, n) => answered(accepted, n));
      const state = records.reduce<State | undefined>(follow, undefined);
      assert.ok(state);
      assert.equal(state.consents, records.length);
      for (const item of ["a", "b", "c"])
        assert.deepEqual(plain(itemOf(state, item)), plain(replay(records, item)));
      const written = toItemsJson(state);
      if (written) {
        const read = fromItemsJson(JSON.parse(JSON.stringify(written)) as typeof written);
        assert.deepEqual(read.answers, state.answers);
        assert.deepEqual(read.runs, state.runs);
      } else assert.equal(state.consentId, records.at(-1)?.id);
    }),
  );
});

/** The state of one item after records that are applied one by one. */
function replay(records: readonly RecordAnswers[], item: string) {
  let known: { answer: string; since: Date; consentId: string } | undefined;
  for (const { answers, id, createdAt } of records) {
    const own: Answers = new Map([...answers].filter(([name]) => name === item));
    const now = own.get(item);
    if (!now) continue;
    const same = (known?.answer === "accepted") === (now.answer === "accepted");
    const accepted = now.answer === "accepted";
    const again = known && known.answer !== "refused" ? "withdrawn" : "refused";
    known = {
      answer: accepted ? "accepted" : again,
      since: known && same ? known.since : createdAt,
      consentId: id,
    };
  }
  return known;
}

function plain(state: { answer: string; since: Date; consentId: string } | undefined) {
  return state && [state.answer, state.since.getTime(), state.consentId];
}

test("a state has the same digest as a record with the same answers", () => {
  const accepted = { a: true, b: false };
  const state = follow(follow(undefined, answered(accepted, 1)), answered(accepted, 2));
  const { digest } = withDigest(answered(accepted, 3).answers, false);
  assert.equal(withDigest(state.answers, false).digest, digest);
});

test("the end of a prefix separates the strings that begin with it from all later ones", () => {
  const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
  const texts = fc.string({ unit: anyCharacter, maxLength: 4 });
  fc.assert(
    fc.property(texts, texts, fc.boolean(), (prefix, text, joined) => {
      const token = joined ? prefix + text : text;
      const end = toPrefixEnd(prefix);
      const inside = byBytes(token, prefix) >= 0 && (end === undefined || byBytes(token, end) < 0);
      assert.equal(inside, token.startsWith(prefix));
    }),
  );
  assert.equal(toPrefixEnd(""), undefined);
  assert.equal(toPrefixEnd("\u{10ffff}"), undefined);
  assert.equal(toPrefixEnd("a\u{10ffff}"), "b");
  assert.equal(toPrefixEnd("\ud7ff"), "\ue000");
});

test("reduces a user agent to its family", () => {
  const chrome =
    "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36";
  const families: [string | undefined, string][] = [
    ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox"],
    [chrome, "Chrome"],
    [`${chrome} Edg/141.0.0.0`, "Edge"],
    [`${chrome} OPR/120.0`, "Opera"],
    [
      "Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15",
      "Safari",
    ],
    ["Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "bot"],
    ["curl/8.5.0", "curl"],
    ["node", "Node.js"],
    ["x".repeat(100_000), "other"],
    [undefined, "other"],
  ];
  for (const [header, family] of families) assert.equal(toUserAgentFamily(header), family);
});
