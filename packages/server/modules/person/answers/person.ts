import type { Planes } from "../../../platform/db/db.ts";
import { type ErasureRequest, findErasureRequest } from "../../consents/erase/requests.ts";
import { type Link, listLinksOfToken } from "../../consents/links/links.ts";
import { listRecordsAfter } from "../../consents/read/registry.ts";
import { type Status, expiryOf } from "../../consents/states/states.ts";
import { type StateEntry, listTokenState } from "../../consents/states/token-state.ts";
import type { Vendor } from "@avow/contract/configuration";
import type { ImportedFrom } from "@avow/contract/consents";
import { readText } from "@avow/contract/json";
import { languageOf, shownTitleOf, vendorsOf } from "@avow/contract/published";
import { titleOf } from "@avow/contract/labels";
import { type Party, toParty } from "../../evidence/reports/statement/party.ts";
import type { ShownPart } from "../../evidence/reports/statement/shown.ts";
import { getProject } from "../../vault/documents/access.ts";
import { type Change, RECORDS_MAX, findChange } from "./change.ts";
import type { Configuration, Contents } from "./contents.ts";
import { type AnsweredItem, listAnsweredItems } from "./record-answers.ts";
import { toDisplayedParts } from "./displayed.ts";

/** An item that the person was asked, with their answer. */
export interface PersonItem {
  /** '' for a configuration as a whole, otherwise the vendor's slug. */
  vendor: string;
  name: string;
  status: Status;
  /** The time since when the answer applies; undefined if there is none. */
  since: Date | undefined;
  expiresAt: Date | undefined;
  /** The other consent tool that the person had answered. */
  imported: ImportedFrom | undefined;
  /** The vendor's privacy policy. */
  policyUrl: string | undefined;
  /** Whether it is asked now, so that the answer can be changed. */
  isAsked: boolean;
}

/** The texts of a configuration in one version. */
export interface VersionTexts {
  version: number;
  /** The names of the items that were answered to this version; empty if all were. */
  of: readonly string[];
  /** Whether this is the live version. */
  isLive: boolean;
  language: string | undefined;
  parts: readonly ShownPart[];
}

/** A configuration with the answers to it and its texts. */
export interface PersonPart {
  identifier: string;
  collection: string;
  /** '' for a banner without a title. */
  name: string;
  language: string | undefined;
  items: PersonItem[];
  /** The versions shown at the last answer to each item, the newest first; empty if unknown. */
  shown: VersionTexts[];
  /** Whether versions were omitted. */
  isCut: boolean;
  /** The live version if it is not among `shown`; undefined if the configuration is no longer published. */
  now: VersionTexts | undefined;
}

/** A recorded answer. */
export interface PersonRecord {
  consentId: string;
  createdAt: Date;
  name: string;
  collection: string;
  /** The other consent tool that the person had answered. */
  imported: ImportedFrom | undefined;
  answers: readonly AnsweredItem[];
}

/** The content of a person's page. */
export interface Person {
  projectName: string;
  site: string | undefined;
  /** The project's controller. */
  party: Party;
  parts: PersonPart[];
  /** Configurations that the person was not asked: in other languages, or banners other than theirs. */
  others: PersonPart[];
  /** The change that was just made on the page. */
  change: Change | undefined;
  records: PersonRecord[];
  /** The valid links to the page, newest first. */
  links: Link[];
  /** The request for erasure, open or declined. */
  request: ErasureRequest | undefined;
  /** Whether items, versions or records were omitted. */
  isCut: boolean;
}

const ITEMS_MAX = 500;
/** Maximum versions shown for a configuration. */
const VERSIONS_MAX = 10;

interface PersonReads extends Planes {
  now: () => Date;
  contents: Contents;
}

interface Reader {
  /** The record that was just made on the page. */
  saved: string | undefined;
  /** Filters languages to those that the reader accepts, the most preferred first. */
  like: (languages: string[]) => string[];
}

/**
 * Reads the content of a person's page: the items that a token was asked, its answers, and the texts that were shown.
 * @throws Fault not-found if the project was deleted
 */
export async function readPerson(
  { db, data, now, contents }: PersonReads,
  { projectId, token }: Pick<Link, "projectId" | "token">,
  { saved, like }: Reader,
): Promise<Person> {
  const project = await getProject(db, { kind: "system" }, projectId);
  const query = { projectId, token, now: now(), at: undefined, named: [], cursor: undefined };
  const window = { order: "desc", limit: RECORDS_MAX, cursor: "" } as const;
  const [state, history, links, request] = await Promise.all([
    listTokenState({ db, data }, query),
    listRecordsAfter(data, { projectId, token }, window),
    listLinksOfToken(data, { projectId, token }, query.now),
    findErasureRequest(data, { projectId, token }),
  ]);
  const entries = state.items.slice(0, ITEMS_MAX);
  const live = project.live_version;
  const parts: PersonPart[] = [];
  const imports = new Map(history.items.map(({ id, preferences }) => [id, preferences?.imported]));
  for (const [identifier, own] of Map.groupBy(entries, (entry) => entry.identifier))
    parts.push(await toPart(contents, { projectId, live, identifier, entries: own, imports }));
  const given = { consentId: saved ?? "", now: now(), entries, records: history.items };
  const change = saved ? await findChange({ db, data }, { projectId, token }, given) : undefined;
  const answers = await listAnsweredItems({ data, contents }, projectId, history.items);
  const names = new Map(parts.map(({ identifier, name }) => [identifier, name]));
  return {
    projectName: readText(project.body.title) ?? projectId,
    site: project.body.websiteURL,
    party: toParty([project.body.DPO]),
    ...splitParts(parts, like),
    change,
    links,
    request,
    records: history.items.map(({ id, createdAt, identifier, collection, preferences }) => ({
      consentId: id,
      createdAt,
      name: names.get(identifier) ?? identifier,
      collection,
      imported: preferences?.imported,
      answers: answers.get(id) ?? [],
    })),
    isCut:
      state.next !== undefined ||
      state.items.length > ITEMS_MAX ||
      history.next !== undefined ||
      parts.some((part) => part.isCut),
  };
}

