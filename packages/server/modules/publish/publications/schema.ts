import { Type, type Static } from "typebox";
import { additions } from "../../consents/offers/agreement.ts";
import { askings, changeClasses, changeKinds, itemTypes, valueTypes } from "../changes/change.ts";
import { severities } from "../check/rules/finding.ts";
import { statuses, stepNames } from "./steps.ts";
import { environments } from "./store.ts";

const Id = Type.String({ pattern: "^[0-9a-f]{24}$" });
const Time = Type.String({ format: "date-time" });
const TimeOrNull = Type.Union([Time, Type.Null()]);
const Link = Type.String();
const enumOf = <const T extends string>(
  values: readonly T[],
  about: { description?: string } = {},
) => Type.Unsafe<T>({ type: "string", enum: [...values], ...about });
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

const OverriddenOut = Type.Object(
  {
    errors: Type.Integer({ description: "How many there were." }),
    rules: Type.Array(Type.String()),
    reason: Type.Optional(Type.String({ description: "Why, in the words of the owner." })),
  },
  { title: "Overridden", description: "The errors of the publish check that an owner overrode." },
);

const AsksAgainOut = Type.Object(
  {
    tokens: Type.Integer({
      description: "How many tokens have accepted what is asked again, each once.",
    }),
    atLeast: Type.Boolean({ description: "The count went no further." }),
    count: Type.Integer({ description: "How many items are asked again." }),
    items: Type.Array(
      Type.Object(
        {
          collection: Type.String(),
          identifier: Id,
          item: Type.String({ description: "The vendor; empty for the whole configuration." }),
          name: Type.String(),
          additions: Type.Array(enumOf(additions), {
            description: "In what it asks for more than what was accepted.",
          }),
          tokens: Type.Integer(),
        },
        { title: "AskedAgain" },
      ),
      { description: "The first 50." },
    ),
  },
  {
    title: "AsksAgain",
    description: "What people are asked again, since it asks for more than they accepted.",
  },
);

export const PublishJobOut = Type.Object(
  {
    _id: Id,
    id: Id,
    projectId: Id,
    environment: enumOf(environments),
    rollbackOf: Type.Optional(Type.Integer({ description: "The version published again." })),
    publishAt: Type.Optional({ ...Time, description: "When it begins; until then it is Pending." }),
    forced: Type.Optional(
      Type.Boolean({ description: "Errors of the publish check do not stop it." }),
    ),
    overridden: Type.Optional(OverriddenOut),
    unchanged: Type.Optional(
      Type.Boolean({
        description:
          "What was live is the same to the byte, and stayed; files that storage had lost are there again.",
      }),
    ),
    asksAgain: Type.Optional(AsksAgainOut),
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
    files: Type.Optional(
      Type.Array(
        Type.Object(
          {
            url: Type.String(),
            integrity: Type.String({ description: "For subresource integrity (SHA-384)." }),
            size: Type.Integer({ description: "Before compression, in bytes." }),
          },
          { title: "PublishedFile" },
        ),
        {
          description:
            "The published file, the same under its hash, and the widget under its hash.",
        },
      ),
    ),
    links: Type.Object({
      self: Link,
      project: Link,
      versions: Link,
      check: Link,
      changes: Link,
      file: Type.Optional(Link),
    }),
  },
  { title: "PublishJob" },
);
export type PublishJobOut = Static<typeof PublishJobOut>;

const FindingOut = Type.Object(
  {
    rule: Type.String({ description: "The rule's name, which stays." }),
    severity: enumOf(severities),
    path: Type.String({
      description: "Where, as a JSON pointer into what would be published.",
    }),
    message: Type.String({ description: "What is there." }),
    source: Type.String({ description: "Where the rule comes from." }),
    fix: Type.String({ description: "How to mend it." }),
    about: Type.Array(Type.String(), {
      description: "What the message names, in its order: for who says it in other words.",
    }),
  },
  { title: "Finding" },
);
const findingCounts = {
  errors: Type.Integer({ description: "How many findings are against the law as it is." }),
  warnings: Type.Integer({ description: "How many are for a person to decide." }),
  findings: Type.Array(FindingOut, { description: "Errors first; at most 500." }),
};

export const PreviewIn = Type.Object({
  documents: Type.Optional(
    Type.Array(
      Type.Object({
        id: Id,
        body: Type.Record(Type.String(), Type.Unknown(), {
          description: "All of its own fields, as in a PUT.",
        }),
      }),
      {
        maxItems: 20,
        description:
          "Drafts of the project and of its configurations, in the place of what is kept.",
      },
    ),
  ),
});
export const PreviewOut = Type.Object(
  {
    projectId: Id,
    ...findingCounts,
    content: Type.Object(
      {},
      {
        additionalProperties: true,
        description: "What would be published, as the widget reads it.",
      },
    ),
    links: Type.Object({ self: Link, project: Link, check: Link }),
  },
  { title: "Preview" },
);

export const CheckOut = Type.Object(
  {
    projectId: Id,
    checkedAt: Time,
    ...findingCounts,
    asksAgain: AsksAgainOut,
    links: Type.Object({ self: Link, project: Link, publish: Link, changes: Link }),
  },
  { title: "PublishCheck" },
);

