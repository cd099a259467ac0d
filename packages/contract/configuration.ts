import { type Static, type TSchema, Type } from "typebox";
import { consentTools } from "./consent-tools.ts";
import { Id } from "./document.ts";
import type { JsonObject } from "./json.ts";
import { GROUPS_MAX, GROUP_LENGTH_MAX } from "./sites/groups.ts";
import { consentModels, vendorUses } from "./regions.ts";
import { restrictionTypes } from "./tcf/restrictions.ts";

/** Known fields have the types of the specification's tables; unknown ones are kept unchanged. */
const open = { additionalProperties: true } as const;

const Line = Type.String({ maxLength: 1_000 });
const Text = Type.String({ maxLength: 20_000 });
const Html = Type.String({ maxLength: 100_000, description: "HTML; sanitised on write." });
const HttpUrl = Type.String({
  maxLength: 2_048,
  pattern: "^https?://(?![^/?#]*@)[^\\s/?#]\\S*$",
  description: "an http or https address without a user name",
});
/** An http or https URL, or the id or name of an asset; never a URL that a browser would execute. */
const Reference = Type.String({
  maxLength: 2_048,
  pattern: "^(https?://[^\\s/?#]\\S*|(?![A-Za-z][A-Za-z0-9+.-]*:)[^\\s\\p{Cc}][^\\p{Cc}]*)?$",
  description: "an http or https address, or an asset's id or name",
});
const Language = Type.String({
  pattern: "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$",
  maxLength: 35,
  description: "a language tag such as en or pt-BR",
});
/** The name of a configuration. The service gives one where it is missing (wire section 9). */
const nameDescription =
  "Unique in the project. Without it, the service makes one from the title, else from the id. Translations of a form may share it.";
const ConfigurationName = Type.String({ maxLength: 1_000, description: nameDescription });
/** The same where null was an unknown field's value before. */
const NullableName = Type.Unsafe<string>(Type.Union([ConfigurationName, Type.Null()]));
/** A name with any characters, line breaks included, which a plain `.` would not match. */
const AnyName = Type.String({ pattern: "^[\\s\\S]*$" });
const Bag = Type.Record(Type.String(), Type.Unknown());
const list = { maxItems: 500 } as const;

/** In the documents of a template, the fields that its sites may change. */
const OpenFields = Type.Optional(
  Type.Array(
    Type.String({
      maxLength: 512,
      pattern: "^(/[^/]+)+$",
      description: "a JSON pointer, with the names of items in lists: /steps/analytics/message",
    }),
    {
      maxItems: 200,
      description:
        "In a template: the fields that its sites may change; the others are locked. Without it, fields that name a site's operator are open.",
    },
  ),
);

export const layouts = ["welcome", "category", "info", "iab", "soft_consent"] as const;
const Layout = Type.Enum([...layouts]);

/** Fields of a step that only some layouts have (interface specification, Step). */
export const layoutsOf = {
  timeout: ["soft_consent", "info"],
  vendors: layouts.filter((one) => one !== "welcome"),
} as const satisfies Record<string, readonly (typeof layouts)[number][]>;

const Signals = Type.Union([
  Type.Array(Type.String({ maxLength: 64 }), { maxItems: 16 }),
  Type.Record(Type.String(), Type.Unknown()),
]);

/** A cookie or storage key that a vendor sets on the site's own pages. */
const StoredItem = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 256,
      description: "The name; * stands for any characters.",
    }),
    kind: Type.Optional(Type.Enum(["cookie", "localStorage", "sessionStorage", "indexedDB"])),
    purpose: Type.Optional(Line),
    duration: Type.Optional(Line),
    provider: Type.Optional(Line),
    domain: Type.Optional(
      Type.String({
        maxLength: 253,
        description: "The domain of a cookie; default: the page's host.",
      }),
    ),
    path: Type.Optional(
      Type.String({ maxLength: 1_000, description: "The path of a cookie; default: /." }),
    ),
  },
  { ...open, title: "StoredItem" },
);
export type StoredItem = Static<typeof StoredItem>;

