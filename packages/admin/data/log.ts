import type { Operation } from "@avow/client/operations";
import { Problem } from "@avow/client/problem";
import { sendFile } from "../api/send.ts";

const TIMEOUT_MS = 30_000;
const KEY = "avow-log";

/**
 * The state of the log that this browser has known since it first saw it (trust on first use), so that a different log
 * is detected.
 */
export interface KnownLog {
  /** C2SP verifier keys of the log and its witnesses. */
  keys: readonly string[];
  /** The newest verified checkpoint: a signed note. */
  checkpoint: string;
  /** When the keys were first seen. */
  since: string;
}

/** The keys of the log and its witnesses, as the service states them. */
export interface LogKeys {
  origin: string;
  keys: string[];
  witnesses: string[];
}

/** The log's newest checkpoint; undefined while it has none. @throws Problem */
export async function readCheckpoint(): Promise<string | undefined> {
  return (await fetchPublic("/log/checkpoint"))?.text();
}

/** @throws Problem */
export async function readLogKeys(): Promise<LogKeys | undefined> {
  const answer = await fetchPublic("/log/keys");
  return answer && ((await answer.json()) as LogKeys);
}

/** The known log; undefined if this browser has not seen it yet. */
export function readKnownLog(): KnownLog | undefined {
  const text = localStorage.getItem(KEY);
  if (text === null) return undefined;
  try {
    const kept = JSON.parse(text) as Partial<KnownLog>;
    const { keys, checkpoint, since } = kept;
    if (!Array.isArray(keys) || typeof checkpoint !== "string") return undefined;
    return typeof since === "string" ? { keys, checkpoint, since } : undefined;
  } catch {
    // The entry is not ours: it is treated as absent.
    return undefined;
  }
}

export function saveKnownLog(kept: KnownLog): void {
  localStorage.setItem(KEY, JSON.stringify(kept));
}

/** Forgets the known log, so that the next read trusts the service's log again. */
export function forgetLog(): void {
  localStorage.removeItem(KEY);
}

/** The known log; on first use, the log that the service shows now, which is stored. @throws Problem */
export async function loadKnownLog(): Promise<KnownLog & { isNew: boolean }> {
  const known = readKnownLog();
  if (known) return { ...known, isNew: false };
  const [checkpoint, logKeys] = await Promise.all([readCheckpoint(), readLogKeys()]);
  if (checkpoint === undefined || !logKeys) throw new Problem("not-found");
  const keys = [...logKeys.keys, ...logKeys.witnesses];
  const firstSeen = { keys, checkpoint, since: new Date().toISOString() };
  saveKnownLog(firstSeen);
  return { ...firstSeen, isNew: true };
}

/** Reads a public path; undefined on 404. @throws Problem */
async function fetchPublic(path: string): Promise<Response | undefined> {
  const operation: Operation<undefined, null> = ["GET", path];
  try {
    return await sendFile(operation, undefined, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      // Bypasses the browser's cache, because the log grows every second.
      transport: (url, init) => fetch(url, { ...init, cache: "no-store" }),
    });
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return undefined;
    throw error;
  }
}
