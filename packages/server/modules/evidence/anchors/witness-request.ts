// C2SP tlog-witness: https://c2sp.org/tlog-witness
import type { DataDb } from "../../../platform/db/db.ts";
import { readBody } from "../../../platform/outbound/read-body.ts";
import { toReason } from "./requests.ts";
import { type WitnessKey, findCosignature, toNoteText } from "./cosignature.ts";
import { proveConsistency } from "../log/tree/paths.ts";
import { openTiles } from "../proofs/prover.ts";
import type { HeadRow } from "../log/store.ts";

const TIMEOUT_MS = 10_000;
const RESPONSE_BYTES_MAX = 64 * 1024;
const SIZE_TYPE = "text/x.tlog.size";

/** A witness that cosigns the log's trees. */
export interface Witness {
  /** Prefix of its endpoints. */
  url: string;
  key: WitnessKey;
}

export type WitnessResult =
  | { kind: "cosigned"; line: string }
  /** The last tree that it cosigned has another size than `from`. */
  | { kind: "other-size"; size: number }
  /** It has seen a tree that this one does not extend. */
  | { kind: "contradicted"; reason: string }
  /** `reason` contains no text of the witness. */
  | { kind: "failed"; reason: string };

/** Requests a cosignature of a tree; `from` is the size that the witness cosigned last. Never throws. */
export async function requestCosignature(
  db: DataDb,
  { url, key }: Witness,
  { head, from, signal }: { head: HeadRow; from: number; signal: AbortSignal },
): Promise<WitnessResult> {
  try {
    const proof = await proveConsistency({ size: head.size, readTile: openTiles(db) }, from);
    const lines = [`old ${from}`, ...proof];
    const response = await fetch(`${url}/add-checkpoint`, {
      method: "POST",
      headers: { "content-type": "text/plain; charset=utf-8" },
      body: `${lines.join("\n")}\n\n${head.checkpoint}`,
      redirect: "error",
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    const text = (await readBody(response, RESPONSE_BYTES_MAX)).toString();
    const type = response.headers.get("content-type");
    if (response.status === 409 && type?.startsWith(SIZE_TYPE) === true)
      return parseSize(text, from);
    if (response.status === 422)
      return { kind: "contradicted", reason: "responded with status 422" };
    if (response.status !== 200)
      return { kind: "failed", reason: `responded with status ${response.status}` };
    const line = findCosignature(text, toNoteText(head.checkpoint), key);
    return line === undefined
      ? { kind: "failed", reason: "response has no cosignature by its key" }
      : { kind: "cosigned", line };
  } catch (error) {
    return { kind: "failed", reason: toReason(error, TIMEOUT_MS) };
  }
}

/** Another size than `from` is the one it cosigned last. The same size means that it knows another root. */
function parseSize(text: string, from: number): WitnessResult {
  const size = /^(?:0|[1-9]\d{0,15})\n$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(size))
    return { kind: "failed", reason: "responded with status 409 without a size" };
  return size === from
    ? { kind: "contradicted", reason: "it has seen a different tree of this size" }
    : { kind: "other-size", size };
}
