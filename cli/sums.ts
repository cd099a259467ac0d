import { createHash } from "node:crypto";
import { fromUtf8 } from "../verifier/bytes.ts";
import { type Archive, readWhole } from "./archive.ts";
import { toReason } from "./client.ts";

export const SUMS_FILE = "SHA256SUMS";
const SUMS_BYTES_MAX = 16 * 1024 * 1024;

/** What speaks against an archive's sums, by file; none where all of them hold. */
export interface SumFaults {
  /** Not as they were, or not to be read. */
  changed: string[];
  missing: string[];
  /** In the archive, and not among the sums. */
  unlisted: string[];
}

/** Holds every file of an archive against its SHA256SUMS, as `sha256sum -c` does, and none may be unlisted. */
export async function findSumFaults(
  archive: Archive,
): Promise<SumFaults & { count: number; reason?: string }> {
  const faults: SumFaults = { changed: [], missing: [], unlisted: [] };
  const listed = new Map<string, string>();
  for (const line of fromUtf8(await readWhole(archive, SUMS_FILE, SUMS_BYTES_MAX)).split("\n")) {
    const [, sum, name] = /^([0-9a-f]{64}) [ *](.+)$/.exec(line) ?? [];
    if (sum !== undefined && name !== undefined) listed.set(name, sum);
    else if (line !== "") faults.changed.push(SUMS_FILE);
  }
  const names = new Set(archive.names);
  let reason: string | undefined;
  for (const [name, sum] of listed) {
    if (!names.has(name)) {
      faults.missing.push(name);
      continue;
    }
    try {
      if ((await hashOf(archive, name)) !== sum) faults.changed.push(name);
    } catch (error) {
      reason ??= toReason(error);
      faults.changed.push(name);
    }
  }
  faults.unlisted = archive.names.filter((name) => name !== SUMS_FILE && !listed.has(name));
  return { ...faults, count: listed.size, ...(reason === undefined ? {} : { reason }) };
}

async function hashOf(archive: Archive, name: string): Promise<string> {
  const digest = createHash("sha256");
  for await (const block of archive.stream(name)) digest.update(block);
  return digest.digest("hex");
}
