import type { Db, Tx } from "../../../platform/db/db.ts";
import { type DocumentRow, listDocumentsById } from "../../vault/access.ts";
import type { Agreed } from "./agreement.ts";
import { type Collection, isCollection } from "./offer.ts";
import { replaceOffers } from "./offers-store.ts";
import { type AgreedOffer, settleOffers, toSubstance } from "./questions.ts";

/** A configuration as the vault keeps it, or as it was published. */
export type Configuration = Pick<DocumentRow, "id" | "resource" | "body">;

type Fields = Record<string, unknown>;

const COOKIES_EXPIRE_AFTER_DAYS = 180;
const EXPIRES_AFTER_DAYS_MAX = 3_650;

/**
 * What `configurations` offer, in their order. Vendors are to be written out (see
 * `writeOutVendors`): one that is still a string is left out, as is any other kind of document.
 */
export function toOffers(configurations: readonly Configuration[]): AgreedOffer[] {
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
  const settled = await settleOffers(tx, {
    projectId,
    before: version,
    offers: toOffers(configurations),
  });
  await replaceOffers(tx, { projectId, version, offers: settled });
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

function toConfigurationOffers({ id, body }: Configuration, collection: Collection): AgreedOffer[] {
  const expiresAfterDays = toExpiry(body, collection);
  const shared = { identifier: id, collection, expiresAfterDays, covers: [] };
  const whole = { ...shared, item: "", name: nameOf(body, collection) || id, required: false };
  if (collection !== "cookies") {
    const agreed = agreedOf(body, collection);
    const recipients = listOf(body["processors"]).map(toRecipient);
    const inFull = collection === "processings" ? { ...agreed, recipients } : agreed;
    return [{ ...whole, agreed: inFull, substance: toSubstance(agreed) }];
  }
  const vendors = new Map<string, AgreedOffer>();
  for (const vendor of vendorsOf({ id, resource: collection, body })) {
    const fields = fieldsOf(vendor);
    const { name: item, title, domain, type, googleConsentMode, required } = fields;
    // A slug names one vendor of the configuration: the first (wire section 2).
    if (typeof item !== "string" || item === "" || vendors.has(item)) continue;
    const agreed = { name: item, domain, type, googleConsentMode };
    vendors.set(item, {
      ...shared,
      item,
      name: textOf(title) || item,
      agreed: { ...agreed, title, policyHost: hostOf(fields["policyUrl"]) },
      substance: toSubstance(agreed),
      required: required === true,
    });
  }
  // What a cookie banner asks for is its vendors, and each has a substance of its own.
  return [{ ...whole, agreed: {}, substance: toSubstance("cookies") }, ...vendors.values()];
}

function agreedOf(body: Fields, collection: Exclude<Collection, "cookies">): Agreed {
  if (collection === "contracts") return { file: toHash(body["file"]) };
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

/** A document that is published under its hash is that hash, wherever it lies. */
function toHash(file: unknown): unknown {
  return /\/[0-9a-f]{24}\/([0-9a-f]{64})\.[a-z]+$/.exec(textOf(file))?.[1] ?? file;
}

function toRecipient(processor: unknown): Fields {
  const { name, website, country } = fieldsOf(processor);
  return { name: textOf(name), host: hostOf(website), country: textOf(country) };
}

function hostOf(url: unknown): string {
  return URL.canParse(textOf(url)) ? new URL(textOf(url)).hostname.replace(/^www\./, "") : "";
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
