import { type TSchema, Type } from "typebox";
import { ConsentBody } from "./consent-body.ts";

const Id = Type.String({ description: "Of a document: 24 hexadecimal characters." });
const Version = Type.Integer({ minimum: 1 });
const Environment = Type.String({ description: "`production` or `staging`." });

export interface Declared {
  summary: string;
  data: TSchema;
}

const DocumentData = Type.Object({
  projectId: Type.Optional(Id),
  documentId: Id,
  resource: Type.String({ description: "Where it stands in the vault: `/v1/vault/{resource}`." }),
  version: Version,
});
const documents = (summary: string): Declared => ({ summary, data: DocumentData });

/**
 * Every event that webhooks tell, in the words of wire section 6, and what its `data` holds. Routes, the
 * AsyncAPI document and what is sent are made from this one declaration.
 */
export const declaredEvents = {
  "consent.created": {
    summary: "A visitor answered: accepted, refused or changed their mind.",
    data: ConsentBody,
  },
  "consent.withdrawn": {
    summary: "A visitor refused what they had accepted; told beside `consent.created`.",
    data: ConsentBody,
  },
  "consent.erased": {
    summary: "Records were erased, on request or at the end of their retention.",
    data: Type.Object({
      projectId: Id,
      documentId: Type.String({ description: "The erasure's id." }),
      reason: Type.String({ description: "`request` or `retention`." }),
      count: Type.Integer({ description: "How many records." }),
    }),
  },
  "project.created": documents("A project was created."),
  "project.updated": documents("A project was changed."),
  "project.deleted": documents("A project was deleted."),
  "configuration.created": documents("A configuration was created."),
  "configuration.updated": documents("A configuration was changed."),
  "configuration.deleted": documents("A configuration was deleted."),
  "publish.done": {
    summary: "A project was published.",
    data: Type.Object({
      projectId: Id,
      documentId: Type.String({ description: "The job's id." }),
      environment: Environment,
      version: Type.Union([Version, Type.Null()]),
      hash: Type.Union([Type.String(), Type.Null()]),
      unchanged: Type.Optional(Type.Boolean()),
    }),
  },
  "publish.failed": {
    summary: "A publication ended in an error; what was live stays live.",
    data: Type.Object({
      projectId: Id,
      documentId: Type.String({ description: "The job's id." }),
      environment: Environment,
      step: Type.String(),
    }),
  },
  "export.done": {
    summary: "An export was read to its end.",
    data: Type.Object({
      projectId: Id,
      exportId: Type.String(),
      format: Type.String(),
      count: Type.Integer(),
      bytes: Type.Integer(),
      sha256: Type.String(),
    }),
  },
  "import.done": {
    summary: "An import ended. Of the consents that it brought nothing else is told.",
    data: Type.Object({
      projectId: Id,
      documentId: Type.String({ description: "The import's id." }),
    }),
  },
  "user.invited": {
    summary: "Somebody was invited to a project or an organization.",
    data: Type.Object({ projectId: Type.Optional(Id), documentId: Id }),
  },
  "user.joined": {
    summary: "Somebody was given roles on a document, or others than before.",
    data: Type.Object({
      projectId: Type.Optional(Id),
      documentId: Id,
      userId: Id,
      roles: Type.Array(Type.String()),
    }),
  },
  "subscription.updated": {
    summary: "An organization's plan or the state of its subscription changed.",
    data: Type.Object({
      documentId: Type.String({ description: "The organization's id." }),
      plan: Type.String(),
      status: Type.String(),
    }),
  },
} as const satisfies Record<string, Declared>;

export type ToldName = keyof typeof declaredEvents;

export const toldNames = Object.keys(declaredEvents) as ToldName[];

/** What a test sends, to whoever asks for it; nobody subscribes to it. */
export const TEST_EVENT = "webhook.test";
export const declaredTest: Declared = {
  summary: "Somebody asked for a test. It comes without being asked for among `events`.",
  data: Type.Object({
    projectId: Type.Optional(Id),
    documentId: Type.String({ description: "The webhook's id." }),
    message: Type.String(),
  }),
};

/** The older name of consents, with the project in it and the record itself as the body. */
export const olderNamePattern = /^consent\/([0-9a-f]{24})$/;

/** Whether webhooks and the list of events tell something under this name. */
export function isToldName(name: string): boolean {
  return toldNames.some((told) => told === name) || olderNamePattern.test(name);
}

/** An event of the audit trail, numbered. */
export interface EventRow {
  id: number;
  position: number;
  name: string;
  project_id: string | null;
  document_id: string | null;
  data: Record<string, unknown>;
  created_at: Date;
}

/** The name under which an event of the audit trail is told; undefined: it is not. */
export function toToldName({ name, data }: Pick<EventRow, "name" | "data">): ToldName | undefined {
  // Roles that were taken away are told to nobody.
  if (name === "rights.changed")
    return Array.isArray(data["roles"]) && data["roles"].length > 0 ? "user.joined" : undefined;
  // Signing up is nobody's business but the user's own.
  if (name === "user.joined") return undefined;
  return toldNames.find((told) => told === name && !told.startsWith("consent.c"));
}