/** Fields of a vendor (wire section 2). */
const vendorFields = {
  title: Type.Optional(Line),
  shortDescription: Type.Optional(Text),
  longDescription: Type.Optional(Text),
  domain: Type.Optional(Line),
  policyUrl: Type.Optional(HttpUrl),
  type: Type.Optional(Line),
  image: Type.Optional(Reference),
  required: Type.Optional(Type.Boolean({ description: "Never asked, always on." })),
  googleConsentMode: Type.Optional(Signals),
  uses: Type.Optional(
    Type.Array(Type.Enum([...vendorUses]), {
      maxItems: vendorUses.length,
      description: "Uses that an opt-out ends. Default: sale, sharing, advertising.",
    }),
  ),
  hosts: Type.Optional(
    Type.Array(
      Type.String({
        maxLength: 512,
        pattern: "^(\\*\\.)?[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*(:[0-9]+)?(/[^\\s?#]*)?$",
        description: "a host such as *.example.com, with the prefix of a path if needed",
      }),
      { maxItems: 100, description: "Addresses of the vendor's scripts, frames and images." },
    ),
  ),
  storage: Type.Optional(
    Type.Array(StoredItem, {
      maxItems: 200,
      description: "Cookies and keys that the vendor stores on the site's own pages.",
    }),
  ),
};
const Slug = Type.String({
  pattern: "^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$",
  description: "a slug: letters, digits, dots, hyphens and underscores",
});
export const Vendor = Type.Object({ name: Slug, ...vendorFields }, { ...open, title: "Vendor" });
export type Vendor = Static<typeof Vendor>;

/** The id of a vendor: of the vault, or of another product's catalogue until it is replaced (wire section 9). */
const VendorId = Type.String({
  minLength: 1,
  maxLength: 128,
  description: "The id of a vault vendor. An unknown id is kept, with a warning.",
});
/** A vendor without a name, by its `_id` or `id` in another product's catalogue. */
const VendorReference = Type.Object(
  {
    _id: Type.Optional(Type.Unknown()),
    id: Type.Optional(Type.Unknown()),
    ...vendorFields,
  },
  {
    ...open,
    title: "VendorReference",
    description:
      "A vendor by its `_id` or `id` in another product's catalogue. To publish it, give it a `name` and a `title`, or replace it.",
    not: { required: ["name"] },
  },
);
type VendorReference = Static<typeof VendorReference> & { name?: never };
/** An entry of `vendors` of a step. */
export type VendorEntry = Vendor | VendorReference | string;

export const Step = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 128,
      description: "Unique in the configuration.",
    }),
    title: Type.Optional(Line),
    topTitle: Type.Optional(Line),
    subTitle: Type.Optional(Line),
    message: Type.Optional(Html),
    image: Type.Optional(Reference),
    layout: Layout,
    vendors: Type.Optional(
      Type.Array(Type.Union([Vendor, VendorReference, VendorId]), {
        ...list,
        "x-layouts": layoutsOf.vendors,
      }),
    ),
    strings: Type.Optional(Bag),
    timeout: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 86_400_000,
        description: "ms",
        "x-layouts": layoutsOf.timeout,
      }),
    ),
    showToggleAllSwitch: Type.Optional(Type.Boolean()),
  },
  { ...open, title: "Step" },
);
export type Step = Omit<Static<typeof Step>, "vendors"> & { vendors?: VendorEntry[] };

const Button = Type.Object(
  {
    text: Type.String({ maxLength: 1_000 }),
    color: Type.Optional(Type.Enum(["primary", "default"])),
    value: Type.Optional(Type.Unknown()),
  },
  open,
);

export type Button = Static<typeof Button>;

/** The project's data protection officer and controller (specification, Project; wire section 2). */
const officerFields = {
  title: Type.Optional(Line),
  fullname: Type.Optional(Line),
  organization: Type.Optional(Line),
  email: Type.Optional(Line),
  address: Type.Optional(Text),
};

