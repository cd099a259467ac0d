import { type Static, Type } from "typebox";
import { Vendor } from "@avow/contract/configuration";

/** Limits of what one scan records, so that a result has a bounded size. */
export const limitsOfRecord = {
  pages: 50,
  requests: 500,
  cookies: 300,
  storage: 500,
  calls: 200,
  text: 256,
  languages: 50,
  /** Characters of a picture in base64. */
  screenshot: 300_000,
} as const;

const Text = Type.String({ maxLength: limitsOfRecord.text });
const Count = Type.Integer({ minimum: 0 });

export const phaseNames = ["unanswered", "refused", "accepted"] as const;
export type PhaseName = (typeof phaseNames)[number];

/** Categories of services. Only `necessary` may run without consent. */
export const categories = [
  "necessary",
  "functional",
  "analytics",
  "advertising",
  "social",
  "media",
] as const;
export type Category = (typeof categories)[number];

const ScannedPage = Type.Object({
  url: Type.String({ maxLength: 2_048, description: "Without its query." }),
  status: Type.Union([Type.Integer(), Type.Null()], {
    description: "The HTTP status; null if the page did not load.",
  }),
  error: Type.Optional(Text),
});
export type ScannedPage = Static<typeof ScannedPage>;

const SeenRequest = Type.Object({
  host: Text,
  path: Type.String({
    maxLength: limitsOfRecord.text,
    description: "The first two segments of the path; never a query.",
  }),
  type: Type.String({ maxLength: 32, description: "The type, such as script, image or fetch." }),
  count: Count,
  isThirdParty: Type.Boolean(),
});
export type SeenRequest = Static<typeof SeenRequest>;

const SeenCookie = Type.Object({
  name: Text,
  domain: Text,
  path: Text,
  lifetimeSeconds: Type.Union([Type.Integer(), Type.Null()], {
    description: "null for a cookie of the session.",
  }),
  isSecure: Type.Boolean(),
  isHttpOnly: Type.Boolean(),
  sameSite: Type.Enum(["Strict", "Lax", "None"]),
  isThirdParty: Type.Boolean(),
});
export type SeenCookie = Static<typeof SeenCookie>;

const SeenStorage = Type.Object({
  origin: Text,
  kind: Type.Enum(["localStorage", "sessionStorage", "indexedDB"]),
  name: Text,
  isThirdParty: Type.Boolean(),
});
export type SeenStorage = Static<typeof SeenStorage>;

/** Functions that scripts use to recognise a device. */
export const fingerprintCalls = [
  "canvas",
  "webgl",
  "audio",
  "fonts",
  "plugins",
  "hardware",
  "webrtc",
] as const;

const SeenCall = Type.Object({
  call: Type.Enum([...fingerprintCalls]),
  host: Type.String({ maxLength: limitsOfRecord.text, description: "The host of the script." }),
  count: Count,
});
export type SeenCall = Static<typeof SeenCall>;

const Phase = Type.Object({
  name: Type.Enum([...phaseNames]),
  answeredBy: Type.Union([Text, Type.Null()], {
    description: "The consent tool that took the answer; null if none did.",
  }),
  pages: Type.Array(ScannedPage, { maxItems: limitsOfRecord.pages }),
  requests: Type.Array(SeenRequest, { maxItems: limitsOfRecord.requests }),
  cookies: Type.Array(SeenCookie, { maxItems: limitsOfRecord.cookies }),
  storage: Type.Array(SeenStorage, { maxItems: limitsOfRecord.storage }),
  fingerprinting: Type.Array(SeenCall, { maxItems: limitsOfRecord.calls }),
});
export type Phase = Static<typeof Phase>;

const SeenService = Type.Object({
  id: Text,
  title: Text,
  provider: Text,
  category: Type.Enum([...categories]),
  phases: Type.Array(Type.Enum([...phaseNames]), { maxItems: phaseNames.length }),
  hosts: Type.Array(Text, { maxItems: 100 }),
  cookies: Type.Array(Text, { maxItems: 100 }),
  storage: Type.Array(Text, { maxItems: 100 }),
  declaredBy: Type.Union([Text, Type.Null()], {
    description: "The name of the vendor that declares it.",
  }),
  source: Type.Union([Text, Type.Null()], {
    description: "The vendor's documentation; null where only the cookie database knows it.",
  }),
});
export type SeenService = Static<typeof SeenService>;

export const findingKinds = [
  "before-consent",
  "after-refusal",
  "undeclared",
  "unseen",
  "not-answered",
] as const;
export type FindingKind = (typeof findingKinds)[number];

const Finding = Type.Object({
  kind: Type.Enum([...findingKinds]),
  subject: Type.Enum(["service", "host", "cookie", "fingerprinting", "vendor", "site"]),
  name: Type.String({
    maxLength: limitsOfRecord.text,
    description: "The service's id, the host, the cookie, or the vendor's name.",
  }),
  title: Text,
  evidence: Type.Array(Text, { maxItems: 20 }),
});
export type Finding = Static<typeof Finding>;

const ProposedVendor = Type.Object({
  en: Vendor,
  fr: Vendor,
});
export type ProposedVendor = Static<typeof ProposedVendor>;

const Color = Type.Union([Type.String({ pattern: "^#[0-9a-f]{6}$" }), Type.Null()]);
const Screenshot = Type.Union([
  Type.String({ maxLength: limitsOfRecord.screenshot, description: "A JPEG in base64." }),
  Type.Null(),
]);

/** The look of the start page, for the first draft of a banner. */
const Appearance = Type.Object({
  language: Type.Union([Text, Type.Null()], {
    description: "The language of the start page, else of its `x-default` alternate.",
  }),
  languages: Type.Array(Text, {
    maxItems: limitsOfRecord.languages,
    description: "Language tags of the page and its `hreflang` alternates, in lower case.",
  }),
  colors: Type.Object(
    { background: Color, text: Color, accent: Color },
    {
      description:
        "From computed styles. `text` and `accent` are null without enough contrast to the background (WCAG 2.2).",
    },
  ),
  screenshots: Type.Object(
    { desktop: Screenshot, phone: Screenshot },
    { description: "The first screen, 1280 × 800 and 390 × 700 pixels." },
  ),
});
export type Appearance = Static<typeof Appearance>;

/** Limits that ended a scan before its time. */
export const limitNames = ["time", "bytes", "memory", "requests", "pages"] as const;
export type LimitName = (typeof limitNames)[number];

export const ScanResult = Type.Object(
  {
    url: Type.String({ maxLength: 2_048 }),
    startedAt: Type.String({ format: "date-time" }),
    endedAt: Type.String({ format: "date-time" }),
    browser: Text,
    limits: Type.Array(Type.Enum([...limitNames]), {
      maxItems: limitNames.length,
      description: "Limits that cut the scan short; its result is then incomplete.",
    }),
    bytes: Count,
    blockedHosts: Type.Array(Text, {
      maxItems: 100,
      description: "Hosts that were not contacted because their address is private.",
    }),
    phases: Type.Array(Phase, { maxItems: phaseNames.length }),
    services: Type.Array(SeenService, { maxItems: 300 }),
    findings: Type.Array(Finding, { maxItems: 1_000 }),
    vendors: Type.Array(ProposedVendor, {
      maxItems: 300,
      description: "Vendors to declare, with English and French texts.",
    }),
    appearance: Type.Optional(Appearance),
  },
  { title: "ScanResult" },
);
export type ScanResult = Static<typeof ScanResult>;
