import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { parseJson } from "../../packages/verifier/formats/json.ts";
import { parseVerifierKey } from "../../packages/verifier/formats/verifier-key.ts";
import { verifyBundle } from "../../packages/verifier/verify.ts";
import { TestLog, newBundle, newKey } from "./log.ts";

// A bundle with every optional part: two keys of the log, a witness and a consistency proof.
const origin = "consent.example/log";
const log = new TestLog(origin, [newKey(origin), newKey(origin), newKey("witness.example", 0x04)]);
const { bundle: plain } = newBundle(log);
const bundle = { ...plain, consistency: [log.consistency(6)] };
const [key] = log.keys;
const trust = {
  trustedKeys: [await parseVerifierKey(key?.text ?? "")],
  checkpoint: log.checkpoint(6),
};
const texts = {
  compact: JSON.stringify(bundle),
  indented: JSON.stringify(bundle, null, 2),
  // All characters beyond ASCII, and every letter i, as escapes.
  escaped: JSON.stringify(bundle).replaceAll(
    /[i\u0080-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  ),
};

const isProven = async (source: Uint8Array | string): Promise<boolean> =>
  (await verifyBundle(source, trust)).verdict === "proven";

/** The path of every string, number, word and name in a value. */
function listPaths(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [path];
  const inside = Object.entries(value).flatMap(([name, item]) => listPaths(item, [...path, name]));
  return inside.length > 0 ? inside : [path];
}

/** Returns the bundle with the value at one path changed. */
function change(
  value: unknown,
  [name, ...rest]: string[],
  to: (value: unknown) => unknown,
): unknown {
  if (name === undefined) return to(value);
  const members = value as Record<string, unknown>;
  const changed = change(members[name], rest, to);
  return Array.isArray(value)
    ? value.map((item: unknown, at) => (String(at) === name ? changed : item))
    : { ...members, [name]: changed };
}

/** Returns the bundle with one member renamed. */
function rename(value: unknown, [name = "", ...rest]: string[], to: string): unknown {
  const members = value as Record<string, unknown>;
  if (rest.length > 0) return change(value, [name], (inner) => rename(inner, rest, to));
  return Object.fromEntries(Object.entries(members).map(([n, v]) => [n === name ? to : n, v]));
}

function flip(text: string, at: number, bit: number): string {
  const code = text.charCodeAt(at) ^ (1 << bit);
  return text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1);
}

describe("one bit changed in a bundle", () => {
  it("never makes an unchanged bundle fail", async () => {
    for (const text of Object.values(texts)) assert.ok(await isProven(text));
  });

  it("fails in every value", async () => {
    const places = listPaths(bundle);
    assert.ok(places.length > 40);
    for (const place of places) {
      const changes: ((value: unknown) => unknown)[] = [
        (value) => {
          if (typeof value === "string") return flip(value === "" ? "\u0000" : value, 0, 0);
          if (typeof value === "number") return value ^ 1;
          if (typeof value === "boolean") return !value;
          return value === null ? 0 : null;
        },
        (value) => (typeof value === "string" ? flip(`${value} `, value.length - 1, 1) : [value]),
      ];
      for (const to of changes) {
        const changed = JSON.stringify(change(bundle, place, to));
        assert.notEqual(changed, texts.compact);
        assert.equal(await isProven(changed), false, place.join("."));
      }
    }
  });

  it("fails in every character of every string", async () => {
    const places = listPaths(bundle);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...places),
        fc.nat(),
        fc.integer({ min: 0, max: 15 }),
        async (place, at, bit) => {
          const changed = change(bundle, place, (value) =>
            typeof value === "string" && value !== "" ? flip(value, at % value.length, bit) : "x",
          );
          assert.equal(await isProven(JSON.stringify(changed)), false);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("fails in every name", async () => {
    const names = new Map<string, string[]>();
    for (const place of listPaths(bundle)) {
      for (const length of place.keys())
        names.set(place.slice(0, length + 1).join("."), place.slice(0, length + 1));
    }
    for (const place of names.values()) {
      const name = place.at(-1) ?? "";
      if (/^\d+$/.test(name)) continue;
      const changed = rename(bundle, place, flip(name, name.length - 1, 0));
      assert.equal(await isProven(JSON.stringify(changed)), false, place.join("."));
    }
  });

  for (const [how, text] of Object.entries(texts)) {
    it(`fails in its bytes, or leaves its meaning unchanged: ${how}`, async () => {
      const bytes = Buffer.from(text);
      const meaning = JSON.stringify(parseJson(text));
      let [proven, refused] = [0, 0];
      // Flips one bit of each byte; the bit varies within every eight bytes.
      for (let at = 0; at < bytes.length; at += how === "compact" ? 1 : 3) {
        const changed = Uint8Array.from(bytes);
        changed[at] = (bytes[at] ?? 0) ^ (1 << ((at + Math.floor(at / 8)) % 8));
        if (!(await isProven(changed))) {
          refused += 1;
          continue;
        }
        proven += 1;
        assert.equal(JSON.stringify(parseJson(new TextDecoder().decode(changed))), meaning);
      }
      // A compact text without escapes has no equivalent form that differs by one bit.
      if (how === "compact") assert.equal(proven, 0);
      assert.ok(refused > proven);
    });
  }
});
