import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { type Edge, TILE_WIDTH, emptyEdge } from "@avow/contract/merkle";
import {
  appendEntries,
  rootOf,
} from "../../../packages/server/modules/evidence/log/tree/merkle.ts";
import { waitFor } from "../lifecycle/process.ts";
import type { Site } from "./site.ts";

const POLL_MS = 25;
const ENTRY_BYTES = 34;

/** The checkpoints of a log, each distinct one once. */
export interface Watch {
  checkpoints: Set<string>;
  stop: () => Promise<void>;
}

/** Collects every checkpoint that the log publishes until stopped, as an independent monitor would. */
export function watchLog(t: TestContext, { address }: Pick<Site, "address">): Watch {
  const checkpoints = new Set<string>();
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      // The service does not answer while it is down.
      const text = await findCheckpoint(address).catch(() => undefined);
      if (text !== undefined) checkpoints.add(text);
      await delay(POLL_MS);
    }
  };
  const running = run();
  const stop = async (): Promise<void> => {
    stopping.abort();
    await running;
  };
  t.after(stop);
  return { checkpoints, stop };
}

/**
 * Asserts that the log has an entry for each of `consents` and `publications`, none twice, and that every
 * checkpoint seen is one of its current tree: nothing was lost, and no two trees of one size were ever
 * signed.
 */
export async function assertLog(
  { address }: Pick<Site, "address">,
  watch: Watch,
  { consents, publications }: { consents: number; publications: number },
): Promise<void> {
  // Plus one for the widget's build.
  const wanted = consents + publications + 1;
  const last = await waitFor("every entry in the log", async () => {
    const text = await findCheckpoint(address);
    return text !== undefined && sizeOf(text) >= wanted ? text : undefined;
  });
  watch.checkpoints.add(last);
  await watch.stop();
  assert.equal(sizeOf(last), wanted, "as many entries as there are consents and publications");
  const entries = await readEntries(address, wanted);
  assert.equal(new Set(entries.map((entry) => entry.toString("hex"))).size, wanted);
  const sizes = [...watch.checkpoints].map((text) => ({ text, size: sizeOf(text) }));
  assert.ok(sizes.length > 3, `${sizes.length} checkpoints were seen`);
  let edge: Edge = emptyEdge;
  for (const { text, size } of sizes.toSorted((a, b) => a.size - b.size)) {
    ({ edge } = appendEntries(edge, entries.slice(edge.size, size)));
    assert.equal(
      text.split("\n")[2],
      Buffer.from(rootOf(edge)).toString("base64"),
      `the tree of ${size}`,
    );
  }
}

async function findCheckpoint(address: string): Promise<string | undefined> {
  const answer = await fetch(`${address}/log/checkpoint`, { signal: AbortSignal.timeout(5_000) });
  return answer.ok ? answer.text() : undefined;
}

function sizeOf(checkpoint: string): number {
  return Number(checkpoint.split("\n")[1]);
}

async function readEntries(address: string, size: number): Promise<Buffer[]> {
  const entries: Buffer[] = [];
  for (let index = 0; entries.length < size; index += 1) {
    const width = Math.min(TILE_WIDTH, size - entries.length);
    const number = toTileNumber(index);
    const partial = width < TILE_WIDTH ? `.p/${width}` : "";
    const answer = await fetch(`${address}/log/tile/entries/${number}${partial}`);
    assert.equal(answer.status, 200, `${number}${partial}`);
    const bundle = Buffer.from(await answer.arrayBuffer());
    assert.equal(bundle.length, width * ENTRY_BYTES);
    for (let at = 0; at < bundle.length; at += ENTRY_BYTES)
      entries.push(bundle.subarray(at + 2, at + ENTRY_BYTES));
  }
  return entries;
}

/** `x001/234` for 1234 (C2SP tlog-tiles). */
function toTileNumber(index: number): string {
  const last = String(index % 1_000).padStart(3, "0");
  const rest = Math.floor(index / 1_000);
  return rest === 0 ? last : `${toPrefix(rest)}/${last}`;
}

function toPrefix(index: number): string {
  const group = `x${String(index % 1_000).padStart(3, "0")}`;
  const rest = Math.floor(index / 1_000);
  return rest === 0 ? group : `${toPrefix(rest)}/${group}`;
}
