import { randomBytes } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyBaseLogger } from "fastify";
import { codeOf } from "../../../platform/errors.ts";
import { openSecretFile, replaceSecretFile } from "../../../platform/crypto/secret-file.ts";
import { StartError } from "../../../platform/start-error.ts";
import { type NoteKey, toNoteKey } from "./note.ts";

const FILE = "log.keys";
const SETTING = "EVIDENCE_LOG_KEYS";
const SEED_BYTES = 32;
const KEYS_MAX = 8;

/** The current keys that sign the log's checkpoints. */
export interface LogKeys {
  /** At least one key, the newest first. */
  read: () => Promise<readonly NoteKey[]>;
}

interface KeysSource {
  dataDir: string;
  /** The log's origin (C2SP tlog-checkpoint), which names its keys. */
  origin: string;
  /** The setting EVIDENCE_LOG_KEYS. */
  keys: string | undefined;
}

/**
 * Opens the keys of the setting EVIDENCE_LOG_KEYS or of `dataDir/log.keys`, which the first start creates
 * and which has one key a line. Each is the seed of an Ed25519 key in base64, named after the log's origin.
 * A changed file is read again. If it is unreadable, the error is logged once and the keys stay in use.
 *
 * @throws StartError for invalid keys, or a folder where the file cannot be created
 */
export async function openLogKeys(
  options: KeysSource & { log: Pick<FastifyBaseLogger, "error" | "info"> },
): Promise<LogKeys> {
  const { dataDir, origin, keys, log } = options;
  const text = keys ?? (await readOrCreate(dataDir));
  let known = toKeys(text, { origin, sourceName: toSourceName(options) });
  if (keys !== undefined) return { read: () => Promise.resolve(known) };
  const path = join(dataDir, FILE);
  let seen = await toFingerprint(path);
  return {
    async read() {
      const fingerprint = await toFingerprint(path);
      if (fingerprint === seen) return known;
      seen = fingerprint;
      try {
        known = toKeys(await readFile(path, "utf8"), { origin, sourceName: path });
        log.info({ keys: known.map(toKeyText) }, "log keys changed");
      } catch (err) {
        log.error({ err }, "log.keys cannot be read, previous keys stay in use");
      }
      return known;
    },
  };
}

/**
 * Reads the current keys, for the operator's commands. Does not create any.
 * @throws StartError for invalid or missing keys
 */
export async function readLogKeys(given: KeysSource): Promise<NoteKey[]> {
  return toKeys(await readText(given), { origin: given.origin, sourceName: toSourceName(given) });
}

/** The result of adding or dropping keys. */
export interface Rotation {
  keys: NoteKey[];
  dropped: NoteKey[];
  /** The new value of EVIDENCE_LOG_KEYS, for the operator to set; undefined if the file was written. */
  setting: string | undefined;
}

/**
 * Adds a key, which signs before all others. Replaces the file, or returns the new value of the setting.
 * @throws StartError as `openLogKeys` does, and if the maximum number of keys is reached
 */
export async function addLogKey(source: KeysSource): Promise<Rotation> {
  const seeds = await readSeeds(source);
  if (seeds.length >= KEYS_MAX)
    throw new StartError(
      `The log has ${KEYS_MAX} keys, which is the maximum. Drop the old ones first.`,
    );
  return keepSeeds(source, [randomBytes(SEED_BYTES).toString("base64"), ...seeds], []);
}

/** Drops every key but the newest. @throws StartError as `openLogKeys` does */
export async function dropLogKeys(source: KeysSource): Promise<Rotation> {
  const seeds = await readSeeds(source);
  return keepSeeds(source, seeds.slice(0, 1), seeds.slice(1));
}

async function keepSeeds(
  { dataDir, origin, keys }: KeysSource,
  kept: readonly string[],
  dropped: readonly string[],
): Promise<Rotation> {
  if (keys === undefined)
    await replaceSecretFile({ dataDir, name: FILE, content: `${kept.join("\n")}\n` });
  const toKey = (seed: string) => toNoteKey(origin, Buffer.from(seed, "base64"));
  return {
    keys: kept.map(toKey),
    dropped: dropped.map(toKey),
    setting: keys === undefined ? undefined : kept.join(","),
  };
}

async function readSeeds(given: KeysSource): Promise<string[]> {
  const text = await readText(given);
  toKeys(text, { origin: given.origin, sourceName: toSourceName(given) });
  return splitSeeds(text);
}

async function readText({ dataDir, keys }: KeysSource): Promise<string> {
  if (keys !== undefined) return keys;
  const path = join(dataDir, FILE);
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    throw new StartError(
      `There is no ${path}. Run this with the DATA_DIR or the ${SETTING} of the service, which creates its keys at its first start.`,
    );
  }
}

function toSourceName({ dataDir, keys }: KeysSource): string {
  return keys === undefined ? join(dataDir, FILE) : SETTING;
}

function toKeys(
  text: string,
  { origin, sourceName }: { origin: string; sourceName: string },
): NoteKey[] {
  const seeds = splitSeeds(text).map((word) => Buffer.from(word, "base64"));
  const isSound = seeds.every((seed) => seed.length === SEED_BYTES);
  if (isSound && seeds.length > 0 && seeds.length <= KEYS_MAX)
    return seeds.map((seed) => toNoteKey(origin, seed));
  throw new StartError(
    `${sourceName} must contain 1 to ${KEYS_MAX} seeds of ${SEED_BYTES} bytes in base64.`,
  );
}

function splitSeeds(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== "");
}

/** A fingerprint that changes when the file is written or replaced; empty if there is no file. */
async function toFingerprint(path: string): Promise<string> {
  try {
    const { ino, size, mtimeMs } = await stat(path);
    return `${ino} ${size} ${mtimeMs}`;
  } catch {
    // Reading the file reports the reason.
    return "";
  }
}

async function readOrCreate(dataDir: string): Promise<string> {
  const file = { dataDir, name: FILE, make: generateKeys, setting: SETTING };
  return (await openSecretFile(file)).toString();
}

function generateKeys(): string {
  return `${randomBytes(SEED_BYTES).toString("base64")}\n`;
}

/** The name and id of a key, for log lines. */
function toKeyText({ name, id }: NoteKey): string {
  return `${name}+${id.toString("hex")}`;
}
