import type { JsonObject } from "@avow/contract/json";
import files from "./files.json" with { type: "json" };

/** One situation of a visitor, and an action. */
export interface VectorCase {
  name: string;
  file: keyof typeof files;
  /** RFC 3339; the device's clock. */
  now: string;
  /** Options of `createConsent`, and those that a core in another language has likewise. */
  options?: JsonObject;
  /** Texts on the device before, by their keys. */
  stored?: Record<string, string | string[]>;
  /** Responses of the service by the last part of their path; without one, the service is unreachable. */
  responses?: Record<string, { status: number; body: unknown }>;
  /** Runs after the start. */
  act?:
    | { answer: boolean | Record<string, boolean> }
    | { answerTcf: { purposes: number[]; vendors: number[]; specialFeatures: number[] } }
    | { form: string; accept: boolean };
}

const now = "2026-02-01T12:00:00.000Z";
const [english, french] = files.shop.cookies;
const [news] = files.shop.processings;
const [regional] = files.regions.cookies;
const substances = files.shop.widget.substances as Record<string, Record<string, string>>;
const newsDigest = substances[news?.identifier ?? ""]?.[""] ?? "";
const { count: countDigest = "", ads: adsDigest = "" } =
  substances[english?.identifier ?? ""] ?? {};

/** The text of the answers: JSON, percent-encoded. */
function toText(members: object): string {
  return encodeURIComponent(JSON.stringify(members));
}

function toStored(members: object) {
  return { axeptio_cookies: toText(members) };
}

const answered = {
  $$token: "visitor-1",
  $$date: "2026-01-31T12:00:00.000Z",
  $$cookiesVersion: { name: "app-en", identifier: english?.identifier ?? "" },
  $$completed: true,
  $$asked: { count: countDigest, ads: adsDigest },
  count: true,
  ads: false,
};

/** The service accepts consents and issues tickets. */
const online = {
  tickets: { status: 200, body: { ticket: "ticket-1", version: 1, expiresAt: now } },
  consents: { status: 200, body: [{ consentId: "consent-1", accept: true, grade: "ticketed" }] },
};

const shop = { file: "shop", now } as const;
const california = { file: "regions", now, options: { region: "US-CA" } } as const;

