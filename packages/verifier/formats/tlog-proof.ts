// C2SP tlog-proof: https://c2sp.org/tlog-proof
import { type Bytes, HASH_BYTES, fromBase64, fromBase64Of, parseSize, toBase64 } from "./bytes.ts";
import { type Checkpoint, parseCheckpoint } from "./checkpoint.ts";
import { FormatError } from "./errors.ts";

const HEADER = "c2sp.org/tlog-proof@v1";

export interface TlogProof {
  /** The entry's index in the log, from 0. */
  index: number;
  /** Hashes from the leaf's sibling up to the root's child. */
  path: Bytes[];
  checkpoint: Checkpoint;
  /** Extra data, which the proof does not cover. */
  extra?: Bytes;
}

/** Does not verify anything. @throws FormatError for an invalid proof */
export function parseTlogProof(source: string): TlogProof {
  const split = source.indexOf("\n\n");
  if (split < 0) throw new FormatError((say) => say.proofShape);
  const [header, ...lines] = source.slice(0, split).split("\n");
  if (header !== HEADER) throw new FormatError((say) => say.proofShape);
  const extra = lines[0]?.startsWith("extra ") ? lines.shift() : undefined;
  const [, index] = /^index (.+)$/.exec(lines.shift() ?? "") ?? [];
  if (index === undefined) throw new FormatError((say) => say.proofShape);
  return {
    index: parseSize(index, "index"),
    path: lines.map((line) => fromBase64Of(HASH_BYTES, line, "path")),
    checkpoint: parseCheckpoint(source.slice(split + 2)),
    ...(extra === undefined ? {} : { extra: fromBase64(extra.slice("extra ".length), "extra") }),
  };
}

/** Formats a proof; `checkpoint` is the signed note, verbatim. */
export function formatTlogProof(proof: {
  index: number;
  path: readonly Uint8Array[];
  checkpoint: string;
  extra?: Uint8Array;
}): string {
  const extra = proof.extra ? [`extra ${toBase64(proof.extra)}`] : [];
  const lines = [HEADER, ...extra, `index ${proof.index}`, ...proof.path.map(toBase64)];
  return `${lines.join("\n")}\n\n${proof.checkpoint}`;
}
