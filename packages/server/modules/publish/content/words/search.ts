import type { WordTable } from "./languages.ts";

type Name = "search" | "noMatch" | "services";

/** Texts of long lists of vendors. */
export const search: WordTable<Name> = {
  bg: {
    search: "Търсене на услуги",
    noMatch: "Няма съвпадащи услуги.",
    services: "Услуги",
  },
  cs: {
    search: "Hledat služby",
    noMatch: "Žádná služba neodpovídá.",
    services: "Služby",
  },
  da: {
    search: "Søg efter tjenester",
    noMatch: "Ingen tjenester matcher.",
    services: "Tjenester",
  },
  de: {
    search: "Dienste suchen",
    noMatch: "Kein Dienst gefunden.",
    services: "Dienste",
  },
  el: {
    search: "Αναζήτηση υπηρεσιών",
    noMatch: "Δεν βρέθηκε υπηρεσία.",
    services: "Υπηρεσίες",
  },
  en: {
    search: "Search services",
    noMatch: "No service matches.",
    services: "Services",
  },
  es: {
    search: "Buscar servicios",
    noMatch: "Ningún servicio coincide.",
    services: "Servicios",
  },
  et: {
    search: "Otsi teenuseid",
    noMatch: "Ükski teenus ei vasta otsingule.",
    services: "Teenused",
  },
  fi: {
    search: "Hae palveluita",
    noMatch: "Hakua vastaavia palveluita ei löytynyt.",
    services: "Palvelut",
  },
  fr: {
    search: "Rechercher un service",
    noMatch: "Aucun service ne correspond.",
    services: "Services",
  },
  ga: {
    search: "Cuardaigh seirbhísí",
    noMatch: "Níor aimsíodh seirbhís ar bith.",
    services: "Seirbhísí",
  },
  hr: {
    search: "Pretraži usluge",
    noMatch: "Nijedna usluga ne odgovara.",
    services: "Usluge",
  },
  hu: {
    search: "Szolgáltatások keresése",
    noMatch: "Nincs találat.",
    services: "Szolgáltatások",
  },
  it: {
    search: "Cerca servizi",
    noMatch: "Nessun servizio trovato.",
    services: "Servizi",
  },
  lt: {
    search: "Ieškoti paslaugų",
    noMatch: "Tokių paslaugų nerasta.",
    services: "Paslaugos",
  },
  lv: {
    search: "Meklēt pakalpojumus",
    noMatch: "Neviens pakalpojums neatbilst.",
    services: "Pakalpojumi",
  },
  mt: {
    search: "Fittex servizzi",
    noMatch: "Ma nstab l-ebda servizz.",
    services: "Servizzi",
  },
  nl: {
    search: "Diensten zoeken",
    noMatch: "Geen dienst gevonden.",
    services: "Diensten",
  },
  pl: {
    search: "Szukaj usług",
    noMatch: "Brak pasujących usług.",
    services: "Usługi",
  },
  pt: {
    search: "Pesquisar serviços",
    noMatch: "Nenhum serviço corresponde.",
    services: "Serviços",
  },
  ro: {
    search: "Caută servicii",
    noMatch: "Niciun serviciu găsit.",
    services: "Servicii",
  },
  sk: {
    search: "Hľadať služby",
    noMatch: "Nezodpovedá žiadna služba.",
    services: "Služby",
  },
  sl: {
    search: "Išči storitve",
    noMatch: "Nobena storitev ne ustreza.",
    services: "Storitve",
  },
  sv: {
    search: "Sök tjänster",
    noMatch: "Ingen tjänst matchar.",
    services: "Tjänster",
  },
  ar: {
    search: "البحث عن خدمة",
    noMatch: "لا توجد خدمة مطابقة.",
    services: "الخدمات",
  },
  bn: {
    search: "পরিষেবা খুঁজুন",
    noMatch: "কোনো পরিষেবা মেলেনি।",
    services: "পরিষেবা",
  },
  hi: {
    search: "सेवाएँ खोजें",
    noMatch: "कोई मेल खाती सेवा नहीं मिली।",
    services: "सेवाएँ",
  },
  id: {
    search: "Cari layanan",
    noMatch: "Tidak ada layanan yang cocok.",
    services: "Layanan",
  },
  ja: {
    search: "サービスを検索",
    noMatch: "該当するサービスはありません。",
    services: "サービス",
  },
  ko: {
    search: "서비스 검색",
    noMatch: "일치하는 서비스가 없습니다.",
    services: "서비스",
  },
  ru: {
    search: "Поиск сервисов",
    noMatch: "Подходящих сервисов нет.",
    services: "Сервисы",
  },
  tr: {
    search: "Hizmet ara",
    noMatch: "Eşleşen hizmet yok.",
    services: "Hizmetler",
  },
  ur: {
    search: "سروسز تلاش کریں",
    noMatch: "کوئی مماثل سروس نہیں ملی۔",
    services: "سروسز",
  },
  zh: {
    search: "搜索服务",
    noMatch: "没有匹配的服务。",
    services: "服务",
  },
  nb: {
    search: "Søk etter tjenester",
    noMatch: "Ingen tjenester passer til søket.",
    services: "Tjenester",
  },
  "pt-BR": {
    search: "Pesquisar serviços",
    noMatch: "Nenhum serviço encontrado.",
    services: "Serviços",
  },
  "zh-Hant": {
    search: "搜尋服務",
    noMatch: "沒有符合的服務。",
    services: "服務",
  },
};
