import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import type { Db, Tx } from "../../platform/db/db.ts";
import { type DocumentRow, listDocumentsById } from "../vault/access.ts";
import { type Collection, type Offer, isCollection } from "./offer.ts";
import { replaceOffers } from "./offers-store.ts";

/** A configuration as the vault keeps it, or as it was published. */
export type Configuration = Pick<DocumentRow, "id" | "resource" | "body">;

type Fields = Record<string, unknown>;

const COOKIES_EXPIRE_AFTER_DAYS = 180;
const EXPIRES_AFTER_DAYS_MAX = 3_650;
const SUBSTANCE_LENGTH = 16;

/**
 * What `configurations` offer, in their order. Vendors are to be written out (see
 * `writeOutVendors`): one that is still a string is left out, as is any other kind of document.
 */
export function toOffers(configurations: readonly Configuration[]): Offer[] {
  return configurations.flatMap((configuration) =>
    isCollection(configuration.resource)
      ? toConfigurationOffers(configuration, configuration.resource)
      : [],
  );
}

/**
 * Keeps what a version of a project offers, in the transaction that publishes it; called again for
 * the same version, the last call counts.
 */
export async function recordOffers(
  tx: Tx,
  publication: {
    projectId: string;
    version: number;
    configurations: readonly Configuration[];
  },
): Promise<void> {
  const { projectId, version, configurations } = publication;
  await replaceOffers(tx, { projectId, version, offers: toOffers(configurations) });
}

/** The same configurations with every vendor that is the id of a vault vendor written out. */
export async function writeOutVendors(
  db: Db | Tx,
  configurations: readonly Configuration[],
): Promise<Configuration[]> {
  const ids = configurations.flatMap(vendorsOf).filter((vendor) => typeof vendor === "string");
  const rows = await listDocumentsById(db, { resource: "vendors", ids: [...new Set(ids)] });
  const byId = new Map(rows.map((row) => [row.id, row.body]));
  return configurations.map((configuration) => {
    if (configuration.resource !== "cookies") return configuration;
    const steps = listOf(configuration.body["steps"]).map((step) => ({
      ...fieldsOf(step),
      vendors: listOf(fieldsOf(step)["vendors"]).map((vendor) =>
        typeof vendor === "string" ? (byId.get(vendor) ?? vendor) : vendor,
      ),
    }));
    return {
      id: configuration.id,
      resource: configuration.resource,
      body: { ...configuration.body, steps },
    };
  });
}

function toConfigurationOffers({ id, body }: Configuration, collection: Collection): Offer[] {
  const expiresAfterDays = toExpiry(body, collection);
  const shared = { identifier: id, collection, expiresAfterDays };
  const whole: Offer = {
    ...shared,
    item: "",
    name: nameOf(body, collection) || id,
    substance: digest(substanceOf(body, collection)),
    required: false,
  };
  if (collection !== "cookies") return [whole];
  const vendors = new Map<string, Offer>();
  for (const vendor of vendorsOf({ id, resource: collection, body })) {
    const { name: item, title, domain, type, googleConsentMode, required } = fieldsOf(vendor);
    // A slug names one vendor of the configuration: the first (wire section 2).
    if (typeof item !== "string" || item === "" || vendors.has(item)) continue;
    vendors.set(item, {
      ...shared,
      item,
      name: textOf(title) || item,
      substance: digest({ name: item, domain, type, googleConsentMode }),
      required: required === true,
    });
  }
  return [whole, ...vendors.values()];
}

function substanceOf(body: Fields, collection: Collection): unknown {
  // What a cookie banner asks for is its vendors, and each has a substance of its own.
  if (collection === "cookies") return "cookies";
  if (collection === "contracts") return { file: body["file"] };
  return {
    purpose: body["purpose"],
    personalDataTypes: listOf(body["personalDataTypes"]).map(textOf).toSorted(),
    processors: listOf(body["processors"])
      .map((processor) => textOf(fieldsOf(processor)["name"]))
      .toSorted(),
    automatedDecisions: body["automatedDecisions"] === true,
    storageDuration: body["storageDuration"],
  };
}

function nameOf(body: Fields, collection: Collection): string {
  const [name, title] = [textOf(body["name"]), textOf(body["title"])];
  return collection === "contracts" ? name || title : title || name;
}

function toExpiry(body: Fields, collection: Collection): number | null {
  const days = fieldsOf(body["settings"])["expiresAfterDays"];
  const valid = Number.isInteger(days) && Number(days) >= 1;
  if (valid && Number(days) <= EXPIRES_AFTER_DAYS_MAX) return Number(days);
  return collection === "cookies" ? COOKIES_EXPIRE_AFTER_DAYS : null;
}

function vendorsOf({ resource, body }: Configuration): unknown[] {
  if (resource !== "cookies") return [];
  return listOf(body["steps"]).flatMap((step) => listOf(fieldsOf(step)["vendors"]));
}

function digest(agreed: unknown): string {
  const text = canonicalize(agreed) ?? "";
  return createHash("sha256").update(text).digest("hex").slice(0, SUBSTANCE_LENGTH);
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {};
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
