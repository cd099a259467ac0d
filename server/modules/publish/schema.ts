import { Type, type Static } from "typebox";
import { severities } from "./check/finding.ts";
import { statuses, stepNames } from "./steps.ts";
import { environments } from "./store.ts";

const Id = Type.String({ pattern: "^[0-9a-f]{24}$" });
const Time = Type.String({ format: "date-time" });
const TimeOrNull = Type.Union([Time, Type.Null()]);
const Link = Type.String();
const enumOf = <const T extends string>(values: readonly T[]) =>
  Type.Unsafe<T>({ type: "string", enum: [...values] });
const VersionNumber = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });

const EnvironmentIn = enumOf(environments);

const StepOut = Type.Object(
  {
    name: enumOf(stepNames),
    status: enumOf(statuses),
    startedAt: TimeOrNull,
    endedAt: TimeOrNull,
    message: Type.Union([Type.String(), Type.Null()]),
  },
  { title: "PublishStep" },
);

export const PublishJobOut = Type.Object(
  {
    _id: Id,
    id: Id,
    projectId: Id,
    environment: enumOf(environments),
    rollbackOf: Type.Optional(Type.Integer({ description: "The version published again." })),
    status: enumOf(statuses),
    step: enumOf(stepNames),
    steps: Type.Array(StepOut),
    createdAt: Time,
    startedAt: Type.Optional(Time),
    endedAt: Type.Optional(Time),
    timeout: Type.Integer({ description: "How long to wait before the next poll, in ms." }),
    message: Type.Optional(Type.String({ description: "Why it failed, and what to do." })),
    url: Type.Optional(Type.String({ description: "Where the published file is, once done." })),
    hash: Type.Optional(
      Type.String({
        description: "SHA-256 of the content, which is `hash` in the published file.",
      }),
    ),
    size: Type.Optional(
      Type.Integer({ description: "Of the published file before compression, in bytes." }),
    ),
    version: Type.Optional(Type.Integer()),
    links: Type.Object({ self: Link, project: Link, versions: Link, file: Type.Optional(Link) }),
  },
  { title: "PublishJob" },
);
export type PublishJobOut = Static<typeof PublishJobOut>;

export const CheckOut = Type.Object(
  {
    projectId: Id,
    checkedAt: Time,
    errors: Type.Integer({ description: "How many findings are against the law as it is." }),
    warnings: Type.Integer({ description: "How many are for a person to decide." }),
    findings: Type.Array(
      Type.Object(
        {
          rule: Type.String({ description: "The rule's name, which stays." }),
          severity: enumOf(severities),
          path: Type.String({
            description: "Where, as a JSON pointer into what would be published.",
          }),
          message: Type.String({ description: "What is there." }),
          source: Type.String({ description: "Where the rule comes from." }),
          fix: Type.String({ description: "How to mend it." }),
        },
        { title: "Finding" },
      ),
      { description: "Errors first; at most 500." },
    ),
    links: Type.Object({ self: Link, project: Link, publish: Link }),
  },
  { title: "PublishCheck" },
);

export const PublicationOut = Type.Object(
  {
    projectId: Id,
    environment: enumOf(environments),
    version: Type.Integer(),
    live: Type.Boolean({ description: "Whether visitors get this version now." }),
    hash: Type.String({ description: "SHA-256 of the file at `links.file`." }),
    size: Type.Integer({ description: "Of the published file before compression, in bytes." }),
    publishedAt: Time,
    publishedBy: Type.String(),
    jobId: Id,
    links: Type.Object({ self: Link, file: Link, job: Link, project: Link, rollback: Link }),
  },
  { title: "Publication" },
);
export type PublicationOut = Static<typeof PublicationOut>;

/** The body may be left out (specification, Publish: "no payload"). */
export const PublishIn = Type.Unsafe<{ environment?: Static<typeof EnvironmentIn> } | null>({
  type: ["object", "null"],
  properties: { environment: EnvironmentIn },
});

export const JobParams = Type.Object({ id: Id });
export const ProjectParams = Type.Object({ projectId: Id });
export const RollbackParams = Type.Object({ projectId: Id, version: VersionNumber });
export const EnvironmentQuery = Type.Object({ environment: Type.Optional(EnvironmentIn) });
export const JobsQuery = Type.Object({
  projectId: Id,
  environment: Type.Optional(EnvironmentIn),
});
