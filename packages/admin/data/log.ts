import type { Operation } from "@avow/client/operations";
import { Problem } from "@avow/client/problem";
import { sendFile } from "../api/send.ts";

const TIMEOUT_MS = 30_000;
const KEPT = "avow-log";

/** What this browser knows of the log from when it met it, so that another log would be noticed. */
export interface KnownLog {
  /** C2SP verifier keys of the log and its witnesses. */
  keys: readonly string[];
  /** The newest checkpoint that was checked: the signed note. */
  checkpoint: string;
  /** When the keys were first seen. */
  since: string;
}

/** Who signs the log, as the service says. */
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

/** What was kept of the log; undefined: this browser has not met it. */
export function readKnownLog(): KnownLog | undefined {
  const text = localStorage.getItem(KEPT);
  if (text === null) return undefined;
  try {
    const kept = JSON.parse(text) as Partial<KnownLog>;
    const { keys, checkpoint, since } = kept;
    if (!Array.isArray(keys) || typeof checkpoint !== "string") return undefined;
    return typeof since === "string" ? { keys, checkpoint, since } : undefined;
  } catch {
    // Something else wrote there: the browser meets the log anew.
    return undefined;
  }
}

export function saveKnownLog(kept: KnownLog): void {
  localStorage.setItem(KEPT, JSON.stringify(kept));
}

/** Forgets what was kept: the log is met anew. */
export function forgetLog(): void {
  localStorage.removeItem(KEPT);
}

/** What was kept; where nothing was, what the service says now is kept. @throws Problem */
export async function loadKnownLog(): Promise<KnownLog & { isNew: boolean }> {
  const known = readKnownLog();
  if (known) return { ...known, isNew: false };
  const [checkpoint, said] = await Promise.all([readCheckpoint(), readLogKeys()]);
  if (checkpoint === undefined || !said) throw new Problem("not-found");
  const keys = [...said.keys, ...said.witnesses];
  const met = { keys, checkpoint, since: new Date().toISOString() };
  saveKnownLog(met);
  return { ...met, isNew: true };
}

/** Reads what everybody may, by its path; undefined where there is nothing. @throws Problem */
async function fetchPublic(path: string): Promise<Response | undefined> {
  const operation: Operation<undefined, null> = ["GET", path];
  try {
    return await sendFile(operation, undefined, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      // The browser may not answer from its cache: the log grows each second.
      transport: (url, init) => fetch(url, { ...init, cache: "no-store" }),
    });
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return undefined;
    throw error;
  }
}