const Officer = Type.Object(officerFields, open);
export type Officer = Static<typeof Officer>;

export const Project = Type.Object(
  {
    websiteURL: HttpUrl,
    title: Type.String({ minLength: 1, maxLength: 1_000 }),
    organizationId: Type.Optional(Type.Union([Id, Type.Null()])),
    groups: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: GROUP_LENGTH_MAX }), {
        maxItems: GROUPS_MAX,
        description: "Labels to find sites by, unique whatever their case.",
      }),
    ),
    isTemplate: Type.Optional(
      Type.Boolean({
        description:
          "Whether other projects of the organization can follow this one, which is never published. Kept where it is left out.",
      }),
    ),
    templateId: Type.Optional(
      Type.Union([Id, Type.Null()], {
        description:
          "The template that the project follows. Its configurations are those of the template. Kept where it is left out; null ends it.",
      }),
    ),
    openFields: OpenFields,
    colors: Type.Optional(Bag),
    fonts: Type.Optional(Bag),
    widgetStyle: Type.Optional(
      Type.Object(
        {
          position: Type.Optional(Line),
          borderRadius: Type.Optional(Type.Union([Type.Number(), Line])),
          padding: Type.Optional(Type.Union([Type.Number(), Line])),
          colorScheme: Type.Optional(Line),
        },
        open,
      ),
    ),
    overlayStyle: Type.Optional(Bag),
    DPO: Type.Optional(Officer),
    dataProcessor: Type.Optional(Type.Union([Bag, Line])),
    locales: Type.Optional(Type.Array(Language, list)),
    retention: Type.Optional(
      Type.Object(
        {
          months: Type.Integer({
            minimum: 1,
            maximum: 1_200,
            description:
              "For how many months a proof is kept after its answer ended to be in force.",
          }),
        },
        { ...open, description: "Default: the service's setting." },
      ),
    ),
    personPage: Type.Optional(
      Type.Object(
        {
          visitorLinks: Type.Optional(
            Type.Boolean({
              description:
                "Whether a visitor's token is enough to make links to that visitor's own page and to ask what they answered; false: only with an access token. Default: true.",
            }),
          ),
        },
        { ...open, description: "The pages on which visitors see and change their answers." },
      ),
    ),
    scan: Type.Optional(
      Type.Object(
        {
          everyDays: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 365,
              description:
                "Scans the website at this interval, and mails owners and editors about new services, cookies and hosts.",
            }),
          ),
          afterPublication: Type.Optional(
            Type.Boolean({ description: "Scans the website after each publication." }),
          ),
          pages: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 50,
              description: "Maximum number of pages of a scan. Default: 10.",
            }),
          ),
        },
        { ...open, description: "When the website is scanned. Default: on request only." },
      ),
    ),
    documents: Type.Optional(Type.Array(Bag, list)),
    processingActivities: Type.Optional(Type.Array(Bag, list)),
  },
  open,
);
/** `privacypolicy` is published unchanged and unchecked. */
export type Project = Static<typeof Project> & { privacypolicy?: unknown };

const Settings = Type.Object(
  {
    expiresAfterDays: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 3_650,
        description: "When consent expires and is asked for again.",
      }),
    ),
    variantOf: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_000,
        description: "The name or id of the configuration that it is tested against.",
      }),
    ),
    share: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 99,
        description: "The percentage of visitors who see the variant. Default: 50.",
      }),
    ),
  },
  open,
);

const CookieSettings = Type.Object(
  {
    ...Settings.properties,
    gpp: Type.Optional(
      Type.Union([Type.Boolean(), Type.Literal("national"), Type.Literal("state")], {
        description:
          "Whether pages have IAB's GPP (`__gpp`), with the section of the United States (national, true) or of the state. Default: true on pages with a stub. Needs rules by region.",
      }),
    ),
    mspa: Type.Optional(
      Type.Enum(["opt-out", "service-provider"], {
        description:
          "The mode of a signatory of IAB's Multi-State Privacy Agreement. Default: not signed.",
      }),
    ),
  },
  open,
);

