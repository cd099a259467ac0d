import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Type } from "typebox";
import type { TSchema } from "typebox";
import type { Config } from "../../../config/config.ts";
import { Fault, codeOf } from "../../../platform/errors.ts";
import { compileCheck, createAjv } from "../../../kernel/schemas.ts";
import { TcfSettings } from "@avow/contract/configuration";
import type { Content, PublishedCookies } from "@avow/contract/published";
import { chooseVendors, cutTexts, findMissingTexts } from "./excerpt.ts";
import { type TcfContent, TcfTexts, TcfVendorList } from "@avow/contract/tcf";
import { toLabel } from "../content/vendors.ts";

/** The list has about one megabyte and a thousand vendors. */
const FILE_BYTES_MAX = 8 * 1024 * 1024;
const VENDORS_MAX = 2_000;
const SHOWN_MAX = 10;
const DEFAULT_LANGUAGE = "en";
/** What is to be done where there is no list. */
export const TO_OPERATOR =
  "Its operator puts IAB Europe's vendor-list.json on its disk and names the file in TCF_VENDOR_LIST.";
/** What a TC string has where the operator's country is not said (TCF, PublisherCC). */
const NO_COUNTRY = "AA";

/** What the layout `iab` is published with, and what the one who publishes should know. */
export interface ReadTcf {
  tcf: TcfContent | undefined;
  notes: string[];
}

/**
 * What the layout `iab` of a content needs: IAB's vendor list as the operator has put it on the disk
 * (`TCF_VENDOR_LIST`), cut to the vendors of the project's `tcf` document. Nothing where no step has the
 * layout; an earlier content that is published anew keeps what it had.
 * @throws Fault impossible, with what to do, where something is missing
 */
export async function readTcf(
  { tcfVendorList }: Pick<Config, "tcfVendorList">,
  content: Content,
  settings: Omit<TcfSettings, "projectId"> | undefined,
): Promise<ReadTcf> {
  const asking = content.cookies.filter(hasIabStep);
  const [first] = asking;
  if (!first) return { tcf: undefined, notes: [] };
  if (content.widget?.tcf) return { tcf: content.widget.tcf, notes: [] };
  const where = `The configuration ${toLabel(first, first.identifier)} has a step with the layout iab`;
  const {
    cmpId,
    cmpVersion = 0,
    publisherCC = NO_COUNTRY,
    vendors: ids,
  } = assertSettings(where, settings);
  if (tcfVendorList === undefined)
    throw new Fault("impossible", `${where}, and this service has no vendor list. ${TO_OPERATOR}`);
  const list = await readVendorList(tcfVendorList);
  const languages = [...new Set(asking.map(languageOf))];
  const { vendors, deleted, unknown } = chooseVendors(list, ids, languages);
  if (unknown.length > 0)
    throw new Fault(
      "impossible",
      `Vendor list ${list.vendorListVersion} does not have these vendors of the project's tcf document: ${toShown(unknown)}. Take them out of it.`,
    );
  if (Object.keys(vendors).length === 0)
    throw new Fault("impossible", `${where}, and no vendor of the project's tcf document is left.`);
  assertTexts("vendor-list.json", list, vendors);
  const { texts, untranslated } = await readTexts(dirname(tcfVendorList), list, languages, vendors);
  const { vendorListVersion, tcfPolicyVersion, lastUpdated } = list;
  const notes = [
    `Vendor list ${vendorListVersion}, ${Object.keys(vendors).length} of its vendors.`,
    deleted.length > 0 && `Left out, since IAB has struck them off: ${toShown(deleted)}.`,
    untranslated.length > 0 &&
      `IAB's texts are in English for ${toShown(untranslated)}: the translations, such as purposes-${untranslated[0]}.json, are not beside the list.`,
  ].filter((note) => note !== false);
  const imprint = { vendorListVersion, tcfPolicyVersion, lastUpdated };
  return {
    tcf: { cmpId, cmpVersion, publisherCC: publisherCC.toUpperCase(), ...imprint, vendors, texts },
    notes,
  };
}

/** Whether a configuration has a step with the layout `iab`. */
function hasIabStep({ steps = [] }: PublishedCookies): boolean {
  return steps.some(({ layout }) => layout === "iab");
}

