// Loaded on demand together with the verifier.
import { getConsistency } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { parseConsistency } from "@avow/verifier/bundle";
import { toBase64 } from "@avow/verifier/bytes";
import { type Checkpoint, parseCheckpoint } from "@avow/verifier/checkpoint";
import { verifyConsistency } from "@avow/verifier/consistency";
import { FormatError } from "@avow/verifier/errors";
import { verifyNote } from "@avow/verifier/note";
import { parseVerifierKeys } from "@avow/verifier/keys";
import {
  type KnownLog,
  type LogKeys,
  saveKnownLog,
  loadKnownLog,
  readCheckpoint,
} from "../../data/log.ts";

/** A parsed checkpoint and its signers; undefined if a signature is invalid. */
export interface OpenedLog {
  origin: string;
  size: number;
  /** In base64. */
  root: string;
  signers: string[] | undefined;
}

/** Parses a checkpoint and verifies its signatures with the keys that the service states. @throws FormatError */
export async function openLog(source: string, logKeys: LogKeys): Promise<OpenedLog> {
  const { origin, size, root, note } = parseCheckpoint(source);
  const keys = await parseVerifierKeys([...logKeys.keys, ...logKeys.witnesses].join("\n"));
  const { signers, failed } = await verifyNote(note, keys);
  const isSigned = failed.length === 0 && signers.some(({ key }) => key.name === origin);
  const names = [...new Set(signers.map(({ key }) => key.name))];
  return { origin, size, root: toBase64(root), signers: isSigned ? names : undefined };
}

/** The result of a consistency check. */
export type LogCheck =
  | { name: "met" }
  | { name: "same" | "holds" | "broken"; from: number; to: number }
  | { name: "strange" | "bad" };

/**
 * Verifies that the current tree is consistent with an earlier checkpoint: `older`, or the one that this browser
 * knows. On success, the current checkpoint is stored. @throws Problem
 */
export async function checkLog(projectId: string, older: string): Promise<LogCheck> {
  const kept = await loadKnownLog();
  if (kept.isNew && older === "") return { name: "met" };
  const source = await readCheckpoint();
  if (source === undefined) return { name: "strange" };
  const now = parseCheckpoint(source);
  if (!(await isKnown(now, kept))) return { name: "strange" };
  const before = parseOlder(older === "" ? kept.checkpoint : older);
  if (!before || before.origin !== now.origin || !(await isKnown(before, kept)))
    return { name: "bad" };
  const found = await compare(projectId, before, now);
  if (found.name !== "broken") saveKnownLog({ ...kept, checkpoint: source });
  return found;
}

async function compare(projectId: string, before: Checkpoint, now: Checkpoint): Promise<LogCheck> {
  const [from, to] = before.size <= now.size ? [before, now] : [now, before];
  const sizes = { from: from.size, to: to.size };
  const isWithin = from.size > 0 && from.size < to.size;
  const path = isWithin ? await readPath(projectId, sizes) : [];
  const holds = await verifyConsistency(from, to, path);
  if (!holds) return { name: "broken", ...sizes };
  return { name: from.size === to.size ? "same" : "holds", ...sizes };
}

async function readPath(projectId: string, query: { from: number; to: number }) {
  const proof = await send(getConsistency, { path: { projectId }, query });
  return parseConsistency(JSON.stringify(proof)).path;
}

/** Whether the log signed it with a key that this browser knows, and no signature is forged. */
async function isKnown({ note, origin }: Checkpoint, { keys }: KnownLog): Promise<boolean> {
  const { signers, failed } = await verifyNote(note, await parseVerifierKeys(keys.join("\n")));
  return failed.length === 0 && signers.some(({ key }) => key.name === origin);
}

function parseOlder(text: string): Checkpoint | undefined {
  try {
    // Pasted text often loses its last newline.
    return parseCheckpoint(`${text.trimEnd()}\n`);
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}