/**
 * Answered configurations come first. Projects may publish the same configuration in several languages: unanswered
 * ones are `parts` only in the languages of the answered ones, or in the reader's preferred language if there are none.
 * All others are `others`, as are unanswered banners if one banner was answered.
 */
function splitParts(
  parts: readonly PersonPart[],
  like: Reader["like"],
): Pick<Person, "parts" | "others"> {
  const answered = parts.filter(isAnswered);
  const rest = parts.filter((part) => !isAnswered(part));
  const hasBanner = answered.some(({ collection }) => collection === "cookies");
  const asked = new Set(answered.flatMap(({ language }) => toBase(language) ?? []));
  const [liked] = like(rest.flatMap(({ language }) => language ?? []));
  const spoken = asked.size > 0 ? asked : new Set([toBase(liked)].filter(Boolean));
  const isTheirs = ({ collection, language }: PersonPart): boolean => {
    if (collection === "cookies" && hasBanner) return false;
    const own = toBase(language);
    return own === undefined || spoken.size === 0 || spoken.has(own);
  };
  const theirs = rest.filter(isTheirs);
  return { parts: [...answered, ...theirs], others: rest.filter((part) => !isTheirs(part)) };
}

/** A language without its region and script, so that `pt-BR` matches `pt`. */
function toBase(language: string | undefined): string | undefined {
  return language?.split("-", 1)[0]?.toLowerCase();
}

function isAnswered({ items }: PersonPart): boolean {
  return items.some(({ since }) => since !== undefined);
}

async function toPart(
  contents: Contents,
  given: {
    projectId: string;
    live: number | null;
    identifier: string;
    entries: readonly StateEntry[];
    /** By the id of a record. */
    imports: ReadonlyMap<string, ImportedFrom | undefined>;
  },
): Promise<PersonPart> {
  const { projectId, live, identifier, entries, imports } = given;
  const find = async (version: number): Promise<Configuration | undefined> =>
    (await contents.find({ projectId, version })).get(identifier);
  const asked = live === null ? undefined : await find(live);
  const vendors = vendorsOf(asked ?? {});
  const items = entries.map((entry) => toItem(entry, { asked, vendors, imports }));
  const answered = entries.flatMap(({ item, state }) => {
    const { name = item, imported } = items.find(({ vendor }) => vendor === item) ?? {};
    // The texts of another consent tool are not known.
    return state && !imported ? [{ name, version: state.version }] : [];
  });
  // Answers may be to different versions.
  const versions = [...Map.groupBy(answered, ({ version }) => version)].toSorted(
    ([a], [b]) => (b ?? 0) - (a ?? 0),
  );
  const shown: VersionTexts[] = [];
  let known = asked;
  for (const [version, some] of versions.slice(0, VERSIONS_MAX)) {
    const configuration = version === null ? undefined : await find(version);
    if (version === null || !configuration) continue;
    known ??= configuration;
    const of = versions.length > 1 ? some.map(({ name }) => name) : [];
    shown.push(toVersionTexts(configuration, { version, of, isLive: version === live }));
  }
  const isNowShown = shown.some(({ isLive }) => isLive);
  const collection = entries[0]?.collection ?? "";
  return {
    identifier,
    collection,
    // The `name` of a banner is internal.
    name:
      collection === "cookies"
        ? ((known && readText(shownTitleOf(known))) ?? "")
        : (titleOf(known) ?? entries[0]?.name ?? identifier),
    language: known && languageOf(known),
    items,
    shown,
    isCut: versions.length > VERSIONS_MAX,
    now:
      asked && live !== null && !isNowShown
        ? toVersionTexts(asked, { version: live, of: [], isLive: true })
        : undefined,
  };
}

function toVersionTexts(
  configuration: Configuration,
  of: Pick<VersionTexts, "version" | "of" | "isLive">,
): VersionTexts {
  return { ...of, language: languageOf(configuration), parts: toDisplayedParts(configuration) };
}

function toItem(
  { item: vendor, name, status, state }: StateEntry,
  {
    asked,
    vendors,
    imports,
  }: {
    asked: object | undefined;
    vendors: ReadonlyMap<string, Vendor>;
    imports: ReadonlyMap<string, ImportedFrom | undefined>;
  },
): PersonItem {
  const isAsked = asked !== undefined && (vendor === "" || vendors.has(vendor));
  const { title, policyUrl } = vendors.get(vendor) ?? {};
  const expiresAt = state && (expiryOf(state) ?? undefined);
  const imported = imports.get(state?.consentId ?? "");
  return {
    vendor,
    name: readText(title) ?? name,
    status,
    since: state?.since,
    expiresAt,
    imported,
    policyUrl,
    isAsked,
  };
}