/** Settings that only the widget reads; the vault does not check them. */
type WidgetSettings = {
  /** The position of the button that reopens the preference center, such as `bottom-right`; false hides it. */
  launcher?: unknown;
  /** Paths of the pages that show the configuration; a trailing * matches any rest. */
  pages?: unknown;
  /** Whether held frames get placeholders; default: if a vendor that is asked for has hosts. */
  placeholders?: unknown;
  /** False: the page is not reloaded after a withdrawal. */
  reloadAfterWithdrawal?: unknown;
};

const RegionRule = Type.Object(
  {
    in: Type.Array(
      Type.String({
        pattern: "^([A-Z]{2}(-[A-Z0-9]{1,3})?|EEA|US_PRIVACY|\\*)$",
        description:
          "a country (FR), a subdivision (US-CA), a group (EEA, US_PRIVACY), or * for all others",
      }),
      { minItems: 1, maxItems: 300 },
    ),
    model: Type.Enum([...consentModels]),
    title: Type.Optional(Line),
    message: Type.Optional(Html),
    strings: Type.Optional(Bag),
    defaults: Type.Optional(
      Type.Record(Type.String(), Type.Boolean(), {
        maxProperties: 500,
        description:
          "Whether a vendor runs before an answer, by its slug. Default: true, except in the model opt-in.",
      }),
    ),
  },
  { ...open, title: "RegionRule" },
);
export type RegionRule = Static<typeof RegionRule>;

/** The answers that another consent tool left in the visitor's browser. */
const AnswerImport = Type.Object(
  {
    from: Type.Enum([...consentTools]),
    categories: Type.Record(Type.String(), Type.Array(Slug, { maxItems: 500 }), {
      propertyNames: { minLength: 1, maxLength: 256 },
      maxProperties: 500,
      description:
        "By category, service or vendor of the other tool: the slugs of the vendors that its answer is for.",
    }),
    cookieName: Type.Optional(
      Type.String({
        pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$",
        description: "the name of its cookie or storage key, if it is not the tool's default",
      }),
    ),
  },
  { ...open, title: "AnswerImport" },
);
export type AnswerImport = Static<typeof AnswerImport>;

export const Cookies = Type.Object(
  {
    projectId: Id,
    openFields: OpenFields,
    name: Type.Optional(ConfigurationName),
    title: Type.Optional(Line),
    language: Type.Optional(Language),
    country: Type.Optional(Line),
    isDefault: Type.Optional(Type.Boolean()),
    steps: Type.Optional(Type.Array(Step, { maxItems: 100 })),
    strings: Type.Optional(Bag),
    consentWidgetStrings: Type.Optional(Bag),
    settings: Type.Optional(CookieSettings),
    googleConsentMode: Type.Optional(Bag),
    regions: Type.Optional(
      Type.Array(RegionRule, {
        maxItems: 50,
        description: "How visitors of a region are asked. Without rules: opt-in everywhere.",
      }),
    ),
    imports: Type.Optional(
      Type.Array(AnswerImport, {
        maxItems: 12,
        description: "Answers of other consent tools that the widget adopts at the first visit.",
      }),
    ),
  },
  open,
);
export type Cookies = Omit<Static<typeof Cookies>, "steps"> & {
  steps?: Step[];
  settings?: WidgetSettings;
};

const Confirmation = Type.Object(
  {
    title: Type.Optional(Line),
    message: Type.Optional(Html),
    backButtonText: Type.Optional(Line),
  },
  open,
);
export type Confirmation = Static<typeof Confirmation>;
const Processor = Type.Object(
  {
    name: Type.Optional(Line),
    shortDescription: Type.Optional(Text),
    role: Type.Optional(Line),
    website: Type.Optional(Reference),
  },
  open,
);
/** `country` counts in re-consent and is not checked. */
export type Processor = Static<typeof Processor> & { country?: unknown };

