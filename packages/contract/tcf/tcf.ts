import { type Static, Type } from "typebox";

const open = { additionalProperties: true } as const;
const ID_PATTERN = "^[1-9][0-9]{0,4}$";

const Id = Type.Integer({ minimum: 1, maximum: 65_535 });
const Ids = Type.Array(Id, { maxItems: 100 });
const Count = Type.Integer({ minimum: 0 });
const Url = Type.String({ maxLength: 2_048 });
const Days = Type.Record(Type.String({ pattern: ID_PATTERN }), Count);

/** IAB's wording of a purpose, a feature or a data category, which must not be changed. */
const Term = Type.Object(
  {
    id: Id,
    name: Type.String({ maxLength: 1_000 }),
    description: Type.String({ maxLength: 10_000 }),
    illustrations: Type.Optional(Type.Array(Type.String({ maxLength: 10_000 }), { maxItems: 20 })),
  },
  open,
);
const Terms = Type.Record(Type.String({ pattern: ID_PATTERN }), Term);
export type TcfTerm = Static<typeof Term>;
export type TcfTerms = Static<typeof Terms>;

/** IAB's name and description of several purposes and special features together. */
const Stack = Type.Object(
  {
    id: Id,
    name: Type.String({ maxLength: 1_000 }),
    description: Type.String({ maxLength: 10_000 }),
    purposes: Ids,
    specialFeatures: Ids,
  },
  open,
);
export type TcfStack = Static<typeof Stack>;

/** The texts of a vendor list in one language, as in `purposes-fr.json`. */
export const TcfTexts = Type.Object(
  {
    purposes: Terms,
    specialPurposes: Terms,
    features: Terms,
    specialFeatures: Terms,
    dataCategories: Type.Optional(Terms),
    stacks: Type.Optional(Type.Record(Type.String({ pattern: ID_PATTERN }), Stack)),
  },
  open,
);
export type TcfTexts = Static<typeof TcfTexts>;

const Vendor = Type.Object(
  {
    id: Id,
    name: Type.String({ maxLength: 1_000 }),
    purposes: Ids,
    legIntPurposes: Ids,
    flexiblePurposes: Ids,
    specialPurposes: Ids,
    features: Ids,
    specialFeatures: Ids,
    dataDeclaration: Type.Optional(Ids),
    dataRetention: Type.Optional(
      Type.Object(
        {
          stdRetention: Type.Optional(Count),
          purposes: Type.Optional(Days),
          specialPurposes: Type.Optional(Days),
        },
        open,
      ),
    ),
    usesCookies: Type.Optional(Type.Boolean()),
    cookieMaxAgeSeconds: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
    cookieRefresh: Type.Optional(Type.Boolean()),
    usesNonCookieAccess: Type.Optional(Type.Boolean()),
    urls: Type.Optional(
      Type.Array(
        Type.Object(
          {
            langId: Type.String({ maxLength: 35 }),
            privacy: Type.Optional(Url),
            legIntClaim: Type.Optional(Url),
          },
          open,
        ),
        { maxItems: 100 },
      ),
    ),
    deviceStorageDisclosureUrl: Type.Optional(Url),
    deletedDate: Type.Optional(Type.String({ maxLength: 64 })),
  },
  open,
);
export type TcfVendor = Static<typeof Vendor>;

/** IAB Europe's Global Vendor List, format 3 (`vendor-list.json`). */
export const TcfVendorList = Type.Object(
  {
    gvlSpecificationVersion: Type.Integer({ minimum: 3, maximum: 3 }),
    vendorListVersion: Type.Integer({ minimum: 1, maximum: 4_095 }),
    tcfPolicyVersion: Type.Integer({ minimum: 4, maximum: 63 }),
    lastUpdated: Type.String({ maxLength: 64 }),
    ...TcfTexts.properties,
    vendors: Type.Record(Type.String({ pattern: ID_PATTERN }), Vendor),
  },
  open,
);
export type TcfVendorList = Static<typeof TcfVendorList>;

/** The publisher's restriction of a purpose, with the ids of its vendors. */
export interface TcfRestriction {
  purpose: number;
  type: "not-allowed" | "require-consent" | "require-legitimate-interest";
  vendors: number[];
}

/** A provider of Google's list, which is not in IAB's. */
export interface GoogleProvider {
  id: number;
  name: string;
  policyUrl?: string;
}

/** The part of a vendor list that a published file with the layout `iab` contains. */
export interface TcfContent {
  /** The id of this service's operator at IAB Europe. */
  cmpId: number;
  cmpVersion: number;
  /** ISO 3166-1 alpha-2 country of the website's publisher; `AA` if unknown. */
  publisherCC: string;
  vendorListVersion: number;
  tcfPolicyVersion: number;
  lastUpdated: string;
  /** As declared, without the restrictions (`toRestrictedVendors`). */
  vendors: Record<string, TcfVendor>;
  /** Absent without any. Each vendor is in at most one of a purpose, and all of them are restrictable. */
  restrictions?: TcfRestriction[];
  /** Sorted by id; absent without any. */
  googleProviders?: GoogleProvider[];
  /** By language of the configurations; English for languages without a translation. */
  texts: Record<string, TcfTexts>;
}
