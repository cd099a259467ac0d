import type { Vendor } from "@avow/contract/configuration";

/** Up to this number, the preference center has no search (`center.ts` of the widget). */
const VENDORS_SHOWN = 10;

interface CenterWords {
  /** Texts of long lists of vendors. */
  search: Record<"search" | "noMatch" | "services", string>;
  /** Texts of the cookies and storage keys of vendors. */
  storage: Record<"storage" | "duration" | "provider", string>;
}

const en: CenterWords = {
  search: { search: "Search services", noMatch: "No service matches.", services: "Services" },
  storage: { storage: "Cookies and storage", duration: "Duration", provider: "Provider" },
};

const languages: Record<string, CenterWords> = {
  en,
  fr: {
    search: {
      search: "Rechercher un service",
      noMatch: "Aucun service ne correspond.",
      services: "Services",
    },
    storage: { storage: "Cookies et stockage", duration: "Durée", provider: "Fournisseur" },
  },
  de: {
    search: { search: "Dienste suchen", noMatch: "Kein Dienst gefunden.", services: "Dienste" },
    storage: { storage: "Cookies und Speicher", duration: "Dauer", provider: "Anbieter" },
  },
  es: {
    search: {
      search: "Buscar servicios",
      noMatch: "Ningún servicio coincide.",
      services: "Servicios",
    },
    storage: { storage: "Cookies y almacenamiento", duration: "Duración", provider: "Proveedor" },
  },
  it: {
    search: { search: "Cerca servizi", noMatch: "Nessun servizio trovato.", services: "Servizi" },
    storage: { storage: "Cookie e archiviazione", duration: "Durata", provider: "Fornitore" },
  },
  nl: {
    search: { search: "Diensten zoeken", noMatch: "Geen dienst gevonden.", services: "Diensten" },
    storage: { storage: "Cookies en opslag", duration: "Duur", provider: "Aanbieder" },
  },
  ar: {
    search: {
      search: "البحث عن خدمة",
      noMatch: "لا توجد خدمة مطابقة.",
      services: "الخدمات",
    },
    storage: { storage: "ملفات الارتباط والتخزين", duration: "المدة", provider: "المزوّد" },
  },
};

/** The texts of the preference center that these vendors need, with the fallbacks of `wordsOf`. */
export function centerWordsOf(
  language: string,
  vendors: readonly Vendor[],
): Partial<Record<string, string>> {
  const { search, storage } = languages[language.toLowerCase().split("-", 1)[0] ?? ""] ?? en;
  return {
    ...(vendors.length > VENDORS_SHOWN && search),
    ...(vendors.some((one) => one.storage?.length) && storage),
  };
}
