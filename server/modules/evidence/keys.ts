import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { openSecretFile } from "../../platform/secret-file.ts";
import { StartError } from "../../platform/start-error.ts";
import { type NoteKey, toNoteKey } from "./note.ts";

const FILE = "log.keys";
const SETTING = "EVIDENCE_LOG_KEYS";
const SEED_BYTES = 32;
const KEYS_MAX = 8;

/**
 * The keys that the log's checkpoints are signed with, the newest first: of the setting
 * EVIDENCE_LOG_KEYS, or of `dataDir/log.keys`, one to a line, which the first start makes. Each is the
 * seed of an Ed25519 key in base64; its name is the log's.
 *
 * @throws StartError for what are no such keys, or a folder where none can be made
 */
export async function openLogKeys(options: {
  dataDir: string;
  origin: string;
  keys: string | undefined;
}): Promise<NoteKey[]> {
  const { dataDir, origin, keys } = options;
  const text = keys ?? (await readKeys(dataDir));
  const seeds = text
    .split(/[\s,]+/)
    .filter((word) => word !== "")
    .map((word) => Buffer.from(word, "base64"));
  const isSound = seeds.every((seed) => seed.length === SEED_BYTES);
  if (isSound && seeds.length > 0 && seeds.length <= KEYS_MAX)
    return seeds.map((seed) => toNoteKey(origin, seed));
  const place = keys === undefined ? join(dataDir, FILE) : SETTING;
  throw new StartError(
    `${place} has to hold 1 to ${KEYS_MAX} seeds of ${SEED_BYTES} bytes in base64.`,
  );
}

async function readKeys(dataDir: string): Promise<string> {
  const file = { dataDir, name: FILE, make: makeKeys, setting: SETTING };
  return (await openSecretFile(file)).toString();
}

function makeKeys(): string {
  return `${randomBytes(SEED_BYTES).toString("base64")}\n`;
}