export const Processing = Type.Object(
  {
    projectId: Id,
    openFields: OpenFields,
    name: Type.Optional(NullableName),
    title: Type.Optional(Line),
    subTitle: Type.Optional(Line),
    picture: Type.Optional(Reference),
    message: Type.Optional(Html),
    purpose: Type.Optional(Text),
    accept: Type.Optional(Text),
    language: Type.Optional(Language),
    buttons: Type.Optional(Type.Array(Button, list)),
    confirmations: Type.Optional(Type.Record(AnyName, Confirmation)),
    processors: Type.Optional(Type.Array(Processor, list)),
    personalDataTypes: Type.Optional(Type.Array(Line, list)),
    automatedDecisions: Type.Optional(Type.Boolean()),
    automatedDecisionsContact: Type.Optional(Text),
    automatedDecisionsDetails: Type.Optional(Text),
    consentWithdraw: Type.Optional(Text),
    storageDuration: Type.Optional(
      Type.Number({ minimum: 0, maximum: 12_000, description: "months" }),
    ),
    settings: Type.Optional(Settings),
  },
  open,
);
/** Fields of consent and contract forms that only the widget reads; the vault does not check them. */
type BoxFields = {
  accept?: unknown;
  picture?: unknown;
  strings?: unknown;
};
export type Processing = Static<typeof Processing> & BoxFields & { processors?: Processor[] };

export const Contract = Type.Object(
  {
    projectId: Id,
    openFields: OpenFields,
    file: Type.Optional(
      Type.Union([HttpUrl, Id], { description: "an http or https address, or an asset's id" }),
    ),
    title: Type.Optional(Line),
    subTitle: Type.Optional(Line),
    name: Type.Optional({
      ...ConfigurationName,
      description: `The checkbox's name in the surrounding form. ${nameDescription}`,
    }),
    message: Type.Optional(Html),
    language: Type.Optional(Language),
    idRequired: Type.Optional(Type.Boolean()),
    buttons: Type.Optional(Type.Array(Button, list)),
    settings: Type.Optional(Settings),
  },
  open,
);
export type Contract = Static<typeof Contract> & BoxFields;

const orNull = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));
const OrganizationName = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 1_000,
    description: "`name` and `companyName` have the same value; one of them is required.",
  }),
);
const BrandName = Type.String({ minLength: 1, maxLength: 80 });
const MailAddress = Type.String({
  maxLength: 254,
  pattern: '^[^\\s@<>()\\[\\],;:"]+@[^\\s@<>()\\[\\],;:".]+(\\.[^\\s@<>()\\[\\],;:".]+)+$',
  description: "an e-mail address",
});

/** The brand that clients and visitors of an organization's projects see. */
export const Brand = Type.Object(
  {
    name: Type.Optional(BrandName),
    logo: Type.Optional(
      Type.String({ pattern: "^[0-9a-f]{24}$", description: "the id of an uploaded picture" }),
    ),
    color: Type.Optional(
      Type.String({
        pattern: "^#[0-9a-fA-F]{6}$",
        description: "a color `#rrggbb` that has a contrast of at least 4.5 with white",
      }),
    ),
    supportEmail: Type.Optional(MailAddress),
    senderName: Type.Optional(BrandName),
    replyTo: Type.Optional(MailAddress),
  },
  {
    ...open,
    description:
      "Shown on visitors' pages, on invitations and in mails about the projects; nothing is shown without a name.",
  },
);
export type Brand = Static<typeof Brand>;

export const Organization = Type.Object(
  {
    name: OrganizationName,
    companyName: OrganizationName,
    email: orNull(Line),
    country: orNull(Line),
    line1: orNull(Line),
    line2: orNull(Line),
    city: orNull(Line),
    postalCode: orNull(Line),
    isProfessional: orNull(Type.Boolean()),
    vat: orNull(Line),
    brand: Type.Optional(Brand),
  },
  { ...open, anyOf: [{ required: ["name"] }, { required: ["companyName"] }] },
);
export type Organization = Static<typeof Organization>;

