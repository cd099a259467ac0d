import { type Static, type TString, Type } from "typebox";
import { consentTools } from "./consent-tools.ts";
import { InstantIn, instantIn } from "./instants.ts";
import type { JsonObject } from "./json.ts";
import { consentModels } from "./regions.ts";

const text = (maxLength: number) => Type.String({ maxLength });
const Instant = Type.String({ format: "date-time" });

/** A client-made name; "." and ".." cannot be a segment of a URL (RFC 3986, 5.2.4). */
export const Token = Type.String({
  minLength: 1,
  maxLength: 256,
  pattern: "^(?!\\.{1,2}$)[^\\p{Cc}\\p{Zl}\\p{Zp}]+$",
  description: "printable characters that identify the visitor, not . or .. alone",
});

export const Collection = Type.Union([
  Type.Literal("cookies"),
  Type.Literal("processings"),
  Type.Literal("contracts"),
]);

const Identifier = Type.String({
  minLength: 1,
  maxLength: 64,
  description: "A configuration's id.",
});

const Vendors = Type.Unsafe<Record<string, boolean>>({
  type: "object",
  additionalProperties: { type: "boolean" },
  propertyNames: { minLength: 1, maxLength: 128 },
  maxProperties: 500,
  description: "The answer for each vendor, by its slug.",
});

/** Signals by name, as other systems define them. */
const GoogleConsentMode = Type.Unsafe<JsonObject>({
  type: "object",
  additionalProperties: true,
  maxProperties: 64,
});
const TcString = text(8_192);

/** The origin of an answer that another consent tool had stored in the visitor's browser. */
const toImportedFrom = (answeredAt: TString) =>
  Type.Object(
    { from: Type.Enum([...consentTools]), answeredAt: Type.Optional(answeredAt) },
    {
      description:
        "Present if a page adopted the answer from another consent tool, whose record in the browser nobody can verify. Only for `cookies`; the assurance level is `imported`.",
    },
  );
const ImportedFrom = toImportedFrom(instantIn("The time of the answer, by the other tool."));
export type ImportedFrom = Static<typeof ImportedFrom>;

export const Preferences = Type.Object({
  vendors: Type.Optional(Vendors),
  config: Type.Optional(
    Type.Object({
      identifier: Type.Optional(text(256)),
      name: Type.Optional(text(1_000)),
      language: Type.Optional(text(35)),
    }),
  ),
  googleConsentMode: Type.Optional(GoogleConsentMode),
  tcString: Type.Optional(TcString),
  addtlConsent: Type.Optional(
    Type.String({
      maxLength: 8_192,
      pattern: "^[12]~[0-9.]*(~dv\\.[0-9.]*)?$",
      description: "a string of Google's Additional Consent, such as 2~43.89~dv.70",
    }),
  ),
  gppString: Type.Optional(
    Type.String({ maxLength: 9_216, description: "IAB's GPP string, with its sections." }),
  ),
  model: Type.Optional(
    Type.Enum([...consentModels], { description: "How the visitor was asked." }),
  ),
  region: Type.Optional(
    Type.String({
      pattern: "^[A-Z]{2}(-[A-Z0-9]{1,3})?$",
      description:
        "the visitor's region, such as US-CA, by which the model was chosen; absent if unknown",
    }),
  ),
  imported: Type.Optional(ImportedFrom),
});
/** The same in responses, whose times are written in one form. */
const PreferencesOut = Type.Object({
  ...Preferences.properties,
  imported: Type.Optional(toImportedFrom(Instant)),
});
export type Preferences = Static<typeof Preferences>;

const answer = {
  accept: Type.Boolean(),
  token: Type.Optional(Token),
  preferences: Type.Optional(Preferences),
  value: Type.Optional(Type.Unknown({ description: "Any data of the form." })),
  ticket: Type.Optional(
    Type.String({
      maxLength: 1_024,
      description:
        "The ticket of the display that the answer belongs to, for the grade `ticketed`. An invalid ticket is reported in `warnings`.",
    }),
  ),
  version: Type.Optional(
    Type.Unknown({
      description:
        "The published version that was displayed, from the published file. It may be earlier than the live version; the answer then applies to the offer of that version.",
    }),
  ),
  timestamp: Type.Optional(
    Type.Union([InstantIn, Type.Number({ minimum: 0, maximum: 253_402_300_799_999 })], {
      description: "The client's clock: an instant, or ms since 1970. Kept beside `createdAt`.",
    }),
  ),
  language: Type.Optional(
    Type.String({
      maxLength: 35,
      pattern: "^[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*$",
      description: "a language tag such as en or pt-BR",
    }),
  ),
  url: Type.Optional(
    Type.String({
      maxLength: 2_048,
      pattern: "^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#]\\S*$",
      description: "the page's http or https address, which is kept without query and fragment",
    }),
  ),
};

/** A visitor's answer, as a page sends it (wire section 4). */
export const ConsentIn = Type.Object(answer);
export type ConsentIn = Static<typeof ConsentIn>;