/** A version by its number, `live` (what visitors get) or `next` (what would be published). */
const VersionName = Type.String({ pattern: "^([1-9][0-9]{0,8}|live|next)$" });
export const DiffParams = Type.Object({ projectId: Id, from: VersionName, to: VersionName });

const ChangeValueOut = Type.Object(
  {
    type: enumOf(valueTypes),
    text: Type.String({
      description:
        "Short enough for a list. Of a `switch` `on` or `off`; of a `list` what is gone from it, or new in it.",
    }),
    parts: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 3,
        maxItems: 3,
        description: "The text in three: as before, another, as before again.",
      }),
    ),
    count: Type.Optional(
      Type.Integer({
        description: "How many words the text, or entries the list, has, where it is cut.",
      }),
    ),
  },
  { title: "ChangeValue" },
);

const ChangeOut = Type.Object(
  {
    class: enumOf(changeClasses),
    kind: enumOf(changeKinds),
    path: Type.String({
      description: "A JSON pointer into the later version; into the earlier, of what is gone.",
    }),
    message: Type.String(),
    about: Type.Array(Type.String(), { description: "What the message names, in its order." }),
    asks: enumOf(askings, {
      description:
        "Whom it asks: `again` whoever has accepted, `first` everybody for the first time, or nobody.",
    }),
    configuration: Type.Optional(
      Type.Object(
        {
          collection: enumOf(["cookies", "processings", "contracts", "contractsV2"]),
          identifier: Id,
          name: Type.String(),
          language: Type.Optional(Type.String()),
        },
        { description: "Without it, it is the project's." },
      ),
    ),
    item: Type.Optional(
      Type.Object({
        type: enumOf(itemTypes),
        id: Type.Optional(
          Type.String({
            description: "A step's name, a vendor's slug, a partner's number in the vendor list.",
          }),
        ),
        name: Type.String({ description: "As people read it." }),
        within: Type.Optional(Type.String({ description: "Of a vendor, its step." })),
      }),
    ),
    field: Type.Optional(
      Type.String({ description: "Its name, after those that it is in: `colors.main`." }),
    ),
    label: Type.Optional(
      Type.String({
        description:
          "Of a text that the widget has by itself: that text, in the banner's language.",
      }),
    ),
    before: Type.Optional(ChangeValueOut),
    after: Type.Optional(ChangeValueOut),
  },
  { title: "Change" },
);

export const ChangesOut = Type.Object(
  {
    projectId: Id,
    environment: enumOf(environments),
    from: Type.Union([Type.Integer(), Type.Null()], {
      description: "The earlier version; null where nothing is live.",
    }),
    to: Type.Union([Type.Integer(), Type.Null()], {
      description: "The later version; null for what would be published.",
    }),
    classes: Type.Array(enumOf(changeClasses), { description: "Of all changes, each once." }),
    count: Type.Integer({ description: "How many changes there are, also beyond those here." }),
    changes: Type.Array(ChangeOut, { description: "What asks for more first; at most 500." }),
    operations: Type.Array(
      Type.Object({ op: Type.String(), path: Type.String(), value: Type.Optional(Type.Unknown()) }),
      { description: "The same as RFC 6902; at most 500." },
    ),
    truncated: Type.Boolean({ description: "There are more of either." }),
    asksAgain: Type.Optional(AsksAgainOut),
    links: Type.Object({ self: Link, project: Link, versions: Link, publish: Link }),
  },
  { title: "PublicationDiff" },
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
    overridden: Type.Optional(OverriddenOut),
    asksAgain: Type.Optional(AsksAgainOut),
    links: Type.Object({
      self: Link,
      changes: Link,
      file: Link,
      job: Link,
      project: Link,
      rollback: Link,
    }),
  },
  { title: "Publication" },
);
export type PublicationOut = Static<typeof PublicationOut>;

interface PublishIn {
  environment?: Static<typeof EnvironmentIn>;
  force?: boolean;
  reason?: string;
  publishAt?: string;
}

/** The body may be left out (specification, Publish: "no payload"). */
export const PublishIn = Type.Unsafe<PublishIn | null>({
  type: ["object", "null"],
  properties: {
    environment: EnvironmentIn,
    force: {
      type: "boolean",
      description:
        "Publishes in spite of errors of the publish check, which is kept with the version. For owners.",
    },
    reason: {
      type: "string",
      maxLength: 1_000,
      description: "Why the errors are overridden: kept with the version.",
    },
    publishAt: {
      type: "string",
      format: "date-time",
      description: "Publishes the project as it is then, within a year.",
    },
  },
});

export const JobParams = Type.Object({ id: Id });
export const ProjectParams = Type.Object({ projectId: Id });
export const RollbackParams = Type.Object({ projectId: Id, version: VersionNumber });
export const EnvironmentQuery = Type.Object({ environment: Type.Optional(EnvironmentIn) });
export const JobsQuery = Type.Object({
  projectId: Id,
  environment: Type.Optional(EnvironmentIn),
  status: Type.Optional(enumOf(statuses)),
});
