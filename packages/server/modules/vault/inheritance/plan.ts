import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@avow/contract/json";
import {
  type FieldPointer,
  openFieldsOf,
  readField,
  siteFieldsOf,
  withField,
} from "@avow/contract/open-fields";
import { readObject, readText } from "@avow/contract/json";
import { singleResources } from "../schemas/resources.ts";
import type { Link, StoredRow } from "./inheritance-store.ts";

/** A document of a site as its template wants it. */
export interface PlannedDocument {
  kind: "created" | "updated" | "unchanged";
  id: string;
  resource: string;
  body: JsonObject;
  /** The template's document. */
  source: StoredRow;
  /** The open fields that keep the site's own value. */
  overrides: FieldPointer[];
  /** Overrides that end, since the template has locked their fields. */
  dropped: FieldPointer[];
}

/** The next state of a site's documents. */
export interface SitePlan {
  documents: PlannedDocument[];
  /** Documents that the site has from a document that the template no longer has. */
  removed: StoredRow[];
  /** Whether the site has the newest version of every document. */
  isCurrent: boolean;
}

interface Planning {
  siteId: string;
  /** The template's project and configurations, in the order in which they were created. */
  template: readonly StoredRow[];
  site: readonly StoredRow[];
  links: readonly Link[];
  /** Makes an id that sorts after the ones before. */
  newId: () => string;
}

/**
 * Compares a site with its template. A document that the site has from the template follows it; one of the site's own
 * with the same name and language becomes inherited, so that it keeps its id and with it the consents of visitors.
 */
export function planSite({ siteId, template, site, links, newId }: Planning): SitePlan {
  const rows = new Map(site.map((row) => [row.id, row]));
  const linkOf = new Map(links.map((link) => [link.templateDocumentId, link]));
  const linked = new Set(links.map(({ documentId }) => documentId));
  const taken = new Set<string>();
  const pairs = template.map((source) => {
    const link = linkOf.get(source.id);
    const own = link && rows.get(link.documentId);
    // The newest, since it is the one that a project publishes of a single resource.
    const found = own ?? site.findLast((row) => !linked.has(row.id) && isSame(row, source, taken));
    if (found) taken.add(found.id);
    return { source, link: own && link, present: found, id: found?.id ?? newId() };
  });
  const ids = new Map(pairs.map(({ source, id }) => [source.id, id]));
  const documents = pairs.map((pair) => planDocument(siteId, ids, pair));
  const isLinked = pairs.every(
    ({ link, source }) => link !== undefined && link.templateVersion === source.version,
  );
  const sources = new Set(template.map(({ id }) => id));
  const removed = links.flatMap(({ documentId, templateDocumentId }) => {
    const row = rows.get(documentId);
    return row && !sources.has(templateDocumentId) ? [row] : [];
  });
  const isSettled = documents.every(({ kind }) => kind === "unchanged");
  return { documents, removed, isCurrent: isLinked && isSettled && removed.length === 0 };
}

function isSame(row: StoredRow, source: StoredRow, taken: ReadonlySet<string>): boolean {
  if (row.resource !== source.resource || taken.has(row.id)) return false;
  if (row.resource === "projects" || singleResources.has(row.resource)) return true;
  const [name, language] = [readText(row.body["name"]), row.body["language"]];
  return name !== undefined && name === source.body["name"] && language === source.body["language"];
}

interface Pair {
  source: StoredRow;
  link: Link | undefined;
  present: StoredRow | undefined;
  id: string;
}

function planDocument(
  siteId: string,
  ids: ReadonlyMap<string, string>,
  { source, link, present, id }: Pair,
): PlannedDocument {
  const { resource } = source;
  const base = withOwnReferences(source.body, ids);
  const own: JsonObject = present?.body ?? { projectId: siteId };
  const open = openFieldsOf(resource, source.body);
  const held = link?.overrides ?? (present ? findDifferent(own, base, open) : []);
  const overrides = held.filter((field) => open.includes(field));
  const body = [...siteFieldsOf(resource), ...overrides].reduce(
    (next, field) => withField(next, field, readField(own, field)),
    base,
  );
  const isUnchanged = present !== undefined && isDeepStrictEqual(present.body, body);
  return {
    kind: isUnchanged ? "unchanged" : present ? "updated" : "created",
    id,
    resource,
    body,
    source,
    overrides,
    dropped: held.filter((field) => !open.includes(field)),
  };
}

/** Fields that the site has with a value of its own. */
function findDifferent(
  own: JsonObject,
  base: JsonObject,
  fields: readonly FieldPointer[],
): FieldPointer[] {
  return fields.filter((field) => {
    const value = readField(own, field);
    return value !== undefined && !isDeepStrictEqual(value, readField(base, field));
  });
}

/** A variant of a test names the configuration that it is tested against by its name or its id. */
export function withOwnReferences(body: JsonObject, ids: ReadonlyMap<string, string>): JsonObject {
  const { variantOf } = readObject(body["settings"]);
  const id = typeof variantOf === "string" ? ids.get(variantOf) : undefined;
  return id === undefined ? body : withField(body, "/settings/variantOf", id);
}
