import { Type } from "typebox";
import { Fault } from "../../../platform/errors.ts";
import { TcfSettings } from "@avow/contract/configuration";
import type { Content, PublishedCookies } from "@avow/contract/published";
import { toRestrictedVendors } from "@avow/contract/tcf-restrictions";
import { chooseRestrictions } from "./restrictions.ts";
import { chooseVendors, cutTexts, findMissingTexts } from "./excerpt.ts";
import {
  type GoogleProvider,
  type TcfContent,
  TcfTexts,
  type TcfVendorList,
} from "@avow/contract/tcf";
import { type ListApp, type ListCopy, TO_OPERATOR, assertShape, findListCopy } from "./lists.ts";
import { toLabel } from "../content/vendors.ts";

const VENDORS_MAX = 2_000;
const SHOWN_MAX = 10;
const DEFAULT_LANGUAGE = "en";

/** The country in a TC string if the publisher's is unknown (TCF, PublisherCC). */
const NO_COUNTRY = "AA";

export interface TcfResult {
  tcf: TcfContent | undefined;
  /** Shown with the publish job. */
  notes: string[];
}

/**
 * The data of the layout `iab`: the service's copy of IAB's vendor list, reduced to the
 * vendors of the project's `tcf` document. Undefined if no step has the layout. A rollback keeps the data of
 * its version.
 * @throws Fault impossible, with what to do, if something is missing
 */
export async function readTcf(
  app: ListApp,
  content: Content,
  settings: Omit<TcfSettings, "projectId"> | undefined,
): Promise<TcfResult> {
  const banners = content.cookies.filter(hasIabStep);
  const [first] = banners;
  if (!first) return { tcf: undefined, notes: [] };
  if (content.widget?.tcf) return { tcf: content.widget.tcf, notes: [] };
  const where = `The configuration ${toLabel(first, first.identifier)} has a step with the layout iab`;
  const {
    cmpId,
    cmpVersion = 0,
    publisherCC = NO_COUNTRY,
    vendors: ids,
    restrictions: given = [],
    googleProviders = [],
  } = assertSettings(where, settings);
  const copy = await findListCopy(app);
  if (!copy)
    throw new Fault("impossible", `${where}, but this service has no vendor list. ${TO_OPERATOR}`);
  const list = await copy.read();
  const languages = [...new Set(banners.map(languageOf))];
  const { vendors, deleted, unknown } = chooseVendors(list, ids, languages);
  if (unknown.length > 0)
    throw new Fault(
      "impossible",
      `Vendor list ${list.vendorListVersion} lacks these vendors of the project's tcf document: ${toShown(unknown)}. Remove them from the document.`,
    );
  if (Object.keys(vendors).length === 0)
    throw new Fault(
      "impossible",
      `${where}, but IAB has removed all vendors of the project's tcf document. Choose other vendors.`,
    );
  assertTexts("vendor-list.json", list, vendors);
  const { restrictions, unused } = chooseRestrictions(given, vendors);
  const restricted = toRestrictedVendors({ vendors, restrictions });
  const { texts, untranslated } = await readTexts({ copy, list, languages, vendors, restricted });
  const { vendorListVersion, tcfPolicyVersion, lastUpdated } = list;
  const notes = [
    `Vendor list ${vendorListVersion}, ${Object.keys(vendors).length} of its vendors.`,
    deleted.length > 0 && `Left out because IAB has removed them: ${toShown(deleted)}.`,
    unused.length > 0 &&
      `Restrictions that apply to none of the vendors, by purpose: ${toShown(unused)}.`,
    untranslated.length > 0 &&
      `IAB's texts are in English for ${toShown(untranslated)}, because the service has no translation such as purposes-${untranslated[0]}.json.`,
  ].filter((note) => note !== false);
  const imprint = { vendorListVersion, tcfPolicyVersion, lastUpdated };
  return {
    tcf: {
      cmpId,
      cmpVersion,
      publisherCC: publisherCC.toUpperCase(),
      ...imprint,
      vendors,
      ...(restrictions.length > 0 && { restrictions }),
      ...(googleProviders.length > 0 && { googleProviders: toProviders(googleProviders) }),
      texts,
    },
    notes,
  };
}

/** Google's providers, each once, by id. */
function toProviders(given: NonNullable<TcfSettings["googleProviders"]>): GoogleProvider[] {
  const byId = new Map(
    given.map(({ id, name, policyUrl }) => [id, { id, name, ...(policyUrl && { policyUrl }) }]),
  );
  return [...byId.values()].toSorted((a, b) => a.id - b.id);
}

function hasIabStep({ steps = [] }: PublishedCookies): boolean {
  return steps.some(({ layout }) => layout === "iab");
}

const settingsCheck = Type.Omit(TcfSettings, ["projectId"]);

function assertSettings(where: string, settings: Omit<TcfSettings, "projectId"> | undefined) {
  if (!settings)
    throw new Fault(
      "impossible",
      `${where}, which needs a registered CMP. Give the project a tcf document (/v1/vault/tcf) with cmpId and vendors.`,
    );
  assertShape("The project's tcf document", settingsCheck, settings);
  const { cmpId, vendors } = settings;
  if (cmpId === undefined)
    throw new Fault(
      "impossible",
      `${where}: the project's tcf document needs cmpId, the number that IAB Europe has assigned to the CMP, the operator of this service.`,
    );
  if (!vendors?.length || vendors.length > VENDORS_MAX)
    throw new Fault(
      "impossible",
      `${where}: the project's tcf document needs vendors, the ids of 1 to ${VENDORS_MAX} vendors of IAB's list.`,
    );
  return { ...settings, cmpId, vendors };
}

/** IAB's texts for each language: IAB's translation if the service has one, otherwise English. */
async function readTexts({
  copy,
  list,
  languages,
  vendors,
  restricted,
}: {
  copy: ListCopy;
  list: TcfVendorList;
  languages: readonly string[];
  vendors: TcfContent["vendors"];
  restricted: TcfContent["vendors"];
}): Promise<{ texts: TcfContent["texts"]; untranslated: string[] }> {
  const texts: TcfContent["texts"] = {};
  const untranslated: string[] = [];
  for (const language of languages) {
    const base = language.split("-", 1)[0] ?? "";
    const isEnglish = base === DEFAULT_LANGUAGE;
    const found = isEnglish ? undefined : await copy.findTexts([...new Set([language, base])]);
    if (found === undefined) {
      texts[DEFAULT_LANGUAGE] = cutTexts(list, vendors, restricted);
      if (!isEnglish) untranslated.push(language);
      continue;
    }
    assertShape(`The translation purposes-${base}.json of the vendor list`, TcfTexts, found);
    assertTexts(`purposes-${base}.json`, found as TcfTexts, vendors);
    texts[language] = cutTexts(found as TcfTexts, vendors, restricted);
  }
  return { texts, untranslated };
}

function assertTexts(file: string, texts: TcfTexts, vendors: TcfContent["vendors"]): void {
  const missing = findMissingTexts(texts, vendors);
  if (missing.length > 0)
    throw new Fault(
      "impossible",
      `${file} lacks texts that vendors of the project reference: ${toShown(missing)}. The operator has to update the vendor list and its translations together.`,
    );
}

function languageOf({ language = DEFAULT_LANGUAGE }: PublishedCookies): string {
  return language.toLowerCase();
}

function toShown(items: readonly (number | string)[]): string {
  const more = items.length - SHOWN_MAX;
  return items.slice(0, SHOWN_MAX).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
