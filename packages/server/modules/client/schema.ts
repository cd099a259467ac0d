import { instantIn } from "@avow/contract/instants";
import type { JsonObject } from "@avow/contract/json";
import { Type, type Static } from "typebox";
import { ConsentOut, Links } from "@avow/contract/consents";
import { ServiceFields } from "@avow/contract/document";
import {
  type ListedStatus as Listed,
  type Status,
  listedStatuses,
  statuses,
} from "../consents/states/states.ts";

const open = { additionalProperties: true } as const;
const Instant = Type.String({ format: "date-time" });

/** `?at=` of the reads of tokens (wire section 5). */
export const At = instantIn("As-of time, not in the future. Links of the response keep it.");

/** A contractual document (specification, Document). */
export const DocumentOut = Type.Object(
  {
    identifier: Type.String(),
    name: Type.Optional(Type.Unsafe<string>({})),
    language: Type.Optional(Type.Unsafe<string>({})),
    file: Type.Optional(
      Type.Unsafe<{ originalName: string; url?: string; uploadedAt: string; size?: number }>({
        description: "`originalName`, `url`, `uploadedAt`, and `size` in bytes if known.",
      }),
    ),
  },
  { ...open, title: "Document" },
);
export type DocumentOut = Static<typeof DocumentOut>;

/** A processing of personal data (specification, Processing Activity). */
export const ProcessingActivityOut = Type.Object(
  { identifier: Type.String() },
  { ...open, title: "ProcessingActivity" },
);
export type ProcessingActivityOut = Static<typeof ProcessingActivityOut> & JsonObject;

/** A project (specification, Project as returned by the Client API). */
export const ClientProjectOut = Type.Object(
  {
    _id: Type.String(),
    id: Type.String(),
    active: Type.Boolean({ description: "Whether it is live, without a demo banner." }),
    configuration: Type.Object(
      {},
      { ...open, description: "The project as the vault returns it." },
    ),
    name: Type.String(),
    website: Type.String(),
    dataProcessor: Type.Unknown(),
    documents: Type.Array(DocumentOut),
    processingActivities: Type.Array(ProcessingActivityOut),
    warnings: ServiceFields.properties.warnings,
    links: Links,
  },
  { title: "ClientProject" },
);
export type ClientProjectOut = Static<typeof ClientProjectOut>;

const Entry = Type.Object(
  { identifier: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })) },
  open,
);
const optional = {
  configuration: Type.Optional(
    Type.Object({}, { ...open, description: "Further fields of the project in the vault." }),
  ),
  dataProcessor: Type.Optional(
    Type.Union([Type.Object({}, open), Type.String({ maxLength: 1_000 }), Type.Null()], {
      description: "The processor of the data; null for none.",
    }),
  ),
  documents: Type.Optional(Type.Array(Entry, { maxItems: 500 })),
  processingActivities: Type.Optional(Type.Array(Entry, { maxItems: 500 })),
};
const Name = Type.String({ minLength: 1, maxLength: 1_000 });
const Website = Type.String({
  maxLength: 2_048,
  pattern: "^https?://[^\\s/?#]\\S*$",
  description: "an http or https address",
});

/** A project to create or to replace (wire section 5). */
export const ClientProjectIn = Type.Object({ name: Name, website: Website, ...optional });
export type ClientProjectIn = Static<typeof ClientProjectIn>;

/** Fields of a project to change. */
export const ClientProjectPatchIn = Type.Object({
  name: Type.Optional(Name),
  website: Type.Optional(Website),
  ...optional,
});
export type ClientProjectPatchIn = Static<typeof ClientProjectPatchIn>;

/** A consent form: a configuration and its collection. */
export const FormIn = Type.Object(
  {
    collection: Type.Union([
      Type.Literal("cookies"),
      Type.Literal("processings"),
      Type.Literal("contracts"),
    ]),
  },
  open,
);

export const TokenOut = Type.Object(
  {
    token: Type.String(),
    firstSeenAt: Instant,
    lastSeenAt: Instant,
    consents: Type.Integer({ description: "Number of consent records." }),
    links: Links,
  },
  { title: "Token" },
);

export const StateOut = Type.Object(
  {
    collection: Type.String(),
    identifier: Type.String({
      description: "A configuration's id, or `{configurationId}/{vendor}`.",
    }),
    name: Type.String(),
    status: Type.Unsafe<Status>({ type: "string", enum: [...statuses] }),
    accept: Type.Boolean({
      description: "Whether consent is valid now; true only for `accepted`.",
    }),
    since: Type.Union([Instant, Type.Null()], {
      description:
        "Time since which this answer has been given without interruption; null when never asked.",
    }),
    expiresAt: Type.Optional(Instant),
    consentId: Type.Optional(Type.String({ format: "uuid" })),
    version: Type.Optional(Type.Integer()),
    links: Links,
  },
  { title: "ConsentState" },
);
export type StateOut = Static<typeof StateOut>;

export const TokenConsentsOut = Type.Object(
  {
    token: Type.String(),
    state: Type.Array(StateOut),
    history: Type.Array(ConsentOut),
    links: Type.Object({
      self: Type.String(),
      next: Type.Optional(Type.String({ description: "The next page of the history." })),
      nextState: Type.Optional(Type.String({ description: "The next page of the state." })),
      project: Type.String(),
      proofs: Type.String(),
    }),
  },
  { title: "TokenConsents" },
);

export const AcceptedOut = Type.Object(
  {
    token: Type.String(),
    change: Type.Optional(
      Type.Unsafe<"added" | "removed">({
        type: "string",
        enum: ["added", "removed"],
        description:
          "With `?since=`: whether the token was added to the accepted list or removed from it.",
      }),
    ),
    since: {
      ...Instant,
      description: "Time since which the current answer has been given without interruption.",
    },
    consentId: Type.String({ format: "uuid", description: "The latest record of this answer." }),
    links: Links,
  },
  { title: "AcceptedToken" },
);

/** A page of the accepted list, or of changes in it (wire section 5). */
export const AcceptedListOut = Type.Object(
  {
    items: Type.Array(AcceptedOut),
    changes: Type.String({
      description:
        "Address of later changes. Request it at any time after the last page. " +
        "It is not among the links, because a client that follows all links would never finish.",
    }),
    links: Type.Object({
      self: Type.String(),
      next: Type.Optional(Type.String()),
      changes: Type.Optional(
        Type.String({
          description: "Changes since this response. Missing in responses to `since`.",
        }),
      ),
      project: Type.String(),
    }),
  },
  { title: "AcceptedTokens" },
);

/** The states that tokens can be listed by, in addition to `accepted`. */
export const ListedStatus = Type.Unsafe<Listed>({ type: "string", enum: [...listedStatuses] });

/** A token whose answer is in the requested state. */
export const TokenStatusOut = Type.Object(
  {
    token: Type.String(),
    since: {
      ...Instant,
      description: "Time of the answer that led to this state; for `expired`, the expiry.",
    },
    consentId: Type.String({ format: "uuid", description: "The latest record of this answer." }),
    links: Links,
  },
  { title: "TokenByStatus" },
);

export const AskableOut = Type.Object(
  {
    identifier: Type.String(),
    name: Type.String(),
    collection: Type.String(),
    links: Links,
  },
  { title: "Askable" },
);