/** A consent in a batch, with the fields that a single one has in its URL. */
export const BatchItemIn = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 64, description: "Made by the client." }),
  collection: Collection,
  identifier: Identifier,
  ...answer,
});
export type BatchItemIn = Static<typeof BatchItemIn>;

/** A display that a page reports. */
export const TicketQueryIn = Type.Object({
  identifier: Type.Optional(
    Type.String({
      maxLength: 64,
      description:
        "The configuration that somebody is asked about. Without it nothing is counted, as where visitors open their choices themselves.",
    }),
  ),
  step: Type.String({
    maxLength: 1_000,
    default: "",
    description: "The name of the step that a banner opens with; absent for a form.",
  }),
});

export const TicketOut = Type.Object({
  ticket: Type.String({
    description: "A single-use ticket, to be sent with the answer to this display.",
  }),
  expiresAt: Instant,
  version: Type.Integer({ description: "The published version that is displayed." }),
});

export const Signals = Type.Object({
  gpc: Type.Boolean({ description: "Whether the request carried `Sec-GPC: 1`." }),
  googleConsentMode: Type.Union([GoogleConsentMode, Type.Null()]),
  tcString: Type.Union([TcString, Type.Null()]),
});
export type Signals = Static<typeof Signals>;

export const Links = Type.Record(Type.String(), Type.String());

/** A consent record (wire section 4). */
export const ConsentOut = Type.Object(
  {
    consentId: Type.String({ format: "uuid" }),
    _id: Type.String({ format: "uuid" }),
    projectId: Type.String(),
    collection: Collection,
    identifier: Type.String(),
    token: Type.String(),
    accept: Type.Boolean(),
    preferences: PreferencesOut,
    value: Type.Unknown(),
    createdAt: Instant,
    version: Type.Union([Type.Integer(), Type.Null()], {
      description:
        "The published version that was shown; null when the configuration was not live.",
    }),
    grade: Type.Union(
      [
        Type.Literal("server"),
        Type.Literal("ticketed"),
        Type.Literal("browser"),
        Type.Literal("imported"),
      ],
      {
        description:
          "How it came: from somebody who may bring in consents, with a display ticket, from any browser, or by an import: of a file, or of another consent tool's answer (`preferences.imported`).",
      },
    ),
    signals: Type.Union([Signals, Type.Null()], {
      description: "Signals of the browser; null if they were not recorded, as in imports.",
    }),
    displayedAt: Type.Optional(
      Type.String({
        format: "date-time",
        description: "The time of the display, as its ticket proves.",
      }),
    ),
    timestamp: Type.Optional(Instant),
    language: Type.Optional(Type.String()),
    url: Type.Optional(Type.String()),
    receipt: Type.Object({ links: Links }),
    headers: Type.Object({ country: Type.Optional(Type.String()), userAgent: Type.String() }),
    import: Type.Optional(
      Type.String({
        description:
          "The import that brought it, also in `links.import`; absent where it was collected.",
      }),
    ),
    warnings: Type.Optional(
      Type.Array(Type.Object({ path: Type.String(), message: Type.String() }), {
        description:
          "Problems of a stored record: vendors that were not offered, a clock far off, an invalid ticket.",
      }),
    ),
    links: Links,
  },
  { title: "Consent" },
);
export type ConsentOut = Static<typeof ConsentOut>;

/** The query of the widget's read. */
export const LatestQueryIn = Type.Object({
  token: Token,
  service: Type.Optional(Collection),
  identifier: Type.Optional(Identifier),
});

/** How CSV is written (wire section 9). */
export const CsvDialectIn = Type.Union([Type.Literal("rfc4180"), Type.Literal("plain")], {
  description:
    "How CSV is written; other formats ignore it. `rfc4180` (the default): lines end with CR LF, and cells are quoted where necessary. `plain`, for readers that split by hand: lines end with LF, no cell is quoted, a `;` in a value becomes `,`, and a line end in a value a space.",
});
export type CsvDialectIn = Static<typeof CsvDialectIn>;

/** The query of the registry's list. */
export const ConsentsQueryIn = Type.Object({
  start: Type.Optional(instantIn("The start of the period, inclusive.")),
  end: Type.Optional(instantIn("The end of the period: a date is included, a time is not.")),
  token: Type.Optional(Token),
  collection: Type.Optional(Collection),
  identifier: Type.Optional(Identifier),
  accept: Type.Optional(Type.Boolean()),
  import: Type.Optional(
    Type.String({
      pattern: "^[0-9a-f]{24}$",
      description: "the id of an import: only its records",
    }),
  ),
  sort: Type.Union([Type.Literal("-createdAt"), Type.Literal("createdAt")], {
    default: "-createdAt",
  }),
  page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 }),
  perPage: Type.Integer({ minimum: 1, maximum: 1_000, default: 100 }),
  dialect: Type.Optional(CsvDialectIn),
  cursor: Type.Optional(
    Type.String({
      maxLength: 2_048,
      description: "Empty for the first page, then from the `Link` header. There is no total.",
    }),
  ),
});
export type ConsentsQueryIn = Static<typeof ConsentsQueryIn>;
