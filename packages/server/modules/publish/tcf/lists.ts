import { open, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { TSchema } from "typebox";
import { TcfVendorList } from "@avow/contract/tcf";
import type { Config } from "../../../config/config.ts";
import { compileCheck, createAjv } from "../../../kernel/schemas.ts";
import type { Db } from "../../../platform/db/db.ts";
import { Fault, codeOf } from "../../../platform/errors.ts";
import { findList, findNewest, findTranslation } from "./lists-store.ts";

/** The real list has about one megabyte and a thousand vendors. */
export const LIST_BYTES_MAX = 8 * 1024 * 1024;

export const TO_OPERATOR =
  "The operator stores IAB Europe's vendor-list.json on the server and sets TCF_VENDOR_LIST to its path, or sets TCF_VENDOR_LIST_URL to its address.";

/** The dependencies of reading the vendor list. */
export interface ListApp {
  db: Db;
  config: Pick<Config, "tcfVendorList" | "tcfVendorListUrl">;
}

/** A copy of IAB's vendor list. */
export interface ListCopy {
  /** Changes with the content. */
  stamp: string;
  /** @throws Fault impossible if it does not exist or is invalid */
  read(): Promise<TcfVendorList>;
  /** IAB's texts in the first of these languages that has a translation, not validated; undefined without one. */
  findTexts(languages: readonly string[]): Promise<unknown>;
}

/** The newest fetched list (`TCF_VENDOR_LIST_URL`), otherwise the operator's file (`TCF_VENDOR_LIST`), if any. */
export async function findListCopy({ db, config }: ListApp): Promise<ListCopy | undefined> {
  const { tcfVendorList: path, tcfVendorListUrl: url } = config;
  const newest = url === undefined ? undefined : await findNewest(db);
  if (newest) {
    const { version } = newest;
    return {
      // A translation may be newer than the list.
      stamp: `version ${version} ${newest.checked_at.toISOString()}`,
      read: async () => (await findList(db, version)) as TcfVendorList,
      findTexts: (languages) => findTranslation(db, languages),
    };
  }
  if (path === undefined) return undefined;
  return {
    stamp: await toStamp(path),
    read: () => readFileList(path),
    async findTexts(languages) {
      let found: unknown;
      for (const name of languages)
        found ??= await readJson(join(dirname(path), `purposes-${name}.json`));
      return found;
    },
  };
}

/** @throws Fault impossible if `value` does not match the schema */
export function assertShape(what: string, schema: TSchema, value: unknown): void {
  const [fault] = compileCheck(createAjv(false), schema)(value);
  if (fault) throw new Fault("impossible", `${what} is invalid: ${fault.path} ${fault.message}.`);
}

async function readFileList(path: string): Promise<TcfVendorList> {
  const list = await readJson(path);
  if (list === undefined)
    throw new Fault(
      "impossible",
      "The vendor list of TCF_VENDOR_LIST does not exist. The operator stores IAB Europe's vendor-list.json at that path.",
    );
  assertShape("The vendor list of TCF_VENDOR_LIST", TcfVendorList, list);
  return list as TcfVendorList;
}

/** A stamp that changes with the file. */
async function toStamp(path: string): Promise<string> {
  try {
    const { mtimeMs, size, ino } = await stat(path);
    return `${mtimeMs} ${size} ${ino}`;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return "none";
    throw error;
  }
}

/** Reads a JSON file; undefined if it does not exist. @throws Fault impossible if it is too large or no JSON */
async function readJson(path: string): Promise<unknown> {
  const name = path.split(/[\\/]/).at(-1) ?? "";
  let text: string;
  try {
    await using file = await open(path);
    const { size } = await file.stat();
    if (size > LIST_BYTES_MAX)
      throw new Fault("impossible", `${name} has ${size} bytes; the maximum is ${LIST_BYTES_MAX}.`);
    text = await file.readFile("utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new Fault("impossible", `${name} is not valid JSON.`, { cause: error });
  }
}
