import type { Db } from "../../../platform/db/db.ts";
import type { Link } from "../../consents/links/links.ts";
import { listRecordsAfter } from "../../consents/read/registry.ts";
import { type Status, expiryOf } from "../../consents/states/states.ts";
import { type StateEntry, listTokenState } from "../../consents/states/token-state.ts";
import type { Vendor } from "@avow/contract/configuration";
import { readText } from "@avow/contract/json";
import { vendorsOf } from "@avow/contract/published";
import { titleOf } from "@avow/contract/titles";
import { type Party, toParty } from "../../evidence/reports/statement/party.ts";
import type { ShownPart } from "../../evidence/reports/statement/shown.ts";
import { getProject } from "../../vault/documents/access.ts";
import { type Change, RECORDS_MAX, findChange } from "./change.ts";
import type { Configuration, Contents } from "./contents.ts";
import { type SaidItem, listSaid } from "./record-answers.ts";
import { toSeen } from "./seen.ts";

/** One thing that somebody was asked, and what they said. */
export interface PersonItem {
  /** '' for a configuration as a whole, otherwise the vendor's slug. */
  vendor: string;
  name: string;
  status: Status;
  /** Since when they say so; undefined where they were never asked. */
  since: Date | undefined;
  expiresAt: Date | undefined;
  /** Whether it is asked now, so that it can be answered anew. */
  isAsked: boolean;
}

/** The texts that were published to be shown, as one version had them. */
export interface Words {
  version: number;
  /** Of what was answered to these words the names, where not all was. */
  of: readonly string[];
  /** Whether this is what is asked now. */
  isLive: boolean;
  language: string | undefined;
  parts: readonly ShownPart[];
}

/** A configuration, what was answered to it, and the words of it. */
export interface PersonPart {
  identifier: string;
  collection: string;
  /** '' for a banner without a title. */
  name: string;
  /** In which it asks, where it says so. */
  language: string | undefined;
  items: PersonItem[];
  /** What they were shown when they answered each of it last, the newest version first; none where that is not known. */
  shown: Words[];
  /** Whether there were more versions of it. */
  isCut: boolean;
  /** What is asked now, where none of these is that; undefined where it is not asked any more. */
  now: Words | undefined;
}

/** An answer as it was recorded. */
export interface PersonRecord {
  consentId: string;
  createdAt: Date;
  name: string;
  collection: string;
  said: readonly SaidItem[];
}

/** What a person's page tells. */
export interface Person {
  projectName: string;
  site: string | undefined;
  /** Who answers for the data, where the project says so. */
  party: Party;
  parts: PersonPart[];
  /** What they were not asked, as it asks in another language, or is another banner than theirs. */
  others: PersonPart[];
  /** What was changed here just now. */
  change: Change | undefined;
  records: PersonRecord[];
  /** Whether there are more of either than are told. */
  isCut: boolean;
}

const ITEMS_MAX = 500;
/** Of one configuration the words of so many versions. */
const VERSIONS_MAX = 10;

interface PersonReads {
  db: Db;
  now: () => Date;
  contents: Contents;
}

interface Reader {
  /** The record that was just made on the page. */
  saved: string | undefined;
  /** Of languages those that the reader likes, the best first. */
  like: (languages: string[]) => string[];
}

/**
 * What a token was asked, what it answered, and the words that were shown: what a person's page tells.
 * @throws Fault not-found where the project is gone
 */
