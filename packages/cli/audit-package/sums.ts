import { createHash } from "node:crypto";
import { fromUtf8 } from "@avow/verifier/bytes";
import type { Archive } from "./archive.ts";
import { toReason } from "../terminal/errors.ts";
import { readWhole } from "../terminal/read-bytes.ts";

export const SUMS_FILE = "SHA256SUMS";
const SUMS_BYTES_MAX = 16 * 1024 * 1024;

/** The files of an archive that do not match its SHA256SUMS. */
interface SumErrors {
  /** Changed or unreadable. */
  changed: string[];
  missing: string[];
  /** In the archive, but not in SHA256SUMS. */
  unlisted: string[];
}

/** The result of checking an archive against its SHA256SUMS. */
export interface SumsReport extends SumErrors {
  /** The actual SHA-256 of each listed file that exists, in hexadecimal digits. */
  found: ReadonlyMap<string, string>;
  count: number;
  /** The reason why a file could not be read. */
  reason?: string;
}

/** Checks every file of an archive against its SHA256SUMS, as `sha256sum -c` does, and reports unlisted files. */
export async function checkSums(archive: Archive): Promise<SumsReport> {
  const faults: SumErrors = { changed: [], missing: [], unlisted: [] };
  const listed = new Map<string, string>();
  for (const line of fromUtf8(
    await readWhole(archive.stream(SUMS_FILE), SUMS_FILE, SUMS_BYTES_MAX),
  ).split("\n")) {
    const [, sum, name] = /^([0-9a-f]{64}) [ *](.+)$/.exec(line) ?? [];
    if (sum !== undefined && name !== undefined) listed.set(name, sum);
    else if (line !== "") faults.changed.push(SUMS_FILE);
  }
  const names = new Set(archive.names);
  const found = new Map<string, string>();
  let reason: string | undefined;
  for (const [name, sum] of listed) {
    if (!names.has(name)) {
      faults.missing.push(name);
      continue;
    }
    try {
      const hash = await hashOf(archive, name);
      found.set(name, hash);
      if (hash !== sum) faults.changed.push(name);
    } catch (error) {
      reason ??= toReason(error);
      faults.changed.push(name);
    }
  }
  faults.unlisted = archive.names.filter((name) => name !== SUMS_FILE && !listed.has(name));
  return { ...faults, found, count: listed.size, ...(reason === undefined ? {} : { reason }) };
}

async function hashOf(archive: Archive, name: string): Promise<string> {
  const digest = createHash("sha256");
  for await (const block of archive.stream(name)) digest.update(block);
  return digest.digest("hex");
}
