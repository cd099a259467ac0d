import { isVendor } from "@avow/contract/vendors";
import { type Step, type Vendor, listVaultVendors } from "@avow/client/operations";
import { send } from "../../../api/send.ts";
import { type Doc, listDocuments } from "../../../data/documents/documents.ts";
import { services, toVendor } from "../../../ready-made/banner.ts";
import { type TextLanguage, textLanguages } from "../../../ready-made/texts.ts";

/** A vendor to add to a step: as an object, or by the id of a saved vendor. */
export interface KnownVendor {
  source: "used" | "vault" | "known";
  name: string;
  title: string;
  domain: string;
  value: Vendor | string;
}

const LISTED_MAX = 1_000;

/**
 * Vendors to choose from: those of the project's banners, those saved in the vault, and well-known ones in the
 * banner's language if it has texts. @throws Problem
 */
export async function readKnownVendors(
  projectId: string,
  language: string | undefined,
): Promise<KnownVendor[]> {
  const [banners, kept] = await Promise.all([
    listDocuments("cookies", projectId),
    send(listVaultVendors, { query: { perPage: LISTED_MAX } }),
  ]);
  const spoken = language?.split("-", 1)[0];
  const text: TextLanguage = textLanguages.find((one) => one === spoken) ?? "en";
  const all: KnownVendor[] = [
    ...banners.flatMap(vendorsOf).map((one) => toKnown("used", one, one)),
    ...kept
      .filter((one) => one.projectId === undefined || one.projectId === projectId)
      .map((one) => toKnown("vault", one as Vendor, one.id)),
    ...services.map((one) => toVendor(one, text)).map((one) => toKnown("known", one, one)),
  ];
  // Duplicates are removed by name. The first one wins, which has the project's own texts.
  return all.filter((one, at) => all.findIndex(({ name }) => name === one.name) === at);
}

function toKnown(
  source: KnownVendor["source"],
  { name, title, domain }: Vendor,
  value: KnownVendor["value"],
): KnownVendor {
  return { source, name, title: title || name, domain: domain ?? "", value };
}

function vendorsOf(banner: Doc): Vendor[] {
  const steps = (banner["steps"] ?? []) as Step[];
  return steps.flatMap(({ vendors = [] }) => vendors).filter((one) => isVendor(one));
}

/** A slug from the title of a custom vendor. */
export function toSlug(title: string): string {
  const plain = title.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return (
    plain
      .replace(/[^a-z0-9]+/g, "_")
      .replace(/^_+|_+$/g, "")
      .slice(0, 100) || "vendor"
  );
}
