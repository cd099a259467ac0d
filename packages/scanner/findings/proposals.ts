import type { StoredItem, Vendor } from "@avow/contract/configuration";
import { soldUses } from "@avow/contract/regions";
import type { Category, ProposedVendor } from "../record/result.ts";
import type { Sighting, StoredSighting } from "./attribute.ts";

type Language = "en" | "fr";

const types: Record<Language, Record<Category, string>> = {
  en: {
    necessary: "Necessary",
    functional: "Functional",
    analytics: "Analytics",
    advertising: "Advertising",
    social: "Social media",
    media: "Media",
  },
  fr: {
    necessary: "Nécessaire",
    functional: "Fonctionnel",
    analytics: "Mesure d’audience",
    advertising: "Publicité",
    social: "Réseaux sociaux",
    media: "Médias",
  },
};

/** Purposes in French by category: the database's own texts are in English. */
const frenchPurposes: Record<Category, string> = {
  necessary: "Nécessaire au fonctionnement du service.",
  functional: "Permet une fonction du site.",
  analytics: "Mesure l’utilisation du site.",
  advertising: "Mesure et personnalise la publicité.",
  social: "Relie le site à un réseau social.",
  media: "Permet la lecture de contenus.",
};

const STORAGE_MAX = 100;
const HOSTS_MAX = 100;

/** A vendor that declares a seen service, in the shape of the vault, with English and French texts. */
export function proposeVendor(sighting: Sighting): ProposedVendor {
  return { en: toVendor(sighting, "en"), fr: toVendor(sighting, "fr") };
}

function toVendor(sighting: Sighting, language: Language): Vendor {
  const { service, category, provider, policyUrl } = sighting;
  const hosts = service ? service.hosts : [...sighting.hosts.keys()];
  const storage = [...sighting.stored.values()]
    .slice(0, STORAGE_MAX)
    .map((stored) => toItem(stored, { language, category, provider }));
  const [domain] = hosts.map((host) => host.replace(/^\*\./, "").replace(/\/.*$/, ""));
  return {
    name: sighting.id,
    title: sighting.title,
    shortDescription: service?.[language] ?? describe(sighting, language),
    type: types[language][category],
    ...(domain !== undefined && { domain }),
    ...(policyUrl !== undefined && { policyUrl }),
    ...(category === "necessary" && { required: true }),
    ...(service?.signals && { googleConsentMode: [...service.signals] }),
    uses: [...(service ? (service.uses ?? []) : usesOf(category))],
    ...(hosts.length > 0 && { hosts: hosts.slice(0, HOSTS_MAX) }),
    ...(storage.length > 0 && { storage }),
  };
}

function usesOf(category: Category): NonNullable<Vendor["uses"]> {
  return category === "advertising" ? [...soldUses] : [];
}

function describe({ category, provider }: Sighting, language: Language): string {
  if (language === "fr") return `${frenchPurposes[category]} Fournisseur : ${provider}.`;
  return `${types.en[category]} service of ${provider}.`;
}

function toItem(
  { name, kind, purpose, duration, lifetimeSeconds }: StoredSighting,
  { language, category, provider }: { language: Language; category: Category; provider: string },
): StoredItem {
  const text =
    language === "fr"
      ? frenchPurposes[category]
      : purpose === undefined || purpose === ""
        ? undefined
        : purpose;
  const known = language === "en" && duration !== "" ? duration : undefined;
  const lasting = kind === "cookie" ? (toDuration(lifetimeSeconds, language) ?? known) : undefined;
  return {
    name,
    kind,
    ...(text !== undefined && { purpose: text }),
    ...(lasting !== undefined && { duration: lasting }),
    provider,
  };
}

const DAY_SECONDS = 86_400;
const units: readonly [seconds: number, en: string, fr: string][] = [
  [365 * DAY_SECONDS, "year", "an"],
  [30 * DAY_SECONDS, "month", "mois"],
  [DAY_SECONDS, "day", "jour"],
  [3_600, "hour", "heure"],
  [60, "minute", "minute"],
];

/** The lifetime that the browser showed, such as "13 months". */
function toDuration(seconds: number | null | undefined, language: Language): string | undefined {
  if (seconds === undefined) return undefined;
  if (seconds === null) return "session";
  for (const [size, en, fr] of units) {
    const count = Math.round(seconds / size);
    // 395 days are 13 months, not a year.
    const isClose = Math.abs(seconds - count * size) <= size / 20;
    if (count < 1 || (size === 365 * DAY_SECONDS && !isClose)) continue;
    const name = language === "en" ? en : fr;
    return `${count} ${name}${count > 1 && !name.endsWith("s") ? "s" : ""}`;
  }
  return language === "en" ? "less than a minute" : "moins d’une minute";
}
