import type { JsonObject } from "@avow/contract/json";
import { CommandError } from "../terminal/errors.ts";
import { readWhole } from "../terminal/read-bytes.ts";

/** The names that the code of a site uses. */
export interface PublishedNames {
  version: number | undefined;
  /** Slugs of vendors, in any cookie configuration. */
  vendors: string[];
  /** Names of consent forms and contract forms; the identifier of a form without a name. */
  forms: string[];
}

const TIMEOUT_MS = 30_000;
const BYTES_MAX = 32 * 1024 * 1024;

/**
 * Reads the names of a published file.
 * @throws CommandError when the file cannot be read
 */
export async function readNames(url: string, signal: AbortSignal): Promise<PublishedNames> {
  const file = await readJson(url, signal);
  const list = (name: string) => listObjects(file[name]);
  const vendors = list("cookies").flatMap((one) =>
    listObjects(one["steps"]).flatMap((step) => listObjects(step["vendors"])),
  );
  const forms = [...list("processings"), ...list("contracts")];
  return {
    version: typeof file["version"] === "number" ? file["version"] : undefined,
    vendors: toNames(vendors.map(({ name }) => name)),
    forms: toNames(forms.map(({ name, identifier }) => name || identifier)),
  };
}

async function readJson(url: string, signal: AbortSignal): Promise<JsonObject> {
  const response = await fetch(url, {
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new CommandError(`${url} cannot be read.`, { cause: error });
  });
  if (!response.ok || !response.body)
    throw new CommandError(`Nothing is published: ${url} (${response.status}).`);
  const bytes = await readWhole(response.body, url, BYTES_MAX);
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString("utf8"));
    if (isObject(value)) return value;
  } catch {
    // Not JSON.
  }
  throw new CommandError(`${url} is not a published file.`);
}

function listObjects(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The texts among some values, once each and sorted, so that the written file changes only with them. */
function toNames(values: readonly unknown[]): string[] {
  const texts = values.filter((one): one is string => typeof one === "string" && one !== "");
  return [...new Set(texts)].toSorted();
}
