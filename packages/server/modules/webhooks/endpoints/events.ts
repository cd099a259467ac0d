import { type WebhookEvent, webhookEvents } from "@avow/contract/webhooks";
import { type TProperties, type TSchema, Type } from "typebox";

const Id = Type.String({ description: "The id of a document: 24 hexadecimal characters." });
const JobId = Type.String({ description: "The job's id." });
const Version = Type.Integer({ minimum: 1 });
const Environment = Type.String({ description: "`production` or `staging`." });

/** A consent record as `GET /v1/app/consents` returns it (wire section 4). */
const ConsentBody = Type.Object(
  {
    consentId: Type.String({ format: "uuid" }),
    projectId: Type.String(),
    collection: Type.String({ description: "`cookies`, `processings` or `contracts`." }),
    identifier: Type.String({ description: "The configuration's id." }),
    token: Type.String(),
    accept: Type.Boolean(),
    preferences: Type.Object({}, { additionalProperties: true }),
    value: Type.Unknown(),
    createdAt: Type.String({ format: "date-time" }),
    version: Type.Union([Type.Integer(), Type.Null()]),
    links: Type.Intersect([
      Type.Record(Type.String(), Type.String()),
      Type.Object({ proof: Type.String({ description: "The proof of this consent." }) }),
    ]),
  },
  { additionalProperties: true, title: "Consent" },
);

export interface EventDeclaration {
  summary: string;
  data: TSchema;
}

const declare = (summary: string, data: TProperties): EventDeclaration => ({
  summary,
  data: Type.Object(data),
});
const declareDocument = (summary: string): EventDeclaration =>
  declare(summary, {
    projectId: Type.Optional(Id),
    documentId: Id,
    resource: Type.String({ description: "Its resource in the vault: `/v1/vault/{resource}`." }),
    version: Version,
  });