export async function readPerson(
  { db, now, contents }: PersonReads,
  { projectId, token }: Pick<Link, "projectId" | "token">,
  { saved, like }: Reader,
): Promise<Person> {
  const project = await getProject(db, { kind: "system" }, projectId);
  const asked = { projectId, token, now: now(), at: undefined, named: [], cursor: undefined };
  const window = { order: "desc", limit: RECORDS_MAX, cursor: "" } as const;
  const [state, history] = await Promise.all([
    listTokenState(db, asked),
    listRecordsAfter(db, { projectId, token }, window),
  ]);
  const entries = state.items.slice(0, ITEMS_MAX);
  const live = project.live_version;
  const parts: PersonPart[] = [];
  for (const [identifier, own] of Map.groupBy(entries, (entry) => entry.identifier))
    parts.push(await toPart(contents, { projectId, live, identifier, entries: own }));
  const given = { consentId: saved ?? "", now: now(), entries, records: history.items };
  const change = saved ? await findChange(db, { projectId, token }, given) : undefined;
  const said = await listSaid({ db, contents }, projectId, history.items);
  const names = new Map(parts.map(({ identifier, name }) => [identifier, name]));
  return {
    projectName: readText(project.body.title) ?? projectId,
    site: project.body.websiteURL,
    party: toParty([project.body.DPO]),
    ...toTold(parts, like),
    change,
    records: history.items.map(({ id, createdAt, identifier, collection }) => ({
      consentId: id,
      createdAt,
      name: names.get(identifier) ?? identifier,
      collection,
      said: said.get(id) ?? [],
    })),
    isCut:
      state.next !== undefined ||
      state.items.length > ITEMS_MAX ||
      history.next !== undefined ||
      parts.some((part) => part.isCut),
  };
}

/**
 * What they have answered comes first. Projects ask the same in several languages: of what they have not answered
 * the page tells what is in the languages that they were asked in, or where they were never asked, in the one that
 * they like best; the rest stands apart. Who answered one banner is not asked by another.
 */
function toTold(
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

/** A language without its country and script: `pt-BR` is answered where `pt` is spoken. */
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
  },
): Promise<PersonPart> {
  const { projectId, live, identifier, entries } = given;
  const find = async (version: number): Promise<Configuration | undefined> =>
    (await contents.find({ projectId, version })).get(identifier);
  const asked = live === null ? undefined : await find(live);
  const vendors = vendorsOf(asked ?? {});
  const items = entries.map((entry) => toItem(entry, { asked, vendors }));
  const answered = entries.flatMap(({ item, state }) => {
    const name = items.find(({ vendor }) => vendor === item)?.name ?? item;
    return state ? [{ name, version: state.version }] : [];
  });
  // Each answer is to the words of its own record, which need not be those of the last one.
  const versions = [...Map.groupBy(answered, ({ version }) => version)].toSorted(
    ([a], [b]) => (b ?? 0) - (a ?? 0),
  );
  const shown: Words[] = [];
  let known = asked;
  for (const [version, some] of versions.slice(0, VERSIONS_MAX)) {
    const configuration = version === null ? undefined : await find(version);
    if (version === null || !configuration) continue;
    known ??= configuration;
    const of = versions.length > 1 ? some.map(({ name }) => name) : [];
    shown.push(toWords(configuration, { version, of, isLive: version === live }));
  }
  const isNowShown = shown.some(({ isLive }) => isLive);
  const collection = entries[0]?.collection ?? "";
  return {
    identifier,
    collection,
    // The name of a banner is for those who made it.
    name:
      collection === "cookies"
        ? (readText(known?.title) ?? "")
        : (titleOf(known) ?? entries[0]?.name ?? identifier),
    language: known?.language,
    items,
    shown,
    isCut: versions.length > VERSIONS_MAX,
    now:
      asked && live !== null && !isNowShown
        ? toWords(asked, { version: live, of: [], isLive: true })
        : undefined,
  };
}

function toWords(
  configuration: Configuration,
  of: Pick<Words, "version" | "of" | "isLive">,
): Words {
  return { ...of, language: configuration.language, parts: toSeen(configuration) };
}

function toItem(
  { item: vendor, name, status, state }: StateEntry,
  { asked, vendors }: { asked: object | undefined; vendors: ReadonlyMap<string, Vendor> },
): PersonItem {
  const isAsked = asked !== undefined && (vendor === "" || vendors.has(vendor));
  const title = readText(vendors.get(vendor)?.title);
  const expiresAt = state && (expiryOf(state) ?? undefined);
  return { vendor, name: title ?? name, status, since: state?.since, expiresAt, isAsked };
}
