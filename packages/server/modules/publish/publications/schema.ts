import { Type, type Static } from "typebox";
import { instantIn } from "@avow/contract/instants";
import { additions } from "../../consents/offers/agreement.ts";
import { askKinds, changeClasses, changeKinds, itemTypes, valueTypes } from "../changes/change.ts";
import { severities } from "../check/rules/finding.ts";
import { type ListName, listNames } from "@avow/contract/published";
import { configurationResources } from "../../vault/schemas/resources.ts";
import { type Service, services } from "../selection/selection.ts";
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
    errors: Type.Integer({ description: "Number of errors." }),
    rules: Type.Array(Type.String()),
    reason: Type.Optional(Type.String({ description: "The owner's reason." })),
  },
  { title: "Overridden", description: "The errors of the publish check that an owner overrode." },
);

const ApprovalOut = Type.Object(
  {
    required: Type.Integer({ description: "Number of approvals that the project required." }),
    digest: Type.String({ description: "SHA-256 of the approved draft." }),
    approvals: Type.Array(
      Type.Object(
        {
          id: Id,
          name: Type.String(),
          approvedAt: Time,
          userId: Type.Optional(Id),
          linkId: Type.Optional(Type.String({ description: "Given by this review link." })),
        },
        { title: "GivenApproval" },
      ),
    ),
    bypassed: Type.Optional(
      Type.String({ description: "An owner published without approval, for this reason." }),
    ),
  },
  { title: "PublicationApproval", description: "The approvals that a version was published with." },
);

