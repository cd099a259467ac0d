import {
  type Contract,
  type Cookies,
  type Processing,
  type Processor,
  type StoredDocument,
  type VendorEntry,
  isDocumentOf,
} from "@avow/contract/configuration";
import { readText } from "@avow/contract/json";
import { titleOf } from "@avow/contract/labels";
import { isVendor, vendorIdOf } from "@avow/contract/vendors";
import type { DataTx, Db } from "../../../platform/db/db.ts";
import { listVendorsOfProject } from "../../vault/documents/access.ts";
import { isGivenName } from "../../vault/documents/names.ts";
import type { Recipient } from "./agreement.ts";
import { replaceOffers } from "./offers-store.ts";
import { type AgreedOffer, assignDigests, toSubstance } from "./questions.ts";

interface Stored<Body> {
  id: string;
  body: Body;
}

const COOKIES_EXPIRE_AFTER_DAYS = 180;
const EXPIRES_AFTER_DAYS_MAX = 3_650;

/**
 * The offers of these configurations, in order. Vendors must be resolved (see `resolveVendors`): unresolved ids and
 * other kinds of documents are left out.
 */
export function toOffers(configurations: readonly StoredDocument[]): AgreedOffer[] {
  return configurations.flatMap((document) => {
    if (isDocumentOf(document, "cookies")) return toBannerOffers(document);
    if (isDocumentOf(document, "processings")) return [toProcessingOffer(document)];
    return isDocumentOf(document, "contracts") ? [toContractOffer(document)] : [];
  });
}

/**
 * Stores the offers of a version before it is published, as the first step of its publication. Another call for the same
 * version replaces them. `newest`: the newest version that was published.
 */
export async function recordOffers(
  tx: DataTx,
  publication: {
    projectId: string;
    version: number;
    newest: number;
    configurations: readonly StoredDocument[];
  },
): Promise<void> {
  const { projectId, version, newest, configurations } = publication;
  const settled = await assignDigests(tx, {
    projectId,
    before: version,
    offers: toOffers(configurations),
  });
  await replaceOffers(tx, { projectId, version, newest, offers: settled });
}

/** The same configurations of a project with ids of vault vendors replaced by these vendors. */
export async function resolveVendors(
  db: Db,
  projectId: string,
  configurations: readonly StoredDocument[],
): Promise<StoredDocument[]> {
  const ids = configurations.flatMap(listVendors).flatMap((entry) => vendorIdOf(entry) ?? []);
  const rows = await listVendorsOfProject(db, projectId, [...new Set(ids)]);
  const byId = new Map(rows.map((row) => [row.id, row.body]));
  return configurations.map((document) => {
    if (!isDocumentOf(document, "cookies")) return document;
    const steps = (document.body.steps ?? []).map((step) => ({
      ...step,
      vendors: (step.vendors ?? []).map((entry) => byId.get(vendorIdOf(entry) ?? "") ?? entry),
    }));
    return { ...document, body: { ...document.body, steps } };
  });
}

function toBannerOffers({ id, body }: Stored<Cookies>): AgreedOffer[] {
  const expiresAfterDays = toExpiry(body) ?? COOKIES_EXPIRE_AFTER_DAYS;
  const shared = { identifier: id, collection: "cookies", expiresAfterDays, covers: [] } as const;
  const vendors = new Map<string, AgreedOffer>();
  for (const vendor of listVendors({ id, resource: "cookies", body })) {
    if (!isVendor(vendor)) continue;
    const { name: item, title, domain, type, googleConsentMode, required, policyUrl } = vendor;
    // A slug names one vendor of the configuration: the first (wire section 2).
    if (!item || vendors.has(item)) continue;
    const agreed = { name: item, domain, type, googleConsentMode };
    vendors.set(item, {
      ...shared,
      item,
      name: title || item,
      agreed: { ...agreed, title, policyHost: hostOf(policyUrl) },
      substance: toSubstance(agreed),
      required: required === true,
    });
  }
  // The banner as a whole has a constant substance: each of its vendors has its own.
  const name = titleOf(body) ?? id;
  const whole = { ...shared, item: "", name, required: false, agreed: {} };
  return [{ ...whole, substance: toSubstance("cookies") }, ...vendors.values()];
}

function toProcessingOffer({ id, body }: Stored<Processing>): AgreedOffer {
  const { processors = [] } = body;
  const agreed = {
    purpose: body.purpose,
    personalDataTypes: (body.personalDataTypes ?? []).toSorted(),
    processors: processors.map(({ name = "" }) => name).toSorted(),
    automatedDecisions: body.automatedDecisions === true,
    storageDuration: body.storageDuration,
  };
  return {
    ...toBoxOffer(id, body),
    collection: "processings",
    name: titleOf(body) ?? id,
    agreed: { ...agreed, recipients: processors.map(toRecipient) },
    substance: toSubstance(agreed),
  };
}

function toContractOffer({ id, body }: Stored<Contract>): AgreedOffer {
  const agreed = { file: toHash(body.file) };
  return {
    ...toBoxOffer(id, body),
    collection: "contracts",
    name: (!isGivenName(id, body) && body.name) || (titleOf(body) ?? id),
    agreed,
    substance: toSubstance(agreed),
  };
}

function toBoxOffer(identifier: string, body: Processing | Contract) {
  const expiresAfterDays = toExpiry(body);
  return { identifier, item: "", expiresAfterDays, covers: [], required: false };
}

/** The hash of a document whose URL contains it, whatever the host; otherwise the URL. */
function toHash(file = ""): string | undefined {
  return /\/[0-9a-f]{24}\/([0-9a-f]{64})\.[a-z]+$/.exec(file)?.[1] ?? (file || undefined);
}

function toRecipient({ name = "", website, country }: Processor): Recipient {
  return { name, host: hostOf(website), country: readText(country) ?? "" };
}

function hostOf(url = ""): string {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, "") : "";
}

/** Days until an answer expires; null: not set or invalid. */
function toExpiry({ settings }: Cookies | Processing | Contract): number | null {
  const days = settings?.expiresAfterDays;
  const isValid = Number.isInteger(days) && Number(days) >= 1;
  return isValid && Number(days) <= EXPIRES_AFTER_DAYS_MAX ? Number(days) : null;
}

function listVendors(document: StoredDocument): VendorEntry[] {
  const steps = isDocumentOf(document, "cookies") ? (document.body.steps ?? []) : [];
  return steps.flatMap(({ vendors }) => vendors ?? []);
}
