import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { verifyMerkleInclusion } from "@sigstore/verify/dist/tlog/merkle.js";
import * as fc from "fast-check";
import { toHex } from "../../packages/verifier/formats/bytes.ts";
import { verifyConsistency } from "../../packages/verifier/tree/consistency.ts";
import { verifyInclusion } from "../../packages/verifier/tree/inclusion.ts";
import { hashEmptyTree, hashLeaf, hashNode } from "../../packages/verifier/tree/merkle.ts";
import { MTH, PATH, PROOF } from "./naive.ts";

const fromHex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "hex"));

// The reference tree of Certificate Transparency's implementations: its leaves, the root at each size, and
// paths in it.
const leaves = [
  "",
  "00",
  "10",
  "2021",
  "3031",
  "40414243",
  "5051525354555657",
  "606162636465666768696a6b6c6d6e6f",
].map(fromHex);
const roots = [
  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
  "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
  "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
  "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
  "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
  "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
  "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
  "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
].map(fromHex);
const [bc1a, ca85, d37e, fac5, n5f08, n6b47, n6e34, n96a2, n0ebc, nb086] = [
  "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
  "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
  "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
  "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
  "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
  "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
  "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
  "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
  "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
  "b08693ec2e721597130641e8211e7eedccb4c26413963eee6c1e2ed16ffb1a5f",
].map(fromHex) as [Uint8Array, ...Uint8Array[]];
const inclusions = [
  { index: 0, size: 1, path: [] },
  { index: 0, size: 8, path: [n96a2, n5f08, n6b47] },
  { index: 5, size: 8, path: [bc1a, ca85, d37e] },
  { index: 2, size: 3, path: [fac5] },
  { index: 1, size: 5, path: [n6e34, n5f08, bc1a] },
];
const consistencies = [
  { from: 1, to: 1, path: [] },
  { from: 1, to: 8, path: [n96a2, n5f08, n6b47] },
  { from: 6, to: 8, path: [n0ebc, ca85, d37e] },
  { from: 2, to: 5, path: [n5f08, bc1a] },
  { from: 6, to: 7, path: [n0ebc, nb086, d37e] },
];
const rootOf = (size: number): Uint8Array => roots[size] ?? new Uint8Array();
const leafAt = (index: number): Uint8Array => leaves[index] ?? new Uint8Array();

