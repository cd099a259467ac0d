import type { ScanResult, Vendor } from "@avow/client/operations";
import { type Proposed, services, toTextLanguage, toVendor } from "./banner.ts";
import { type Kind, type TextLanguage, texts } from "./texts.ts";

const UNKNOWN_MAX = 50;

/** Common services to tick, where no scan has looked at the website. */
export const commonServices: readonly Proposed[] = services.map((one) => ({
  name: one.name,
  title: one.title,
  kind: one.kind,
  vendors: (language) => toVendor(one, language),
}));

/** The services that a scan has recognised, with their categories. */
export function listFound({ vendors, services: seen }: ScanResult): Proposed[] {
  return vendors.map(({ en, fr }) => ({
    name: en.name,
    title: en.title ?? en.name,
    kind: seen.find(({ id }) => id === en.name)?.category ?? "functional",
    vendors: (language) => toLocalized({ en, fr }, language),
  }));
}

/** Hosts that a scan has seen and cannot name. */
export function listUnknownHosts({ findings }: ScanResult): string[] {
  const hosts = findings.filter(({ subject }) => subject === "host").map(({ name }) => name);
  return [...new Set(hosts)].slice(0, UNKNOWN_MAX);
}

/** A vendor for an unknown host, in the category that the user chose. */
export function toHostVendor(host: string, kind: Kind): Proposed {
  const name = host.replaceAll(/[^a-z0-9]+/gi, "_");
  const vendor = (language: TextLanguage): Vendor => ({
    name,
    title: host,
    domain: host,
    hosts: [host],
    type: texts[language].kinds[kind].title,
    ...(kind === "necessary" && { required: true }),
  });
  return { name, title: host, kind, vendors: vendor };
}

/** The language of the website by its scan, if there are texts in it. */
export function findScannedLanguage({ appearance }: ScanResult): TextLanguage | undefined {
  return appearance?.languages
    .map((tag) => toTextLanguage(tag.split("-")[0] ?? ""))
    .find((one) => one !== undefined);
}

/** Scans have texts in English and French. In other languages, a vendor has its name only: no text is better than a foreign one. */
function toLocalized({ en, fr }: ScanResult["vendors"][number], language: TextLanguage): Vendor {
  if (language === "en" || language === "fr") return language === "fr" ? fr : en;
  const { shortDescription: _text, type: _type, storage, ...named } = en;
  return {
    ...named,
    ...(storage && {
      storage: storage.map(({ purpose: _purpose, duration: _d, ...item }) => item),
    }),
  };
}