const parents = {
  projectId: Type.Optional(Id),
  organizationId: Type.Optional(Id),
};
export const VaultVendor = Type.Object({ ...parents, name: Slug, ...vendorFields }, open);
export type VaultVendor = Static<typeof VaultVendor>;
export const Media = Type.Object(
  { ...parents, title: Type.Optional(Line), url: Type.Optional(HttpUrl) },
  open,
);
export const DataProtectionOfficer = Type.Object(
  {
    projectId: Id,
    openFields: OpenFields,
    ...officerFields,
  },
  open,
);
export const TcfSettings = Type.Object(
  {
    projectId: Id,
    openFields: OpenFields,
    cmpId: Type.Optional(
      Type.Integer({
        minimum: 2,
        maximum: 4_095,
        description: "The CMP's id at IAB Europe; required to publish the layout iab.",
      }),
    ),
    cmpVersion: Type.Optional(Type.Integer({ minimum: 0, maximum: 4_095 })),
    publisherCC: Type.Optional(
      Type.String({
        pattern: "^[A-Za-z]{2}$",
        description: "the country of the site's operator as two letters (ISO 3166-1 alpha-2)",
      }),
    ),
    vendors: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1 }), {
        maxItems: 5_000,
        description: "Ids of the site's vendors in IAB's list.",
      }),
    ),
    googleProviders: Type.Optional(
      Type.Array(
        Type.Object(
          {
            id: Type.Integer({ minimum: 1, maximum: 999_999 }),
            name: Type.String({ minLength: 1, maxLength: 1_000 }),
            policyUrl: Type.Optional(HttpUrl),
          },
          { ...open, title: "GoogleProvider" },
        ),
        {
          maxItems: 1_000,
          description:
            "Providers of Google's list of ad technology providers that are not in IAB's, for its Additional Consent.",
        },
      ),
    ),
    restrictions: Type.Optional(
      Type.Array(
        Type.Object(
          {
            purpose: Type.Integer({ minimum: 1, maximum: 24 }),
            type: Type.Enum([...restrictionTypes]),
            vendors: Type.Optional(
              Type.Array(Type.Integer({ minimum: 1 }), {
                maxItems: 5_000,
                description: "Default: all vendors of the site to which it applies.",
              }),
            ),
          },
          { ...open, title: "TcfRestriction" },
        ),
        {
          maxItems: 100,
          description:
            "The publisher's restrictions of purposes. Another legal basis applies only to vendors that declare the purpose as flexible.",
        },
      ),
    ),
  },
  open,
);
export type TcfSettings = Static<typeof TcfSettings>;
export const ContractText = Type.Object(
  {
    projectId: Id,
    openFields: OpenFields,
    name: Type.Optional(NullableName),
    config: Type.Optional(Bag),
    content: Type.Optional(
      Type.Union([Type.String({ maxLength: 500_000 }), Bag, Type.Array(Type.Unknown())]),
    ),
  },
  open,
);
export type ContractText = Static<typeof ContractText>;

/** The body of a document by its resource. Fields outside the schema are kept unchanged. */
export interface Bodies {
  projects: Project;
  cookies: Cookies;
  processings: Processing;
  contracts: Contract;
  organizations: Organization;
  vendors: VaultVendor;
  media: Static<typeof Media>;
  dpo: Static<typeof DataProtectionOfficer>;
  tcf: TcfSettings;
  content: ContractText;
}

/** A stored document of any resource. */
export interface StoredDocument {
  id: string;
  resource: string;
  body: JsonObject;
}

/**
 * Whether a stored document is of a resource, and thus has its fields: the schema validated every write, so that
 * reads need no validation.
 */
export function isDocumentOf<
  D extends Pick<StoredDocument, "resource" | "body">,
  R extends keyof Bodies,
>(document: D, resource: R): document is D & { resource: R; body: Bodies[R] } {
  return document.resource === resource;
}