describe("Merkle trees (RFC 9162)", () => {
  it("hash leaves and nodes as the reference tree does", async () => {
    assert.deepEqual(await hashEmptyTree(), rootOf(0));
    assert.deepEqual(await hashLeaf(leafAt(0)), rootOf(1));
    const [left, right] = [await hashLeaf(leafAt(0)), await hashLeaf(leafAt(1))];
    assert.equal(toHex(await hashNode(left, right)), toHex(rootOf(2)));
    for (const [size, root] of roots.entries())
      assert.equal(MTH(leaves.slice(0, size)).toString("hex"), toHex(root));
  });

  it("prove the inclusions of the reference tree", async () => {
    for (const { index, size, path } of inclusions) {
      const leafHash = await hashLeaf(leafAt(index));
      const proof = { index, size, leafHash, path: path as Uint8Array[], root: rootOf(size) };
      assert.equal(await verifyInclusion(proof), true, `${index} in ${size}`);
      const wrongs = [
        { ...proof, index: index + 1 },
        { ...proof, index: size },
        { ...proof, size: size * 2 },
        { ...proof, root: rootOf(size - 1) },
        { ...proof, leafHash: rootOf(0) },
        { ...proof, path: [...proof.path, rootOf(0)] },
        { ...proof, path: [rootOf(0), ...proof.path] },
        ...(path.length > 0 ? [{ ...proof, path: proof.path.slice(1) }] : []),
      ];
      for (const wrong of wrongs) assert.equal(await verifyInclusion(wrong), false);
    }
  });

  it("prove the consistencies of the reference tree", async () => {
    for (const { from, to, path } of consistencies) {
      const [first, second] = [from, to].map((size) => ({ size, root: rootOf(size) })) as [
        { size: number; root: Uint8Array },
        { size: number; root: Uint8Array },
      ];
      const hashes = path as Uint8Array[];
      const verify = (...args: Parameters<typeof verifyConsistency>) => verifyConsistency(...args);
      assert.equal(await verify(first, second, hashes), true, `${from} to ${to}`);
      assert.equal(await verify(first, second, [...hashes, rootOf(0)]), false);
      assert.equal(await verify({ ...first, root: rootOf(0) }, second, hashes), false);
      assert.equal(await verify(first, { ...second, root: rootOf(0) }, hashes), false);
      assert.equal(await verify(first, { ...second, size: to + 8 }, hashes), false);
      if (from < to) {
        assert.equal(await verify(second, first, hashes), false);
        assert.equal(await verify(first, second, []), false);
        assert.equal(await verify(first, second, hashes.slice(1)), false);
      }
    }
  });

  it("start at the empty tree, which needs no proof", async () => {
    const [empty, full] = [
      { size: 0, root: rootOf(0) },
      { size: 8, root: rootOf(8) },
    ];
    assert.equal(await verifyConsistency(empty, full, []), true);
    assert.equal(await verifyConsistency({ size: 0, root: rootOf(1) }, full, []), false);
    assert.equal(await verifyConsistency(empty, full, [rootOf(1)]), false);
  });

  it("verify the proofs of the recursive definition, at every index and size up to 40", async () => {
    const entries = Array.from({ length: 40 }, (_, index) => Buffer.from(`entry ${index}`));
    for (let size = 1; size <= entries.length; size += 1) {
      const tree = entries.slice(0, size);
      const root = new Uint8Array(MTH(tree));
      for (let index = 0; index < size; index += 1) {
        const leafHash = await hashLeaf(entries[index] ?? Buffer.alloc(0));
        const path = PATH(index, tree);
        assert.ok(await verifyInclusion({ index, size, leafHash, path, root }));
        const first = { size: index + 1, root: new Uint8Array(MTH(entries.slice(0, index + 1))) };
        assert.ok(await verifyConsistency(first, { size, root }, PROOF(index + 1, tree)));
      }
    }
  });

  it("agree with Sigstore's implementation on valid and invalid proofs", async () => {
    const entry = fc.uint8Array({ maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry, { minLength: 1, maxLength: 70 }),
        fc.nat(),
        fc.nat({ max: 3 }),
        fc.nat(),
        async (entries, at, wrong, bit) => {
          const [size, index] = [entries.length, at % entries.length];
          const path = PATH(index, entries).map((node) => new Uint8Array(node));
          const root = MTH(entries);
          // One of: unchanged, a wrong index, a wrong size, a flipped bit in the path.
          const claim = {
            index: index + (wrong === 1 ? 1 : 0),
            size: size + (wrong === 2 ? 1 : 0),
          };
          const node = wrong === 3 ? path[bit % Math.max(1, path.length)] : undefined;
          if (node) node[bit % 32] = (node[bit % 32] ?? 0) ^ (1 << (bit % 8));
          const body = Buffer.from(entries[index] ?? []);
          const ours = await verifyInclusion({
            ...claim,
            leafHash: await hashLeaf(body),
            path,
            root,
          });
          assert.equal(ours, isProvenBySigstore(body, claim, { path, root }));
          if (wrong === 0) assert.ok(ours);
        },
      ),
      { numRuns: 300 },
    );
  });
});

type SigstoreEntry = Parameters<typeof verifyMerkleInclusion>[0];
type SigstoreCheckpoint = Parameters<typeof verifyMerkleInclusion>[1];

function isProvenBySigstore(
  body: Buffer,
  { index, size }: { index: number; size: number },
  { path, root }: { path: Uint8Array[]; root: Buffer },
): boolean {
  const entry = {
    canonicalizedBody: body,
    inclusionProof: { logIndex: String(index), hashes: path.map((node) => Buffer.from(node)) },
  };
  try {
    verifyMerkleInclusion(
      entry as unknown as SigstoreEntry,
      { logSize: BigInt(size), logHash: root } as unknown as SigstoreCheckpoint,
    );
    return true;
  } catch {
    return false;
  }
}