const AsksAgainOut = Type.Object(
  {
    tokens: Type.Integer({
      description: "Number of tokens that have accepted what is asked again, each counted once.",
    }),
    atLeast: Type.Boolean({
      description: "The count stopped at its maximum; the true number may be higher.",
    }),
    count: Type.Integer({ description: "Number of items that are asked again." }),
    items: Type.Array(
      Type.Object(
        {
          collection: Type.String(),
          identifier: Id,
          item: Type.String({ description: "The vendor; empty for the whole configuration." }),
          name: Type.String(),
          additions: Type.Array(enumOf(additions), {
            description: "The additions to what was accepted.",
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
    description: "Items that people are asked again, because they ask for more than was accepted.",
  },
);

const FindingOut = Type.Object(
  {
    rule: Type.String({ description: "Stable name of the rule." }),
    severity: enumOf(severities),
    path: Type.String({
      description: "JSON pointer into the content that would be published.",
    }),
    message: Type.String({ description: "The problem." }),
    source: Type.String({ description: "The law or guideline behind the rule." }),
    fix: Type.String({ description: "How to fix it." }),
    about: Type.Array(Type.String(), {
      description:
        "The values in the message, in its order, for messages in other words or languages.",
    }),
  },
  { title: "Finding" },
);
const configurationResult = {
  collection: enumOf(listNames),
  identifier: Id,
  name: Type.String(),
  version: Type.Integer({ description: "The version of the document in the vault." }),
};
const ConfigurationResultOut = Type.Object(configurationResult, { title: "ConfigurationResult" });
const HeldBackOut = Type.Object(
  {
    ...configurationResult,
    reason: Type.String({ description: "The first finding, and the number of further ones." }),
    findings: Type.Array(FindingOut, {
      description: "The errors, at most 20; each path is a JSON pointer into the configuration.",
    }),
  },
  { title: "HeldBack" },
);

const ConfigurationIds = Type.Array(Id, {
  maxItems: 1_000,
  description: "Ids of configurations. Empty counts as left out.",
});
const selected = {
  services: Type.Optional(
    Type.Array(enumOf(services), {
      description: "The parts of the project that were requested; without it, everything.",
    }),
  ),
  cookies: Type.Optional(ConfigurationIds),
  processings: Type.Optional(ConfigurationIds),
  contracts: Type.Optional(ConfigurationIds),
  contractsV2: Type.Optional(ConfigurationIds),
};

export const PublishJobOut = Type.Object(
  {
    _id: Id,
    id: Id,
    projectId: Id,
    environment: enumOf(environments),
    rollbackOf: Type.Optional(
      Type.Integer({ description: "The version that is published again." }),
    ),
    publishAt: Type.Optional({
      ...Time,
      description: "Scheduled start; the job is Pending until then.",
    }),
    forced: Type.Optional(
      Type.Boolean({ description: "Errors of the publish check do not stop it." }),
    ),
    overridden: Type.Optional(OverriddenOut),
    approval: Type.Optional(ApprovalOut),
    strict: Type.Optional(
      Type.Boolean({ description: "The job fails where a configuration would be held back." }),
    ),
    ...selected,
    sameVersion: Type.Optional(
      Type.Boolean({
        description:
          "The content is the same as the live version, which stays live. Files missing in storage are restored.",
      }),
    ),
    published: Type.Optional(
      Type.Array(ConfigurationResultOut, {
        description:
          "The requested configurations that this version changes, once the step `bundle` has ended. A rollback lists none.",
      }),
    ),
    unchanged: Type.Optional(
      Type.Array(ConfigurationResultOut, {
        description: "The requested configurations that are the same as in the live version.",
      }),
    ),
    heldBack: Type.Optional(
      Type.Array(HeldBackOut, {
        description:
          "The requested configurations with errors of the publish check. They stay at their live version, or unpublished.",
      }),
    ),
    warnings: Type.Optional(
      Type.Array(Type.Object({ path: Type.String(), message: Type.String() }), {
        description: "One for each configuration that is held back.",
      }),
    ),
    asksAgain: Type.Optional(AsksAgainOut),
    status: enumOf(statuses),
    step: enumOf(stepNames),
    steps: Type.Array(StepOut),
    createdAt: Time,
    startedAt: Type.Optional(Time),
    endedAt: Type.Optional(Time),
    timeout: Type.Integer({ description: "Interval between polls, in ms." }),
    message: Type.Optional(Type.String({ description: "Why it failed, and what to do." })),
    url: Type.Optional(Type.String({ description: "Address of the published file, once done." })),
    hash: Type.Optional(
      Type.String({
        description: "SHA-256 of the content; the same as `hash` in the published file.",
      }),
    ),
    size: Type.Optional(
      Type.Integer({
        description: "Size of the published file before compression, in bytes.",
      }),
    ),
    version: Type.Optional(Type.Integer()),
    files: Type.Optional(
      Type.Array(
        Type.Object(
          {
            url: Type.String(),
            integrity: Type.String({ description: "Hash for Subresource Integrity (SHA-384)." }),
            size: Type.Integer({ description: "Before compression, in bytes." }),
          },
          { title: "PublishedFile" },
        ),
        {
          description:
            "The published file, its copy under its hash, and the widget under its hash.",
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

const findingCounts = {
  errors: Type.Integer({ description: "Number of findings that break the law as it stands." }),
  warnings: Type.Integer({ description: "Number of findings that a person has to assess." }),
  findings: Type.Array(FindingOut, { description: "Errors first; at most 500." }),
};

const DraftBody = Type.Record(Type.String(), Type.Unknown(), {
  description: "All fields of the document, as in a PUT.",
});
export const PreviewIn = Type.Object({
  documents: Type.Optional(
    Type.Array(
      Type.Union([
        Type.Object({ id: Id, body: DraftBody }),
        Type.Object({
          collection: Type.Enum([...configurationResources], {
            description: "The collection of a document that does not exist yet.",
          }),
          body: DraftBody,
        }),
      ]),
      {
        maxItems: 1_000,
        description:
          "Drafts of the project and its configurations, used instead of the stored documents, and new configurations.",
      },
    ),
  ),
  removed: Type.Optional(
    Type.Array(Id, {
      maxItems: 1_000,
      uniqueItems: true,
      description: "Configurations that the content is built without.",
    }),
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
        description: "The content that would be published, as the widget reads it.",
      },
    ),
    asksAgain: AsksAgainOut,
    documents: Type.Array(Type.Object({ body: Type.Record(Type.String(), Type.Unknown()) }), {
      description: "The drafts in their order, as they would be stored.",
    }),
    links: Type.Object({ self: Link, project: Link, check: Link }),
  },
  { title: "Preview" },
);

export const CheckOut = Type.Object(
  {
    projectId: Id,
    checkedAt: Time,
    ...findingCounts,
    heldBack: Type.Array(HeldBackOut, {
      description: "The configurations that a publication would hold back.",
    }),
    blocked: Type.Boolean({
      description:
        "A publication of everything would fail: the project itself has errors, or all of its configurations.",
    }),
    asksAgain: AsksAgainOut,
    links: Type.Object({ self: Link, project: Link, publish: Link, changes: Link }),
  },
  { title: "PublishCheck" },
);

/** A version by its number, `live` (what visitors get) or `next` (what would be published). */
const VersionName = Type.String({
  pattern: "^([1-9][0-9]{0,8}|live|next)$",
  examples: ["live"],
});
export const DiffParams = Type.Object({ projectId: Id, from: VersionName, to: VersionName });

const ChangeValueOut = Type.Object(
  {
    type: enumOf(valueTypes),
    text: Type.String({
      description:
        "Short enough for a list. `on` or `off` for a `switch`; the removed or added entries for a `list`.",
    }),
    parts: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 3,
        maxItems: 3,
        description: "The text in three parts: unchanged, changed, unchanged.",
      }),
    ),
    count: Type.Optional(
      Type.Integer({
        description: "Number of words of the text or entries of the list, if it is cut.",
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
      description:
        "JSON pointer into the later version, or into the earlier version for a removal.",
    }),
    message: Type.String(),
    about: Type.Array(Type.String(), { description: "The values in the message, in its order." }),
    asks: enumOf(askKinds, {
      description:
        "The people it asks: `again` those who have accepted, `first` everybody for the first time, or nobody.",
    }),
    configuration: Type.Optional(
      Type.Object(
        {
          collection: enumOf(["cookies", "processings", "contracts", "contractsV2"]),
          identifier: Id,
          name: Type.String(),
          language: Type.Optional(Type.String()),
        },
        { description: "Without it, the change is the project's." },
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
        name: Type.String({ description: "Name on screens." }),
        within: Type.Optional(Type.String({ description: "For a vendor, its step." })),
      }),
    ),
    field: Type.Optional(Type.String({ description: "Path of the field, such as `colors.main`." })),
    label: Type.Optional(
      Type.String({
        description:
          "For a text that the widget brings by default: that default, in the banner's language.",
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
    classes: Type.Array(enumOf(changeClasses), {
      description: "The classes of all changes, each once.",
    }),
    count: Type.Integer({
      description: "Number of all changes, including those that are not listed.",
    }),
    changes: Type.Array(ChangeOut, {
      description: "Changes that ask for more first; at most 500.",
    }),
    operations: Type.Array(
      Type.Object({ op: Type.String(), path: Type.String(), value: Type.Optional(Type.Unknown()) }),
      { description: "The changes as RFC 6902 operations; at most 500." },
    ),
    truncated: Type.Boolean({ description: "There are more changes or more operations." }),
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
    size: Type.Integer({ description: "Size of the published file before compression, in bytes." }),
    publishedAt: Time,
    publishedBy: Type.String(),
    jobId: Id,
    overridden: Type.Optional(OverriddenOut),
    approval: Type.Optional(ApprovalOut),
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

interface RollbackIn {
  environment?: Static<typeof EnvironmentIn>;
  force?: boolean;
  withoutApproval?: boolean;
  reason?: string;
  publishAt?: string;
}
interface PublishIn extends RollbackIn, Partial<Record<ListName, string[]>> {
  services?: Service[];
  strict?: boolean;
}

const rollbackFields = {
  environment: EnvironmentIn,
  force: {
    type: "boolean",
    description:
      "Publishes despite errors of the publish check, which the version records. Only for owners.",
  },
  withoutApproval: {
    type: "boolean",
    description:
      "Publishes without the approvals that the project requires, which the version records. Only for owners, with a `reason`.",
  },
  reason: {
    type: "string",
    maxLength: 1_000,
    description:
      "Why the errors are overridden, or approvals are not waited for. The version records it.",
  },
  publishAt: instantIn("Publishes the project at this time, as it is then. At most a year ahead."),
};

/** The bodies may be left out (specification, Publish: "no payload"). */
export const RollbackIn = Type.Unsafe<RollbackIn | null>({
  type: ["object", "null"],
  properties: rollbackFields,
});
export const PublishIn = Type.Unsafe<PublishIn | null>({
  type: ["object", "null"],
  properties: {
    ...rollbackFields,
    ...selected,
    services: {
      type: "array",
      items: enumOf(services),
      description:
        "The parts of the project to publish; the others stay at their live version. Without a selection, everything is published.",
    },
    strict: {
      type: "boolean",
      description:
        "Fails the job where a configuration would be held back because of errors of the publish check.",
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
