import { type Vendor, listVaultVendors } from "@avow/client/operations";
import { send } from "../../../api/send.ts";
import { type Doc, listDocuments } from "../../../data/documents/documents.ts";
import { services, toVendor } from "../../../ready-made/banner.ts";
import { type TextLanguage, textLanguages } from "../../../ready-made/texts.ts";

/** A vendor that can be put into a step: written out, or by the id that it is kept under. */
export interface KnownVendor {
  source: "used" | "vault" | "known";
  name: string;
  title: string;
  domain: string;
  value: Vendor | string;
}

const LISTED_MAX = 1_000;

/**
 * Vendors to pick from: those of the project's banners, those that are kept in the vault, and well-known ones
 * in the banner's language where it has their texts. @throws Problem
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
  // A vendor is the same wherever it is found: the first, which the project's own texts tell of, counts.
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
  const steps = (banner["steps"] ?? []) as { vendors?: (Vendor | string)[] }[];
  return steps.flatMap(({ vendors = [] }) => vendors).filter((one) => typeof one !== "string");
}

/** A slug for somebody's own vendor, from how they call it. */
export function toSlug(title: string): string {
  const plain = title.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return (
    plain
      .replace(/[^a-z0-9]+/g, "_")
      .replace(/^_+|_+$/g, "")
      .slice(0, 100) || "vendor"
  );
}