/** All cases, in the order of the page that describes the protocol. */
export const cases: readonly VectorCase[] = [
  { name: "selection: the default without a language", ...shop },
  { name: "selection: by language", ...shop, options: { languages: ["fr-FR", "en"] } },
  { name: "selection: by language, then by country", ...shop, options: { languages: ["fr-CA"] } },
  {
    name: "selection: a country that is set instead of that of the language",
    ...shop,
    options: { languages: ["fr-FR"], country: "CA" },
  },
  {
    name: "selection: the first language that exists",
    ...shop,
    options: { languages: ["de-DE", "fr"] },
  },
  { name: "selection: the default for another language", ...shop, options: { languages: ["de"] } },
  { name: "selection: by name", ...shop, options: { cookies: "app-fr", languages: ["en"] } },
  {
    name: "selection: by the path of the page",
    ...shop,
    options: { page: "https://shop.example/games/chess" },
  },
  { name: "answers: a valid answer", ...shop, stored: toStored(answered) },
  {
    name: "answers: a vendor without an answer is pending",
    ...shop,
    stored: toStored({
      ...answered,
      $$asked: { count: countDigest },
      ads: undefined,
    }),
  },
  {
    name: "answers: a material change makes a vendor pending",
    ...shop,
    stored: toStored({ ...answered, $$asked: { count: "00000000", ads: adsDigest } }),
  },
  {
    name: "answers: valid in another language with the same digests",
    ...shop,
    options: { languages: ["fr"] },
    stored: toStored(answered),
  },
  {
    name: "answers: expired after 180 days",
    ...shop,
    now: "2026-07-31T12:00:00.000Z",
    stored: toStored(answered),
  },
  {
    name: "answers: a date that far in the future is of a wrong clock",
    ...shop,
    stored: toStored({ ...answered, $$date: "2026-08-31T12:00:00.000Z" }),
  },
  {
    name: "answers: the newest of several texts",
    ...shop,
    stored: {
      axeptio_cookies: [
        toText({ ...answered, $$date: "2026-01-30T12:00:00.000Z", ads: true }),
        toText(answered),
      ],
    },
  },
  { name: "answers: a corrupt text counts as none", ...shop, stored: { axeptio_cookies: "%7B" } },
  {
    name: "answers: newer ones of the service are adopted",
    ...shop,
    options: { token: "visitor-1" },
    stored: toStored(answered),
    responses: {
      answers: {
        status: 200,
        body: {
          readAt: now,
          answers: [
            {
              identifier: english?.identifier,
              item: "count",
              status: "withdrawn",
              since: "2026-02-01T11:00:00.000Z",
            },
            {
              identifier: english?.identifier,
              item: "ads",
              status: "accepted",
              since: "2026-01-01T11:00:00.000Z",
            },
          ],
        },
      },
    },
  },
  {
    name: "record: acceptance with a ticket",
    ...shop,
    responses: online,
    act: { answer: true },
  },
  {
    name: "record: an answer for each vendor",
    ...shop,
    options: { token: "customer-7", languages: [french?.language ?? ""] },
    responses: online,
    act: { answer: { count: true, ads: false } },
  },
  {
    name: "record: a ticket of another version is not sent",
    ...shop,
    responses: {
      ...online,
      tickets: { status: 200, body: { ticket: "ticket-1", version: 2, expiresAt: now } },
    },
    act: { answer: false },
  },
  { name: "record: kept while the service is unreachable", ...shop, act: { answer: false } },
  { name: "forms: an answer", ...shop, responses: online, act: { form: "news", accept: true } },
  {
    name: "forms: a valid answer is 29 days old, and valid for 30",
    ...shop,
    options: { token: "visitor-1" },
    stored: toForms("2026-01-03T12:00:00.000Z", newsDigest),
  },
  {
    name: "forms: expired",
    ...shop,
    options: { token: "visitor-1" },
    stored: toForms("2026-01-02T11:00:00.000Z", newsDigest),
  },
  {
    name: "forms: an answer of another visitor of the device",
    ...shop,
    options: { token: "visitor-2" },
    stored: toForms("2026-01-03T12:00:00.000Z", newsDigest),
  },
  {
    name: "forms: given before a material change",
    ...shop,
    options: { token: "visitor-1" },
    stored: toForms("2026-01-03T12:00:00.000Z", "00000000"),
  },
  { name: "regions: an opt-out region runs vendors before an answer", ...california },
  {
    name: "regions: Global Privacy Control opts out",
    ...california,
    options: { region: "US-CA", gpc: true },
    responses: online,
  },
  {
    name: "regions: an opt-out",
    ...california,
    responses: online,
    act: { answer: { ads: false } },
  },
  {
    name: "regions: an answer holds in another region",
    file: "regions",
    now,
    options: { region: "FR" },
    stored: toStored({
      ...answered,
      $$cookiesVersion: { name: "app", identifier: regional?.identifier ?? "" },
      $$asked:
        files.regions.widget.substances[
          (regional?.identifier ?? "") as keyof typeof files.regions.widget.substances
        ],
    }),
  },
  { name: "regions: a region without a banner", file: "regions", now, options: { region: "JP" } },
  {
    name: "regions: an unknown region asks first",
    file: "regions",
    now,
    options: { region: null },
  },
  {
    name: "regions: found by the service",
    file: "regions",
    now,
    responses: { region: { status: 200, body: { region: "US-CA", gpc: false } } },
  },
  { name: "keys: before an answer", file: "tcf", now },
  {
    name: "keys: an answer by TCF",
    file: "tcf",
    now,
    responses: online,
    act: { answerTcf: { purposes: [1], vendors: [2, 9], specialFeatures: [1] } },
  },
  {
    name: "keys: outside of the GDPR",
    file: "tcfByRegion",
    now,
    options: { region: "BR" },
    responses: online,
    act: { answerTcf: { purposes: [], vendors: [], specialFeatures: [] } },
  },
];

function toForms(date: string, substance: string): Record<string, string> {
  const answer = { accept: true, date, token: "visitor-1", substance, isWithdrawn: false };
  const text = encodeURIComponent(JSON.stringify({ [news?.identifier ?? ""]: answer }));
  return { [`avow_boxes_${files.shop.projectId}`]: text };
}
