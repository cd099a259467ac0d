import type { Db } from "../../platform/db/db.ts";
import type { Link } from "../consents/links.ts";
import { listRecordsAfter } from "../consents/registry.ts";
import { type Status, expiryOf } from "../consents/states.ts";
import { type StateEntry, listTokenState } from "../consents/token-state.ts";
import { toFields, toLine } from "../evidence/forms/fields.ts";
import { type ShownPart, nameOf, toShown, vendorsOf } from "../evidence/forms/shown.ts";
import { getProject } from "../vault/access.ts";
import type { Contents } from "./contents.ts";

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
  language: string | undefined;
  parts: readonly ShownPart[];
}

/** A configuration, what was answered to it, and the words of it. */
export interface PersonPart {
  identifier: string;
  collection: string;
  name: string;
  items: PersonItem[];
  /** What they were shown when they answered last; undefined where that is not known. */
  shown: Words | undefined;
  /** What is asked now, where that is another version; undefined where it is not asked any more. */
  now: Words | undefined;
}

/** An answer as it was recorded. */
export interface PersonRecord {
  consentId: string;
  createdAt: Date;
  name: string;
  collection: string;
  accept: boolean;
}

/** What a person's page tells. */
export interface Person {
  projectName: string;
  parts: PersonPart[];
  records: PersonRecord[];
  /** Whether there are more of either than are told. */
  isCut: boolean;
}

const ITEMS_MAX = 500;
const RECORDS_MAX = 50;

interface PersonReads {
  db: Db;
  now: () => Date;
  contents: Contents;
}

/**
 * What a token was asked, what it answered, and the words that were shown: what a person's page tells.
 * @throws Fault not-found where the project is gone
 */
export async function readPerson(
  { db, now, contents }: PersonReads,
  { projectId, token }: Pick<Link, "projectId" | "token">,
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
  const names = new Map(parts.map(({ identifier, name }) => [identifier, name]));
  return {
    projectName: toLine(project.body["title"]) ?? projectId,
    // What they have answered comes first.
    parts: parts.toSorted((a, b) => Number(isAnswered(b)) - Number(isAnswered(a))),
    records: history.items.map(({ id, createdAt, identifier, collection, accept }) => ({
      consentId: id,
      createdAt,
      name: names.get(identifier) ?? identifier,
      collection,
      accept,
    })),
    isCut: state.next !== undefined || state.items.length > ITEMS_MAX || history.next !== undefined,
  };
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
  const find = async (version: number | null | undefined) =>
    typeof version === "number"
      ? (await contents.find({ projectId, version })).get(identifier)
      : undefined;
  const [last] = entries
    .flatMap(({ state }) => state ?? [])
    .toSorted((a, b) => (a.consentId < b.consentId ? 1 : -1));
  const version = last?.version;
  const [shown, asked] = [await find(version), await find(live)];
  const vendors = vendorsOf(asked ?? {});
  const toWords = (configuration: typeof shown, of: number | null | undefined) =>
    configuration && typeof of === "number"
      ? { version: of, language: toLine(configuration["language"]), parts: toShown(configuration) }
      : undefined;
  const known = asked ?? shown ?? {};
  return {
    identifier,
    collection: entries[0]?.collection ?? "",
    name: nameOf(known) ?? entries[0]?.name ?? identifier,
    items: entries.map((entry) => toItem(entry, { asked, vendors })),
    shown: toWords(shown, version),
    now: version === live ? undefined : toWords(asked, live),
  };
}

function toItem(
  { item: vendor, name, status, state }: StateEntry,
  { asked, vendors }: { asked: object | undefined; vendors: ReadonlyMap<string, object> },
): PersonItem {
  const isAsked = asked !== undefined && (vendor === "" || vendors.has(vendor));
  const title = toLine(toFields(vendors.get(vendor))["title"]);
  const expiresAt = state && (expiryOf(state) ?? undefined);
  return { vendor, name: title ?? name, status, since: state?.since, expiresAt, isAsked };
}
