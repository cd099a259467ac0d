import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { HASH_BYTES } from "@avow/contract/merkle";
import { hashLeaf, hashNode, emptyRoot } from "./merkle.ts";
import { proveConsistency, proveInclusion } from "./paths.ts";
import { type Edge, emptyEdge } from "@avow/contract/merkle";
import { appendEntries, rootOf } from "./merkle.ts";

/** A direct implementation of RFC 9162, section 2.1.1. */
function naiveRoot(entries: readonly Uint8Array[]): Uint8Array {
  const [first] = entries;
  if (!first) return emptyRoot;
  if (entries.length === 1) return hashLeaf(first);
  let middle = 1;
  while (middle * 2 < entries.length) middle *= 2;
  return hashNode(naiveRoot(entries.slice(0, middle)), naiveRoot(entries.slice(middle)));
}

/** A direct implementation of RFC 9162, section 2.1.3.1. */
function naivePath(index: number, entries: readonly Uint8Array[]): Uint8Array[] {
  if (entries.length <= 1) return [];
  let middle = 1;
  while (middle * 2 < entries.length) middle *= 2;
  return index < middle
    ? [...naivePath(index, entries.slice(0, middle)), naiveRoot(entries.slice(middle))]
    : [...naivePath(index - middle, entries.slice(middle)), naiveRoot(entries.slice(0, middle))];
}

/** A direct implementation of RFC 9162, section 2.1.4.1. */
function naiveConsistency(
  from: number,
  entries: readonly Uint8Array[],
  isKnown = true,
): Uint8Array[] {
  if (from === entries.length) return isKnown ? [] : [naiveRoot(entries)];
  let middle = 1;
  while (middle * 2 < entries.length) middle *= 2;
  return from <= middle
    ? [
        ...naiveConsistency(from, entries.slice(0, middle), isKnown),
        naiveRoot(entries.slice(middle)),
      ]
    : [
        ...naiveConsistency(from - middle, entries.slice(middle), false),
        naiveRoot(entries.slice(0, middle)),
      ];
}

const toBase64 = (path: readonly Uint8Array[]): string[] =>
  path.map((hash) => Buffer.from(hash).toString("base64"));

function makeEntries(count: number): Buffer[] {
  return Array.from({ length: count }, (_, at) => Buffer.from(`entry ${at}`));
}

/** Grows a tree in steps, and stores its tiles. */
function grow(steps: readonly number[]) {
  const entries = makeEntries(steps.reduce((sum, step) => sum + step, 0));
  const kept = new Map<string, Uint8Array>();
  let edge: Edge = emptyEdge;
  for (const step of steps) {
    const grown = appendEntries(edge, entries.slice(edge.size, edge.size + step));
    for (const { level, index, hashes } of grown.tiles) {
      const before = kept.get(`${level}/${index}`);
      if (before) assert.deepEqual(hashes.subarray(0, before.length), before, "tiles only grow");
      kept.set(`${level}/${index}`, hashes);
    }
    ({ edge } = grown);
  }
  const readTile = async (place: { level: number; index: number; width: number }) => {
    const hashes = kept.get(`${place.level}/${place.index}`);
    assert.ok(hashes && hashes.length >= place.width * HASH_BYTES, `tile ${JSON.stringify(place)}`);
    return hashes.subarray(0, place.width * HASH_BYTES);
  };
  return { entries, edge, tree: { size: edge.size, readTile } };
}

test("computes the root of RFC 9162 for any steps of growth, and only extends tiles", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 5 }), (steps) => {
      const { entries, edge } = grow(steps);
      assert.equal(edge.size, entries.length);
      assert.deepEqual(rootOf(edge), naiveRoot(entries));
    }),
    { numRuns: 40 },
  );
});

test("computes the root of RFC 9162 for two levels of full tiles", () => {
  const { entries, edge } = grow([65_536, 1, 255, 300]);
  assert.deepEqual(rootOf(edge), naiveRoot(entries));
});

test("computes the inclusion paths of RFC 9162 from tiles", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 1_500 }), fc.nat(), async (size, pick) => {
      const { entries, tree } = grow([Math.floor(size / 3), size - Math.floor(size / 3)]);
      const index = pick % size;
      assert.deepEqual(await proveInclusion(tree, index), toBase64(naivePath(index, entries)));
    }),
    { numRuns: 40 },
  );
});

test("computes the consistency paths of RFC 9162 from tiles", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 1_500 }), fc.nat(), async (size, pick) => {
      const { entries, tree } = grow([size]);
      const from = 1 + (pick % size);
      assert.deepEqual(
        await proveConsistency(tree, from),
        toBase64(naiveConsistency(from, entries)),
      );
    }),
    { numRuns: 40 },
  );
});

test("computes the known roots of the Certificate Transparency reference trees", () => {
  // The leaves of RFC 6962's reference implementation, and the roots of its trees of 1 to 8 leaves.
  const leaves = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657",
    "606162636465666768696a6b6c6d6e6f"]; // prettier-ignore
  const roots = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
  ];
  let edge: Edge = emptyEdge;
  for (const [at, leaf] of leaves.entries()) {
    ({ edge } = appendEntries(edge, [Buffer.from(leaf, "hex")]));
    assert.equal(Buffer.from(rootOf(edge)).toString("hex"), roots[at]);
  }
});
