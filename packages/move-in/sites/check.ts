import { GROUPS_MAX, GROUP_LENGTH_MAX, parseGroups } from "@avow/contract/groups";
import type { SiteRow } from "./table.ts";

const TITLE_LENGTH_MAX = 200;
const ADDRESS_LENGTH_MAX = 2_048;
const idPattern = /^[0-9a-f]{24}$/;

/** Something that rows name by its title or its id. */
export interface NamedDocument {
  id: string;
  name: string;
}

/** The state of the service that rows are checked against. */
export interface SiteSurroundings {
  organizations: readonly NamedDocument[];
  templates: readonly NamedDocument[];
  /** The projects whose addresses are among those of the rows. */
  existing: readonly (NamedDocument & { websiteURL: string })[];
}

export type SiteFault =
  | { code: "address missing" }
  | { code: "address invalid" }
  | { code: "title too long"; max: number }
  | { code: "too many groups"; max: number }
  | { code: "group too long"; max: number }
  | { code: "organization unknown"; name: string }
  | { code: "organization ambiguous"; name: string }
  | { code: "template unknown"; name: string }
  | { code: "template ambiguous"; name: string }
  | { code: "repeated address"; line: number };

/** The body of a project to create. */
export interface NewSite {
  title: string;
  websiteURL: string;
  groups?: string[];
  organizationId?: string;
  templateId?: string;
}

/** A row with what it would create, or why it cannot. */
export interface CheckedSite {
  row: SiteRow;
  site: NewSite;
  faults: readonly SiteFault[];
  /** A project with the same address. */
  existing: NamedDocument | undefined;
}

/** The addresses of rows as `SiteSurroundings.existing` is looked up by, each once: with both schemes, with and without a final slash. */
export function listSiteAddresses(rows: readonly SiteRow[]): readonly string[] {
  const addresses = rows.flatMap(({ websiteURL }) => {
    const url = readAddress(websiteURL);
    if (!url) return [];
    // Projects have the address as somebody typed it.
    const bare = url.href.replace(/^https?:/, "").replace(/\/$/, "");
    return ["https:", "http:"].flatMap((scheme) => [scheme + bare, `${scheme}${bare}/`]);
  });
  return [...new Set(addresses)];
}

/** Checks the rows of a table. Nothing is written; limits of plans are checked by the service at the creation. */
export function checkSites(
  rows: readonly SiteRow[],
  { organizations, templates, existing }: SiteSurroundings,
): readonly CheckedSite[] {
  const lineOf = new Map<string, number>();
  const existingAt = new Map(existing.map((one) => [toAddressKey(one.websiteURL), one]));
  return rows.map((row) => {
    const faults: SiteFault[] = [];
    const url = readAddress(row.websiteURL);
    if (!url) faults.push({ code: row.websiteURL === "" ? "address missing" : "address invalid" });
    const key = toAddressKey(row.websiteURL);
    const line = lineOf.get(key);
    if (url && line !== undefined) faults.push({ code: "repeated address", line });
    if (url && line === undefined) lineOf.set(key, row.line);
    if (row.title.length > TITLE_LENGTH_MAX)
      faults.push({ code: "title too long", max: TITLE_LENGTH_MAX });
    const groups = parseGroups(row.groups);
    if (groups.length > GROUPS_MAX) faults.push({ code: "too many groups", max: GROUPS_MAX });
    if (groups.some((name) => name.length > GROUP_LENGTH_MAX))
      faults.push({ code: "group too long", max: GROUP_LENGTH_MAX });
    const organizationId = findNamed("organization", row.organization, organizations, faults);
    const templateId = findNamed("template", row.template, templates, faults);
    const site: NewSite = {
      title: row.title === "" ? (url?.hostname.replace(/^www\./, "") ?? "") : row.title,
      websiteURL: toAddress(row.websiteURL),
      ...(groups.length > 0 && { groups }),
      ...(organizationId !== undefined && { organizationId }),
      ...(templateId !== undefined && { templateId }),
    };
    return { row, site, faults, existing: url && existingAt.get(key) };
  });
}

/** The id of the document that a cell names, by its id or its name whatever its case; undefined for an empty cell. */
function findNamed(
  kind: "organization" | "template",
  cell: string,
  documents: readonly NamedDocument[],
  faults: SiteFault[],
): string | undefined {
  if (cell === "") return undefined;
  const wanted = cell.toLowerCase();
  const found = documents.filter(({ id, name }) => id === cell || name.toLowerCase() === wanted);
  const [only] = found;
  if (only && found.length === 1) return only.id;
  // Somebody may create projects from a template or in an organization that is not listed.
  if (found.length === 0 && idPattern.test(cell)) return cell;
  faults.push({ code: found.length === 0 ? `${kind} unknown` : `${kind} ambiguous`, name: cell });
  return undefined;
}

function toAddress(cell: string): string {
  return /^https?:\/\//i.test(cell) ? cell : `https://${cell}`;
}

/** An http or https address of a host with a dot, which may lack its scheme. */
function readAddress(cell: string): URL | undefined {
  if (cell === "" || cell.length > ADDRESS_LENGTH_MAX || /\s/.test(cell)) return undefined;
  const url = URL.parse(toAddress(cell));
  const isWebsite = url && /^https?:$/.test(url.protocol) && /.\../.test(url.hostname);
  return isWebsite && url.username === "" ? url : undefined;
}

/** Two addresses of one site have the same key: the scheme, the case of the host and a final slash make no difference. */
function toAddressKey(address: string): string {
  const url = readAddress(address);
  return url ? `${url.host}${url.pathname.replace(/\/$/, "")}${url.search}` : address;
}

/** A fault in English. */
export function toSiteFaultText(fault: SiteFault): string {
  switch (fault.code) {
    case "address missing":
      return "The row has no address.";
    case "address invalid":
      return "The address is not that of a website.";
    case "title too long":
      return `The title has more than ${fault.max} characters.`;
    case "too many groups":
      return `The row has more than ${fault.max} groups.`;
    case "group too long":
      return `A group has more than ${fault.max} characters.`;
    case "organization unknown":
    case "template unknown":
      return `There is no ${fault.code.split(" ", 1)[0]} “${fault.name}” that you may use.`;
    case "organization ambiguous":
    case "template ambiguous":
      return `Several are named “${fault.name}”: use the id.`;
    default:
      return `Line ${fault.line} has the same address.`;
  }
}
