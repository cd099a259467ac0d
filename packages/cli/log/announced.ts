import { fromBase64Of } from "@avow/verifier/bytes";
import { SALT_BYTES, toEntry } from "@avow/verifier/entry";
import { type JsonObject, isObject, parseJson } from "@avow/verifier/json";
import { type VerifierKey, parseVerifierKey } from "@avow/verifier/keys";
import { CommandError, toReason } from "../terminal/errors.ts";
import type { ReadableLog } from "./readable-log.ts";

const KEYS_MAX = 1_000;

/** An entry of a log that, as the log claims, announces a key. */
export interface Announcement {
  key: VerifierKey;
  index: number;
  /** The expected entry at that index. */
  entry: Uint8Array;
}

/**
 * The keys that a log claims to be signed with and to have announced; none of it is verified.
 * @throws CommandError when they cannot be parsed
 */
export async function readAnnounced(
  log: ReadableLog,
): Promise<{ keys: VerifierKey[]; announced: Announcement[] }> {
  const text = await log.readKeys();
  if (text === undefined) return { keys: [], announced: [] };
  try {
    const { keys, witnesses, announced } = toObject(parseJson(text));
    const named = [...toList(keys), ...toList(witnesses ?? [])];
    return {
      keys: await Promise.all(named.map((key) => parseVerifierKey(String(key)))),
      announced: (await Promise.all(toList(announced).map((one) => toAnnouncement(toObject(one)))))
        .filter((one) => one !== undefined)
        .toSorted((a, b) => a.index - b.index),
    };
  } catch (error) {
    throw new CommandError(`The keys of ${log.name} cannot be read: ${toReason(error)}`);
  }
}

/** Undefined for an entry that announces no Ed25519 key. */
async function toAnnouncement({
  record,
  salt,
  index,
}: JsonObject): Promise<Announcement | undefined> {
  const content = toObject(record);
  if (content["type"] !== "key" || typeof content["key"] !== "string") return undefined;
  if (typeof index !== "number" || typeof salt !== "string") return undefined;
  const bytes = fromBase64Of(SALT_BYTES, salt, "salt");
  return {
    key: await parseVerifierKey(content["key"]),
    index,
    entry: await toEntry(content, bytes),
  };
}

function toObject(value: unknown): JsonObject {
  if (isObject(value as JsonObject)) return value as JsonObject;
  throw new Error("an object is missing");
}

function toList(value: unknown): readonly unknown[] {
  if (Array.isArray(value) && value.length <= KEYS_MAX) return value;
  throw new Error(`a list of up to ${KEYS_MAX} items is missing`);
}
