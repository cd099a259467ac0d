import canonicalize from "canonicalize";
import { createHash } from "node:crypto";
import { writeHtml } from "../../../platform/text/html.ts";
import {
  CLIENT_FIELDS,
  privateFields,
  releasedFields,
  rightsFields,
} from "../../vault/schemas/client-fields.ts";
import { sanitizeFields } from "../../vault/schemas/html-fields.ts";
import { type Project, type StoredDocument, isDocumentOf } from "@avow/contract/configuration";
import { type JsonObject, isObject, readText } from "@avow/contract/json";
import { expandRegions } from "@avow/contract/regions";
import {
  type Content,
  type ListName,
  type PublishedCookies,
  type PublishedLists,
  listNames,
  lists,
  parseContent,
} from "@avow/contract/published";

import { withIdentities } from "./identities.ts";

/** The time, version and job of a publication. */
export type Imprint = Pick<Content, "publishedAt" | "version" | "jobId">;

/**
 * The content of a project: its configurations with vendor ids already resolved (see `resolveVendors`),
 * without private fields, and with HTML sanitized again.
 */
export function toContent(
  project: { id: string; body: Project },
  configurations: readonly StoredDocument[],
  imprint: Imprint,
): Content {
  // With vendor ids resolved, a body has the fields of its list.
  const toList = <L extends ListName>(list: L): PublishedLists[L] =>
    configurations
      .filter(({ resource }) => resource === lists[list])
      .map(({ id, body }) => ({
        ...toPublic(body),
        identifier: id,
        projectId: project.id,
      }));
  const dpo = configurations.findLast((document) => isDocumentOf(document, "dpo"));
  const { title, locales, colors, fonts, widgetStyle, overlayStyle, DPO, privacypolicy } =
    project.body;
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
    contractsV2: toList("contractsV2"),
    portability: [],
    contracts: toList("contracts"),
    processings: toList("processings"),
    cookies: toList("cookies").map(withRegions),
  };
  return sanitizeContent(withIdentities(content, { locales }));
}

/**
 * An earlier content with a new imprint. Configurations that were published without a name get that of the vault's
 * documents.
 */
export function toRestoredContent(
  text: string,
  imprint: Imprint,
  { locales }: Pick<Project, "locales">,
  stored: readonly StoredDocument[],
): Content {
  const names = new Map(
    stored.flatMap(({ id, body }): [string, string][] => {
      const name = readText(body["name"]);
      return name === undefined ? [] : [[id, name]];
    }),
  );
  return sanitizeContent(withIdentities({ ...parseContent(text), ...imprint }, { locales, names }));
}

/** The same configuration with the regions of each rule instead of their groups, so that proofs contain them. */
function withRegions(configuration: PublishedCookies): PublishedCookies {
  const { regions } = configuration;
  if (!regions) return configuration;
  const expanded = regions.map((rule) => ({ ...rule, in: expandRegions(rule.in) }));
  return { ...configuration, regions: expanded };
}

/** The configurations of a content, converted back to vault documents. */
export function toSources(content: Content): StoredDocument[] {
  return listNames.flatMap((list) =>
    content[list].map((body) => ({ id: body.identifier, resource: lists[list], body })),
  );
}

/**
 * The public part of a document's body. The client's own fields with the name of a service field get this name again;
 * rights and billing are left out at every depth.
 */
export function toPublic<T extends JsonObject>(body: T): Partial<T> {
  const { [CLIENT_FIELDS]: own, ...fields } = body as JsonObject;
  const released = isObject(own) ? release(own) : { [CLIENT_FIELDS]: own };
  const entries = Object.entries({ ...fields, ...released }).filter(
    ([name, value]) => !privateFields.has(name) && value !== undefined,
  );
  return withoutRights(Object.fromEntries(entries)) as Partial<T>;
}

/** Only fields that the service reserves, since the others of `_client` are not checked by any schema. */
function release(own: JsonObject): JsonObject {
  const entries = Object.entries(own).filter(([name]) => !privateFields.has(name));
  const [released = [], others = []] = [true, false].map((isReleased) =>
    entries.filter(([name]) => releasedFields.has(name) === isReleased),
  );
  return {
    ...Object.fromEntries(released),
    ...(others.length > 0 && { [CLIENT_FIELDS]: Object.fromEntries(others) }),
  };
}

function withoutRights(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutRights);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([name]) => !rightsFields.has(name));
  return Object.fromEntries(entries.map(([name, inner]) => [name, withoutRights(inner)]));
}

/**
 * The bytes of the immutable file and of the served file, and their hash. The immutable file is canonical
 * JSON (RFC 8785), and `hash` is the SHA-256 of exactly its bytes, so that any tool can verify it. The served
 * file has the same members and `hash`.
 */
export function toFiles(text: string): { hash: string; immutable: Buffer; served: Buffer } {
  const immutable = Buffer.from(text);
  const hash = createHash("sha256").update(immutable).digest("hex");
  const served = Buffer.from(toCanonical({ ...parseContent(text), hash }));
  return { hash, immutable, served };
}

/** Canonical JSON (RFC 8785). */
export function toCanonical(value: object): string {
  const text = canonicalize(value);
  if (text === undefined) throw new Error("an object has no canonical JSON");
  return text;
}

function sanitizeContent(content: Content): Content {
  const clean = structuredClone(content);
  for (const list of listNames) {
    for (const configuration of clean[list]) sanitizeFields(lists[list], configuration, writeHtml);
  }
  return clean;
}
