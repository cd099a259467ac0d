import type { Region } from "@avow/contract/regions";

/** A data protection authority that takes complaints, with its website. */
export interface Authority {
  name: string;
  url: string;
}

/** The members of the European Data Protection Board, with the addresses of all authorities of the EEA. */
export const authoritiesUrl = "https://www.edpb.europa.eu/about-edpb/about-edpb/members_en";

/**
 * By country (ISO 3166-1 alpha-2) or subdivision. Compare it with the EDPB's list of its members before a release: it was
 * not made from that list. In Germany, the federal authority lists those of the Länder.
 */
const authorities: Readonly<Record<string, readonly [name: string, url: string]>> = {
  AT: ["Datenschutzbehörde", "https://www.dsb.gv.at/"],
  BE: ["Autorité de protection des données", "https://www.dataprotectionauthority.be/"],
  BG: ["Комисия за защита на личните данни", "https://www.cpdp.bg/"],
  CH: ["EDÖB / PFPDT / IFPDT", "https://www.edoeb.admin.ch/"],
  CY: ["Commissioner for Personal Data Protection", "https://www.dataprotection.gov.cy/"],
  CZ: ["Úřad pro ochranu osobních údajů", "https://uoou.gov.cz/"],
  DE: ["BfDI", "https://www.bfdi.bund.de/"],
  DK: ["Datatilsynet", "https://www.datatilsynet.dk/"],
  EE: ["Andmekaitse Inspektsioon", "https://www.aki.ee/"],
  ES: ["Agencia Española de Protección de Datos", "https://www.aepd.es/"],
  FI: ["Tietosuojavaltuutetun toimisto", "https://tietosuoja.fi/"],
  FR: ["CNIL", "https://www.cnil.fr/"],
  GB: ["Information Commissioner’s Office", "https://ico.org.uk/make-a-complaint/"],
  GR: ["Αρχή Προστασίας Δεδομένων", "https://www.dpa.gr/"],
  HR: ["Agencija za zaštitu osobnih podataka", "https://azop.hr/"],
  HU: ["Nemzeti Adatvédelmi és Információszabadság Hatóság", "https://www.naih.hu/"],
  IE: ["Data Protection Commission", "https://www.dataprotection.ie/"],
  IS: ["Persónuvernd", "https://www.personuvernd.is/"],
  IT: ["Garante per la protezione dei dati personali", "https://www.garanteprivacy.it/"],
  LI: ["Datenschutzstelle", "https://www.datenschutzstelle.li/"],
  LT: ["Valstybinė duomenų apsaugos inspekcija", "https://vdai.lrv.lt/"],
  LU: ["Commission nationale pour la protection des données", "https://cnpd.public.lu/"],
  LV: ["Datu valsts inspekcija", "https://www.dvi.gov.lv/"],
  MT: ["Information and Data Protection Commissioner", "https://idpc.org.mt/"],
  NL: ["Autoriteit Persoonsgegevens", "https://www.autoriteitpersoonsgegevens.nl/"],
  NO: ["Datatilsynet", "https://www.datatilsynet.no/"],
  PL: ["Urząd Ochrony Danych Osobowych", "https://uodo.gov.pl/"],
  PT: ["Comissão Nacional de Proteção de Dados", "https://www.cnpd.pt/"],
  RO: ["ANSPDCP", "https://www.dataprotection.ro/"],
  SE: ["Integritetsskyddsmyndigheten", "https://www.imy.se/"],
  SI: ["Informacijski pooblaščenec", "https://www.ip-rs.si/"],
  SK: ["Úrad na ochranu osobných údajov", "https://dataprotection.gov.sk/"],
  "US-CA": ["California Privacy Protection Agency", "https://cppa.ca.gov/"],
};

/** Parts of a country with a country code of their own. */
const countryOf: Readonly<Record<string, string>> = {
  AX: "FI",
  GF: "FR",
  GP: "FR",
  MF: "FR",
  MQ: "FR",
  RE: "FR",
  YT: "FR",
};

/**
 * The authority of the place where a visitor is, since a person may complain where they live (GDPR, article 77).
 * Undefined if the region is unknown or has no such authority here.
 */
export function findAuthority(region: Region | undefined): Authority | undefined {
  if (region === undefined) return undefined;
  const country = region.slice(0, 2);
  const own = authorities[region] ?? authorities[countryOf[country] ?? country];
  return own && { name: own[0], url: own[1] };
}
