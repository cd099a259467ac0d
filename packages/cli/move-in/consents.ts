import { createReadStream, createWriteStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { type JsonObject, isObject, readList, readObject, readText } from "@avow/contract/json";
import { CommandError } from "../terminal/errors.ts";
import { toPath } from "../terminal/path.ts";

/** Which vendors of Avow an answer to a purpose or a vendor of the old product is for. */
type Vendors = Readonly<Record<string, readonly string[]>>;

export interface ConvertedConsents {
  read: number;
  written: number;
  /** How many lines were left out, by reason. */
  left: Map<string, number>;
}

const LINE_LENGTH_MAX = 100 * 1024;
const TOKEN_LENGTH_MAX = 512;

/**
 * Converts the events of a batch export of Didomi into lines of Avow's import (docs/reference/api-imports.md). An event
 * is `{"created_at", "user": {"id", "organization_user_id"}, "consents": {"purposes": [{"id", "enabled"}], "vendors": […]}}`
 * (https://developers.didomi.io/integrations/generic-integrations/batch-export).
 */
export async function convertConsents({
  file,
  answers,
  identifier,
  output,
}: {
  file: string;
  /** The file `answers.json` of a proposal. */
  answers: string;
  identifier: string;
  output: string;
}): Promise<ConvertedConsents> {
  const vendors = await readVendors(answers);
  const result: ConvertedConsents = { read: 0, written: 0, left: new Map() };
  const stored = createReadStream(toPath(file));
  const source = /\.gz$/i.test(file) ? stored.pipe(createGunzip()) : stored;
  stored.on("error", (error) => source.destroy(error));
  const lines = createInterface({ input: source, crlfDelay: Infinity });
  const convert = async function* (): AsyncGenerator<string> {
    for await (const line of lines) {
      if (line.trim() === "") continue;
      result.read += 1;
      const converted = toLine(line, { vendors, identifier });
      if (typeof converted === "string")
        result.left.set(converted, (result.left.get(converted) ?? 0) + 1);
      else {
        result.written += 1;
        yield `${JSON.stringify(converted)}\n`;
      }
    }
  };
  try {
    await pipeline(convert, createWriteStream(toPath(output)));
  } catch (error) {
    throw new CommandError(`${file} cannot be converted.`, { cause: error });
  }
  return result;
}

async function readVendors(file: string): Promise<Vendors> {
  const text = await readFile(toPath(file), "utf8").catch((error: Error) => {
    throw new CommandError(`${file} cannot be read.`, { cause: error });
  });
  let read: JsonObject;
  try {
    read = readObject(JSON.parse(text));
  } catch {
    throw new CommandError(`${file} is not JSON. Pass answers.json of a proposal.`);
  }
  const categories = readObject(read["categories"]);
  if (read["from"] !== "didomi")
    throw new CommandError(
      `${file} is not for Didomi, the only product with a documented export of consents.`,
    );
  const entries = Object.entries(categories).map(([id, slugs]): [string, string[]] => [
    id,
    readList(slugs).filter((slug) => typeof slug === "string"),
  ]);
  return Object.fromEntries(entries);
}

/** A line of the import, or the reason for which there is none. */
function toLine(
  line: string,
  { vendors, identifier }: { vendors: Vendors; identifier: string },
): object | string {
  if (line.length > LINE_LENGTH_MAX) return "The line is too long.";
  let event: unknown;
  try {
    event = JSON.parse(line);
  } catch {
    return "The line is not JSON.";
  }
  if (!isObject(event)) return "The line is not an object.";
  const user = readObject(event["user"]);
  const token = readText(user["organization_user_id"]) ?? readText(user["id"]);
  if (token === undefined || token.length > TOKEN_LENGTH_MAX) return "The event names no user.";
  const date = readText(event["created_at"]);
  if (date === undefined || Number.isNaN(Date.parse(date))) return "The event has no date.";
  const answers = toAnswers(readObject(event["consents"]), vendors);
  const values = Object.values(answers);
  if (values.length === 0) return "The event answers no purpose or vendor of answers.json.";
  return {
    token,
    collection: "cookies",
    identifier,
    accept: values.includes(true),
    date: new Date(date).toISOString(),
    preferences: { vendors: answers },
  };
}

/** A vendor is accepted only if every purpose and vendor that names it was accepted, as for adopted answers. */
function toAnswers(consents: JsonObject, vendors: Vendors): Record<string, boolean> {
  const answers = new Map<string, boolean>();
  for (const list of ["purposes", "vendors"])
    for (const one of readList(consents[list])) {
      const { id, enabled } = readObject(one);
      if (typeof id !== "string" || typeof enabled !== "boolean") continue;
      const slugs = Object.hasOwn(vendors, id) ? (vendors[id] ?? []) : [];
      for (const slug of slugs) answers.set(slug, enabled && (answers.get(slug) ?? true));
    }
  return Object.fromEntries(answers);
}
