import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { Offer } from "./offer.ts";
import { type StateChange, toRounds, toStateChanges, toStatus } from "./states.ts";
import type { NewConsent } from "./store.ts";
import { toPrefixEnd } from "./tokens.ts";
import { toUserAgentFamily } from "../../platform/user-agent.ts";

const now = new Date("2026-01-01T00:00:00Z");

function offer(item: string, more: Partial<Offer> = {}): Offer {
  const shared = { identifier: "c", collection: "cookies", name: item, substance: "s" } as const;
  return { ...shared, item, required: false, expiresAfterDays: 180, ...more };
}

function record(more: Partial<NewConsent> = {}): NewConsent {
  return {
    projectId: "p",
    id: "1",
    clientId: null,
    token: "t",
    collection: "cookies",
    identifier: "c",
    accept: true,
    preferences: null,
    value: null,
    language: null,
    url: null,
    clientAt: null,
    country: null,
    userAgent: "other",
    version: 1,
    warnings: [],
    createdAt: now,
    ...more,
  };
}

const offering = (...all: Offer[]) => ({ offers: new Map(all.map((o) => [o.item, o])) });
const offers = offering(offer(""), offer("a"), offer("b"), offer("must", { required: true }));

function answersOf(more: Partial<NewConsent>): Record<string, boolean> {
  const changes = toStateChanges(record(more), offers);
  return Object.fromEntries(changes.map(({ item, accept }) => [item, accept]));
}

test("without a vendor map an answer is for every vendor that was asked; required ones never are", () => {
  assert.deepEqual(answersOf({ accept: true }), { "": true, a: true, b: true });
  assert.deepEqual(answersOf({ accept: false }), { "": false, a: false, b: false });
});

test("with a vendor map the answer is for exactly the offered vendors in it", () => {
  const preferences = { vendors: { a: false, must: true, unknown: true, "": false } };
  assert.deepEqual(answersOf({ accept: true, preferences }), { "": true, a: false });
  assert.deepEqual(answersOf({ accept: true, preferences: { vendors: {} } }), { "": true });
  const inherited = JSON.parse('{"vendors":{}}') as NewConsent["preferences"];
  const tricky = toStateChanges(record({ preferences: inherited }), offering(offer("toString")));
  assert.deepEqual(tricky, []);
});

test("an answer expires when its offer says so", () => {
  const [change] = toStateChanges(record(), offering(offer("", { expiresAfterDays: 2 })));
  assert.equal(change?.expiresAt?.toISOString(), "2026-01-03T00:00:00.000Z");
  const [never] = toStateChanges(record(), offering(offer("", { expiresAfterDays: null })));
  assert.equal(never?.expiresAt, null);
});

test("status: never-asked, accepted, refused, withdrawn, expired, superseded", () => {
  const state = { accept: true, accepted_before: true, substance: "s", expires_at: null };
  const refused = { ...state, accept: false };
  const same = { substance: "s" };
  assert.equal(toStatus(undefined, same, now), "never-asked");
  assert.equal(toStatus(state, same, now), "accepted");
  assert.equal(toStatus({ ...refused, accepted_before: false }, same, now), "refused");
  assert.equal(toStatus(refused, same, now), "withdrawn");
  assert.equal(toStatus({ ...state, expires_at: now }, same, now), "expired");
  assert.equal(
    toStatus({ ...state, expires_at: new Date(now.getTime() + 1) }, same, now),
    "accepted",
  );
  assert.equal(toStatus(state, { substance: "other" }, now), "superseded");
  assert.equal(
    toStatus(state, undefined, now),
    "accepted",
    "not offered any more: it keeps its status",
  );
});

interface Plain {
  accept: boolean;
  acceptedBefore: boolean;
  since: number;
}

/** What one record after another makes of a state: what the database does with a change. */
function apply(state: Plain | undefined, change: StateChange): Plain {
  const kept = state?.accept === change.accept;
  return {
    accept: change.accept,
    acceptedBefore: (state?.acceptedBefore ?? false) || change.acceptedBefore,
    since: state && kept ? state.since : change.since.getTime(),
  };
}

test("rounds leave the state that the records leave one by one, and touch a state once each", () => {
  const answers = fc.array(fc.record({ accept: fc.boolean(), token: fc.constantFrom("t", "u") }));
  fc.assert(
    fc.property(fc.array(fc.boolean()), answers, (earlier, batch) => {
      const changes = [...earlier.map((accept) => ({ accept, token: "t" })), ...batch].map(
        (given, n) => {
          const createdAt = new Date(now.getTime() + n);
          return toStateChanges(
            record({ ...given, id: String(n), createdAt }),
            offering(offer("")),
          );
        },
      );
      const before = changes.slice(0, earlier.length).flat();
      const after = changes.slice(earlier.length).flat();
      const rounds = toRounds(after);
      for (const token of ["t", "u"]) {
        const of = (list: StateChange[]) => list.filter((change) => change.token === token);
        const start = of(before).reduce<Plain | undefined>(apply, undefined);
        const expected = of(after).reduce<Plain | undefined>(apply, start);
        const written = rounds.flatMap(of).reduce<Plain | undefined>(apply, start);
        assert.deepEqual(written, expected);
        assert.ok(rounds.every((round) => of(round).length <= 1));
      }
    }),
  );
});

test("the end of a prefix lies after all that begin with it, and before all that come later", () => {
  const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
  const texts = fc.string({ unit: "binary", maxLength: 4 });
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

test("only the family of a user agent is kept", () => {
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
