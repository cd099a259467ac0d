import type { JsonObject } from "@avow/contract/json";
import { Type, type Static } from "typebox";
import { ConsentOut, Links } from "@avow/contract/consents";
import {
  type ListedStatus as Listed,
  type Status,
  listedStatuses,
  statuses,
} from "../consents/states/states.ts";

const open = { additionalProperties: true } as const;
const Instant = Type.String({ format: "date-time" });

/** `?at=` of the reads of tokens (wire section 5). */
export const At = Type.String({
  format: "date-time",
  description: "As of this instant, which may not lie in the future; links keep it.",
});

/** A contractual document (specification, Document). */
export const DocumentOut = Type.Object(
  {
    identifier: Type.String(),
    name: Type.Optional(Type.Unsafe<string>({})),
    language: Type.Optional(Type.Unsafe<string>({})),
    file: Type.Optional(
      Type.Unsafe<{ originalName: string; url?: string; uploadedAt: string; size?: number }>({
        description: "`originalName`, `url`, `uploadedAt`, and `size` in bytes where it is known.",
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
      { ...open, description: "The project in detail, as the vault has it." },
    ),
    name: Type.String(),
    website: Type.String(),
    dataProcessor: Type.Unknown(),
    documents: Type.Array(DocumentOut),
    processingActivities: Type.Array(ProcessingActivityOut),
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
    Type.Object({}, { ...open, description: "Further fields of the project in detail." }),
  ),
  dataProcessor: Type.Optional(
    Type.Union([Type.Object({}, open), Type.String({ maxLength: 1_000 }), Type.Null()], {
      description: "Who processes the data; null for nobody said.",
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

/** What of a project to change. */
export const ClientProjectPatchIn = Type.Object({
  name: Type.Optional(Name),
  website: Type.Optional(Website),
  ...optional,
});
export type ClientProjectPatchIn = Static<typeof ClientProjectPatchIn>;

/** A consent form: a configuration, and which collection it is of. */
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
    consents: Type.Integer({ description: "How many records there are." }),
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
    accept: Type.Boolean({ description: "Whether consent is there now: only when accepted." }),
    since: Type.Union([Instant, Type.Null()], {
      description: "When the unbroken run of this answer began; null when never asked.",
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
      nextState: Type.Optional(Type.String({ description: "What of the state comes after this." })),
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
        description: "With `?since=`: whether the token accepts now, or does not any more.",
      }),
    ),
    since: { ...Instant, description: "When the unbroken run of the present answer began." },
    consentId: Type.String({ format: "uuid", description: "The record that gave it last." }),
    links: Links,
  },
  { title: "AcceptedToken" },
);

/** A page of the accepted list, or of what changed in it (wire section 5). */
export const AcceptedListOut = Type.Object(
  {
    items: Type.Array(AcceptedOut),
    changes: Type.String({
      description:
        "The address of what changes after this, to be asked at any time once the last page was read. " +
        "It is no link, since who follows links would follow these for ever.",
    }),
    links: Type.Object({
      self: Type.String(),
      next: Type.Optional(Type.String()),
      changes: Type.Optional(
        Type.String({
          description: "What changed since this was read. Not in an answer to `since`.",
        }),
      ),
      project: Type.String(),
    }),
  },
  { title: "AcceptedTokens" },
);

/** What tokens are listed by, beside `accepted`: the states that the list of tokens by state knows. */
export const ListedStatus = Type.Unsafe<Listed>({ type: "string", enum: [...listedStatuses] });

/** A token whose answer is in the state that was asked for. */
export const TokenStatusOut = Type.Object(
  {
    token: Type.String(),
    since: {
      ...Instant,
      description: "When the answer that makes it so began; of what expired, when that was.",
    },
    consentId: Type.String({ format: "uuid", description: "The record that gave it last." }),
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
