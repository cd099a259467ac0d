// C2SP tlog-witness: https://c2sp.org/tlog-witness
import type { Db } from "../../../platform/db/db.ts";
import { readAnswer, toReason } from "./asking.ts";
import { type WitnessKey, findCosignature, toNoteText } from "./cosignature.ts";
import { proveConsistency } from "../log/tree/paths.ts";
import { openTiles } from "../proofs/prover.ts";
import type { HeadRow } from "../log/store.ts";

const TIMEOUT_MS = 10_000;
const ANSWER_BYTES_MAX = 64 * 1024;
const SIZE_TYPE = "text/x.tlog.size";

/** A witness that the log's trees are shown to. */
export interface Witness {
  /** What its addresses begin with. */
  url: string;
  key: WitnessKey;
}

/** What became of asking a witness. */
export type Asked =
  | { kind: "cosigned"; line: string }
  /** It has seen a tree of another size than was thought. */
  | { kind: "other-size"; size: number }
  /** In a few words, which hold nothing that the witness said. */
  | { kind: "failed"; reason: string };

/** Asks a witness that has cosigned `from` leaves last to cosign a tree. Never throws. */
export async function askWitness(
  db: Db,
  { url, key }: Witness,
  { head, from, signal }: { head: HeadRow; from: number; signal: AbortSignal },
): Promise<Asked> {
  try {
    const proof = await proveConsistency({ size: head.size, readTile: openTiles(db) }, from);
    const lines = [`old ${from}`, ...proof];
    const answer = await fetch(`${url}/add-checkpoint`, {
      method: "POST",
      headers: { "content-type": "text/plain; charset=utf-8" },
      body: `${lines.join("\n")}\n\n${head.checkpoint}`,
      redirect: "error",
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    const text = (await readAnswer(answer, ANSWER_BYTES_MAX)).toString();
    if (answer.status === 409 && answer.headers.get("content-type")?.startsWith(SIZE_TYPE) === true)
      return readSize(text, from);
    if (answer.status !== 200) return { kind: "failed", reason: `it answers ${answer.status}` };
    const line = findCosignature(text, toNoteText(head.checkpoint), key);
    return line === undefined
      ? { kind: "failed", reason: "its answer has no cosignature by its key" }
      : { kind: "cosigned", line };
  } catch (error) {
    return { kind: "failed", reason: toReason(error, TIMEOUT_MS) };
  }
}

/** A size other than the one that was told is what it has; the same is a tree with another root. */
function readSize(text: string, from: number): Asked {
  const size = /^(?:0|[1-9]\d{0,15})\n$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(size))
    return { kind: "failed", reason: "it answers 409 without a size" };
  return size === from
    ? { kind: "failed", reason: "it has seen another tree of this size" }
    : { kind: "other-size", size };
}
