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

/** The keys that the log's checkpoints are signed with, as they are now. */
export interface LogKeys {
  /** The newest first; at least one. */
  read: () => Promise<readonly NoteKey[]>;
}

interface KeysPlace {
  dataDir: string;
  /** What the log calls itself. */
  origin: string;
  /** The setting EVIDENCE_LOG_KEYS. */
  keys: string | undefined;
}

/**
 * The keys of the setting EVIDENCE_LOG_KEYS, or of `dataDir/log.keys`, one to a line, which the first
 * start makes. Each is the seed of an Ed25519 key in base64; its name is the log's. A file that was
 * changed is read again; one that cannot be read is told once, and the keys stay as they were.
 *
 * @throws StartError for what are no such keys, or a folder where none can be made
 */
export async function openLogKeys(
  options: KeysPlace & { log: Pick<FastifyBaseLogger, "error" | "info"> },
): Promise<LogKeys> {
  const { dataDir, origin, keys, log } = options;
  const made = keys ?? (await readOrMake(dataDir));
  let known = toKeys(made, { origin, place: toPlace(options) });
  if (keys !== undefined) return { read: () => Promise.resolve(known) };
  const path = join(dataDir, FILE);
  let seen = await toMark(path);
  return {
    async read() {
      const mark = await toMark(path);
      if (mark === seen) return known;
      seen = mark;
      try {
        known = toKeys(await readFile(path, "utf8"), { origin, place: path });
        log.info({ keys: known.map(toKeyText) }, "the log is signed with other keys from now on");
      } catch (err) {
        log.error({ err }, "log.keys cannot be read: the log is signed with the keys from before");
      }
      return known;
    },
  };
}

/**
 * The keys as they are now, for the operator's commands: none is made.
 * @throws StartError for what are no keys, and where there are none
 */
export async function readLogKeys(given: KeysPlace): Promise<NoteKey[]> {
  return toKeys(await readText(given), { origin: given.origin, place: toPlace(given) });
}

/** Keys that were made or dropped, and where they are kept. */
export interface Rotated {
  keys: NoteKey[];
  dropped: NoteKey[];
  /** The new value of EVIDENCE_LOG_KEYS, for the operator to set; undefined where a file was written. */
  setting: string | undefined;
}

/**
 * Makes a new key, which signs before all others. The file is replaced at once; a setting is answered.
 * @throws StartError as `openLogKeys` does, and for more keys than may sign
 */
export async function addLogKey(place: KeysPlace): Promise<Rotated> {
  const seeds = await readSeeds(place);
  if (seeds.length >= KEYS_MAX)
    throw new StartError(
      `There are ${KEYS_MAX} keys, and no more may sign. Drop the old ones first.`,
    );
  return keepSeeds(place, [randomBytes(SEED_BYTES).toString("base64"), ...seeds], []);
}

/** Drops every key but the newest; answers which. @throws StartError as `openLogKeys` does */
export async function dropLogKeys(place: KeysPlace): Promise<Rotated> {
  const seeds = await readSeeds(place);
  return keepSeeds(place, seeds.slice(0, 1), seeds.slice(1));
}

async function keepSeeds(
  { dataDir, origin, keys }: KeysPlace,
  kept: readonly string[],
  dropped: readonly string[],
): Promise<Rotated> {
  if (keys === undefined)
    await replaceSecretFile({ dataDir, name: FILE, content: `${kept.join("\n")}\n` });
  const toKey = (seed: string) => toNoteKey(origin, Buffer.from(seed, "base64"));
  return {
    keys: kept.map(toKey),
    dropped: dropped.map(toKey),
    setting: keys === undefined ? undefined : kept.join(","),
  };
}

async function readSeeds(given: KeysPlace): Promise<string[]> {
  const text = await readText(given);
  toKeys(text, { origin: given.origin, place: toPlace(given) });
  return toWords(text);
}

async function readText({ dataDir, keys }: KeysPlace): Promise<string> {
  if (keys !== undefined) return keys;
  const path = join(dataDir, FILE);
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    throw new StartError(
      `There is no ${path}. Run this with the DATA_DIR or the ${SETTING} of the service, which makes its keys at its first start.`,
    );
  }
}

function toPlace({ dataDir, keys }: KeysPlace): string {
  return keys === undefined ? join(dataDir, FILE) : SETTING;
}

function toKeys(text: string, { origin, place }: { origin: string; place: string }): NoteKey[] {
  const seeds = toWords(text).map((word) => Buffer.from(word, "base64"));
  const isSound = seeds.every((seed) => seed.length === SEED_BYTES);
  if (isSound && seeds.length > 0 && seeds.length <= KEYS_MAX)
    return seeds.map((seed) => toNoteKey(origin, seed));
  throw new StartError(
    `${place} has to hold 1 to ${KEYS_MAX} seeds of ${SEED_BYTES} bytes in base64.`,
  );
}

function toWords(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== "");
}

/** What of a file differs after it was written or replaced; empty where there is none. */
async function toMark(path: string): Promise<string> {
  try {
    const { ino, size, mtimeMs } = await stat(path);
    return `${ino} ${size} ${mtimeMs}`;
  } catch {
    // Whatever the reason is, reading it again tells it.
    return "";
  }
}

async function readOrMake(dataDir: string): Promise<string> {
  const file = { dataDir, name: FILE, make: makeKeys, setting: SETTING };
  return (await openSecretFile(file)).toString();
}

function makeKeys(): string {
  return `${randomBytes(SEED_BYTES).toString("base64")}\n`;
}

/** A key as logs tell it: its name and its id. */
function toKeyText({ name, id }: NoteKey): string {
  return `${name}+${id.toString("hex")}`;
}
