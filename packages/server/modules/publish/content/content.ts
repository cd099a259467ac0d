import canonicalize from "canonicalize";
import { createHash } from "node:crypto";
import { writeHtml } from "../../../platform/text/html.ts";
import { sanitizeFields } from "../../vault/html-fields.ts";
import type { DocumentRow } from "../../vault/access.ts";
import type { TcfContent } from "./tcf-schema.ts";
import type { Theme } from "./theme.ts";

type Fields = Record<string, unknown>;

/** A configuration as it is published: its own fields, and which one it is. */
export type Configuration = Fields & { identifier: string; projectId: string };

/** What a published file holds beside its own hash (wire section 3). */
export interface Content {
  publishedAt: string;
  projectId: string;
  projectName: unknown;
  jobId: string;
  version: number;
  shadowRoot: true;
  client: Fields;
  privacypolicy: unknown;
  dpo: Fields;
  contractsV2: Configuration[];
  portability: unknown[];
  contracts: Configuration[];
  processings: Configuration[];
  cookies: Configuration[];
  /** What the widget needs beside these; not in what was published before there was one. */
  widget?: WidgetContent;
}

/** What the widget needs to show a content, beside the content itself; published with it, so that it is proven. */
export interface WidgetContent {
  /** SHA-256 of the `widget.js` that the service gave out when this was published. */
  hash: string;
  /** What it says by itself, for each language of the configurations. */
  words: Record<string, Record<string, string>>;
  theme: Theme;
  /**
   * A digest of what is agreed to with each vendor, by configuration (with '' in a box), then those of earlier
   * versions that asked for as much or more: who has answered to none of them is asked again.
   */
  substances: Record<string, Record<string, string>>;
  /** Only where a step has the layout `iab`. */
  tcf?: TcfContent;
}

/** When a content was published, as which version, by which job. */
export type Imprint = Pick<Content, "publishedAt" | "version" | "jobId">;

/** The lists of configurations of a published file, and the vault resource that each is made of. */
export const lists = {
  cookies: "cookies",
  processings: "processings",
  contracts: "contracts",
  contractsV2: "content",
} as const;
const listNames = Object.keys(lists) as (keyof typeof lists)[];

type Source = Pick<DocumentRow, "id" | "resource" | "body">;

/**
 * What concerns the customer's account and not the visitor. The vault keeps unknown fields, so that
 * a document may hold these whatever the vault itself adds.
 */
const privateFields = new Set([
  "_id",
  "id",
  "billing",
  "createdAt",
  "createdBy",
  "identifier",
  "links",
  "metadata",
  "organizationId",
  "permissions",
  "projectId",
  "rights",
  "roles",
  "updatedAt",
  "updatedBy",
  "users",
  "warnings",
]);

/** Names that no customer's design has use for: what they hold was meant for the service. */
const rightsFields = new Set(["billing", "rights", "roles", "users"]);

/**
 * The content of a project as it is: every configuration with its vendors already written out
 * (see `writeOutVendors`), nothing private, HTML sanitised (again) in place.
 */
export function toContent(
  project: Source,
  configurations: readonly Source[],
  imprint: Imprint,
): Content {
  const listOf = (resource: string): Configuration[] =>
    configurations
      .filter((source) => source.resource === resource)
      .map((source) => toConfiguration(source, project.id));
  const dpo = configurations.findLast((source) => source.resource === "dpo");
  const { title, colors, fonts, widgetStyle, overlayStyle, DPO, privacypolicy } = project.body;
  const content: Content = {
    ...imprint,
    projectId: project.id,
    projectName: title,
    shadowRoot: true,
    client: {
      colors: colors ?? {},
      fonts: fonts ?? {},
      widgetStyle: widgetStyle ?? {},
      overlayStyle: overlayStyle ?? {},
      DPO: DPO ?? {},
    },
    privacypolicy: privacypolicy ?? {},
    dpo: dpo ? toPublic(dpo.body) : {},
    contractsV2: listOf(lists.contractsV2),
    portability: [],
    contracts: listOf(lists.contracts),
    processings: listOf(lists.processings),
    cookies: listOf(lists.cookies),
  };
  return sanitizeContent(content);
}

/** An earlier content, to be published anew. */
export function toRestoredContent(text: string, imprint: Imprint): Content {
  return sanitizeContent({ ...(JSON.parse(text) as Content), ...imprint });
}

/** The configurations of a content, as documents of the vault again. */
export function toSources(content: Content): Source[] {
  return listNames.flatMap((list) =>
    content[list].map((body) => ({ id: body.identifier, resource: lists[list], body })),
  );
}

/** The part of a document's body that anyone may see; rights and billing are left out at every depth. */
export function toPublic(body: Fields): Fields {
  const shown = Object.entries(body).filter(([name]) => !privateFields.has(name));
  return withoutRights(Object.fromEntries(shown)) as Fields;
}

function withoutRights(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutRights);
  if (typeof value !== "object" || value === null) return value;
  const shown = Object.entries(value).filter(([name]) => !rightsFields.has(name));
  return Object.fromEntries(shown.map(([name, inner]) => [name, withoutRights(inner)]));
}

/**
 * The bytes of a content and of the file that is served, and their hash. The content is written as
 * canonical JSON (RFC 8785), and `hash` is the SHA-256 of exactly those bytes, so that the immutable
 * file can be checked by any tool; the served file holds the same members and `hash`.
 */
export function toFiles(text: string): { hash: string; immutable: Buffer; served: Buffer } {
  const immutable = Buffer.from(text);
  const hash = createHash("sha256").update(immutable).digest("hex");
  const served = Buffer.from(toCanonical({ ...(JSON.parse(text) as Content), hash }));
  return { hash, immutable, served };
}

/** Canonical JSON (RFC 8785). */
export function toCanonical(value: object): string {
  const text = canonicalize(value);
  if (text === undefined) throw new Error("an object has no canonical JSON");
  return text;
}

function toConfiguration(source: Source, projectId: string): Configuration {
  return { ...toPublic(source.body), identifier: source.id, projectId };
}

function sanitizeContent(content: Content): Content {
  const clean = structuredClone(content);
  for (const list of listNames) {
    for (const configuration of clean[list]) sanitizeFields(lists[list], configuration, writeHtml);
  }
  return clean;
}