const settingsCheck = Type.Pick(TcfSettings, ["cmpId", "cmpVersion", "publisherCC", "vendors"]);

function assertSettings(where: string, settings: Omit<TcfSettings, "projectId"> | undefined) {
  if (!settings)
    throw new Fault(
      "impossible",
      `${where}, which asks in the name of a registered CMP: the project needs a tcf document (/v1/vault/tcf) with cmpId and vendors.`,
    );
  assertShape("The project's tcf document", settingsCheck, settings);
  const { cmpId, vendors, cmpVersion, publisherCC } = settings;
  if (cmpId === undefined)
    throw new Fault(
      "impossible",
      `${where}: the project's tcf document needs cmpId, the number that IAB Europe has given to who operates this service as a CMP.`,
    );
  if (!vendors?.length || vendors.length > VENDORS_MAX)
    throw new Fault(
      "impossible",
      `${where}: the project's tcf document needs vendors, the ids of 1 to ${VENDORS_MAX} vendors of IAB's list.`,
    );
  return { cmpId, vendors, cmpVersion, publisherCC };
}

/** IAB's vendor list. @throws Fault impossible where it is not there, or not as IAB writes it */
export async function readVendorList(path: string): Promise<TcfVendorList> {
  const list = await readJson(path);
  if (list === undefined)
    throw new Fault(
      "impossible",
      "The vendor list that TCF_VENDOR_LIST names is not there. The service's operator puts IAB Europe's vendor-list.json at that place.",
    );
  assertShape("The vendor list that TCF_VENDOR_LIST names", TcfVendorList, list);
  return list as TcfVendorList;
}

/** IAB's words for each language: its own translation where it lies beside the list, as IAB names it. */
async function readTexts(
  folder: string,
  list: TcfVendorList,
  languages: readonly string[],
  vendors: TcfContent["vendors"],
): Promise<{ texts: TcfContent["texts"]; untranslated: string[] }> {
  const texts: TcfContent["texts"] = {};
  const untranslated: string[] = [];
  for (const language of languages) {
    const base = language.split("-", 1)[0] ?? "";
    const isEnglish = base === DEFAULT_LANGUAGE;
    const names = isEnglish ? [] : [...new Set([language, base])];
    let found: unknown;
    for (const name of names) found ??= await readJson(join(folder, `purposes-${name}.json`));
    if (found === undefined) {
      texts[DEFAULT_LANGUAGE] = cutTexts(list, vendors);
      if (!isEnglish) untranslated.push(language);
      continue;
    }
    assertShape(`The file purposes-${base}.json beside the vendor list`, TcfTexts, found);
    assertTexts(`purposes-${base}.json`, found as TcfTexts, vendors);
    texts[language] = cutTexts(found as TcfTexts, vendors);
  }
  return { texts, untranslated };
}

function assertTexts(file: string, texts: TcfTexts, vendors: TcfContent["vendors"]): void {
  const missing = findMissingTexts(texts, vendors);
  if (missing.length > 0)
    throw new Fault(
      "impossible",
      `${file} has no words for what vendors of the project refer to: ${toShown(missing)}. The service's operator replaces the vendor list and its translations together.`,
    );
}

function assertShape(what: string, schema: TSchema, value: unknown): void {
  const [fault] = compileCheck(createAjv(false), schema)(value);
  if (fault)
    throw new Fault(
      "impossible",
      `${what} is not as it should be: ${fault.path} ${fault.message}.`,
    );
}

/** A file of JSON, undefined where there is none. @throws Fault impossible where it is too long or no JSON */
async function readJson(path: string): Promise<unknown> {
  const name = path.split(/[\\/]/).at(-1) ?? "";
  let text: string;
  try {
    await using file = await open(path);
    const { size } = await file.stat();
    if (size > FILE_BYTES_MAX)
      throw new Fault(
        "impossible",
        `${name} has ${size} bytes; ${FILE_BYTES_MAX} are read at most.`,
      );
    text = await file.readFile("utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new Fault("impossible", `${name} is no JSON.`, { cause: error });
  }
}

function languageOf({ language = DEFAULT_LANGUAGE }: PublishedCookies): string {
  return language.toLowerCase();
}

function toShown(items: readonly (number | string)[]): string {
  const more = items.length - SHOWN_MAX;
  return items.slice(0, SHOWN_MAX).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