/** Every event of wire section 6 and its `data`: the source of schemas, the AsyncAPI document and the feed. */
export const declaredEvents = {
  "consent.created": {
    summary: "A visitor answered: accepted, refused or changed their mind.",
    data: ConsentBody,
  },
  "consent.withdrawn": {
    summary: "A visitor refused what they had accepted; sent beside `consent.created`.",
    data: ConsentBody,
  },
  "consent.erased": declare("Records were erased, on request or at the end of their retention.", {
    projectId: Id,
    documentId: Type.String({ description: "The erasure's id." }),
    reason: Type.String({ description: "`request` or `retention`." }),
    count: Type.Integer({ description: "Number of records." }),
    proposedBy: Type.Optional(
      Type.String({ description: "The owner who proposed it, if a second one confirmed." }),
    ),
  }),
  "project.created": declareDocument("A project was created."),
  "project.updated": declareDocument("A project was changed."),
  "project.deleted": declareDocument("A project was deleted."),
  "configuration.created": declareDocument("A configuration was created."),
  "configuration.updated": declareDocument("A configuration was changed."),
  "configuration.deleted": declareDocument("A configuration was deleted."),
  "publish.done": declare("A project was published.", {
    projectId: Id,
    documentId: JobId,
    environment: Environment,
    version: Type.Union([Version, Type.Null()]),
    hash: Type.Union([Type.String(), Type.Null()]),
    requestedBy: Type.String({ description: "The user who published." }),
    asksAgain: Type.Optional(
      Type.Integer({
        description: "Number of vendors and forms that visitors are asked about again.",
      }),
    ),
    unchanged: Type.Optional(Type.Boolean()),
  }),
  "publish.failed": declare("A publication failed; the live version stays live.", {
    projectId: Id,
    documentId: JobId,
    environment: Environment,
    step: Type.String(),
    requestedBy: Type.String({ description: "The user who published." }),
  }),
  "review.requested": declare("A member asked for a review of the draft.", {
    projectId: Id,
    documentId: Type.String({ description: "The request's id." }),
    digest: Type.String({ description: "SHA-256 of the draft." }),
    reviewers: Type.Array(Id, { description: "The members who were asked; empty: all." }),
  }),
  "review.changes-requested": declare(
    "A member, or the holder of a review link, requested changes to the draft.",
    {
      projectId: Id,
      documentId: Type.String({ description: "The decision's id." }),
      digest: Type.String({ description: "SHA-256 of the draft." }),
      commentId: Type.String({ description: "The comment with the changes." }),
      linkId: Type.Optional(Id),
    },
  ),
  "approval.given": declare("A member, or the holder of a review link, approved the draft.", {
    projectId: Id,
    documentId: Type.String({ description: "The decision's id." }),
    digest: Type.String({ description: "SHA-256 of the draft." }),
    commentId: Type.Optional(Type.String({ description: "The comment with the decision." })),
    linkId: Type.Optional(Id),
  }),
  "comment.created": declare("A comment on the draft was added.", {
    projectId: Id,
    documentId: Type.String({ description: "The comment's id." }),
    threadId: Type.String({ description: "The first comment of its thread." }),
    configurationId: Type.Optional(Id),
    linkId: Type.Optional(Id),
  }),
  "export.done": declare("An export was read to its end.", {
    projectId: Id,
    exportId: Type.String(),
    format: Type.String(),
    count: Type.Integer(),
    bytes: Type.Integer(),
    sha256: Type.String(),
  }),
  "import.done": declare("An import ended. Imported consents are not events.", {
    projectId: Id,
    documentId: Type.String({ description: "The import's id." }),
  }),
  "scan.done": declare("A scan of the website ended.", {
    projectId: Id,
    documentId: Type.String({ description: "The scan's id." }),
    cause: Type.String({ description: "The reason for the scan, such as `schedule`." }),
    version: Type.Union([Version, Type.Null()]),
    resultHash: Type.String(),
    news: Type.Integer({ description: "Services, hosts and cookies that the scan before lacked." }),
  }),
  "erasure.requested": declare("A visitor asked on their page to be erased.", {
    projectId: Id,
    documentId: Type.String({ description: "The request's id." }),
  }),
  "erasure.proposed": declare("An erasure waits for a second owner.", {
    projectId: Id,
    documentId: Type.String({ description: "The proposal's id." }),
  }),
  "erasure.due": declare("An open request for erasure has to be answered within a week.", {
    projectId: Id,
    documentId: Type.String({ description: "The request's id." }),
    days: Type.Integer({ description: "Days that are left." }),
  }),
  "webhook.disabled": declare(
    "A webhook was disabled after its deliveries failed. Other webhooks receive it.",
    {
      projectId: Type.Optional(Id),
      documentId: Type.String({ description: "The webhook's id." }),
      because: Type.String({ description: "`gone` or `failing`." }),
      owner: Id,
    },
  ),
  "plan.limit-near": declare("An organization uses four fifths of a limit of its plan, or more.", {
    documentId: Type.String({ description: "The organization's id." }),
    plan: Type.String(),
    percent: Type.Integer({ description: "Share of the limit in use." }),
  }),
  "user.invited": declare("A user was invited to a project or an organization.", {
    projectId: Type.Optional(Id),
    documentId: Id,
  }),
  "user.joined": declare("A user was given roles on a document, or other roles than before.", {
    projectId: Type.Optional(Id),
    documentId: Id,
    userId: Id,
    roles: Type.Array(Type.String()),
  }),
  "subscription.updated": declare(
    "An organization's plan or the state of its subscription changed.",
    {
      documentId: Type.String({ description: "The organization's id." }),
      plan: Type.String(),
      status: Type.String(),
    },
  ),
} as const satisfies Record<WebhookEvent, EventDeclaration>;

/** Sent on request only; it cannot be subscribed to. */
export const TEST_EVENT = "webhook.test";
export const declaredTest = declare(
  "A test was requested. It is sent even if `events` does not list it.",
  {
    projectId: Type.Optional(Id),
    documentId: Type.String({ description: "The webhook's id." }),
    message: Type.String(),
  },
);

/** The older name of consents: it carries the project, and the record itself is the body. */
export const olderNamePattern = /^consent\/([0-9a-f]{24})$/;

export function isDeliveredName(name: string): boolean {
  return webhookEvents.some((one) => one === name) || olderNamePattern.test(name);
}

/** The name under which an event of the audit trail is delivered, if it is. */
export function toDeliveredName(
  name: string,
  data: Record<string, unknown>,
): WebhookEvent | undefined {
  // Removed roles are not delivered.
  if (name === "rights.changed")
    return Array.isArray(data["roles"]) && data["roles"].length > 0 ? "user.joined" : undefined;
  // The trail's user.joined is a sign-up, which concerns the user only.
  if (name === "user.joined") return undefined;
  return webhookEvents.find((one) => one === name && !one.startsWith("consent.c"));
}
