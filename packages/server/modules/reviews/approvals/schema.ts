import { Type, type Static } from "typebox";
import { AuthorOut } from "../authors.ts";
import { TEXT_LENGTH_MAX } from "../comments/schema.ts";

const Id = Type.String({ pattern: "^[0-9a-f]{24}$" });
const Time = Type.String({ format: "date-time" });
const Digest = Type.String({
  pattern: "^[0-9a-f]{64}$",
  description: "the SHA-256 of a draft, as the review returns it",
  examples: ["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
});

const approverGroups = ["owners", "editors"] as const;
export type ApproverGroup = (typeof approverGroups)[number];
const decisions = ["approved", "changes-requested"] as const;
export type Decision = (typeof decisions)[number];

const settings = {
  required: Type.Integer({
    minimum: 0,
    maximum: 2,
    description: "Number of approvals that a publication to production requires.",
  }),
  approvers: Type.Enum([...approverGroups], {
    description: "`owners`: only owners approve. `editors`: owners and editors.",
  }),
  links: Type.Boolean({
    description: "Whether approvals by review links count, if the link allows them.",
  }),
};
export const SettingsIn = Type.Object(settings);
export type Settings = Static<typeof SettingsIn>;
export const SettingsOut = Type.Object(settings, { title: "ReviewSettings" });

export const RequestIn = Type.Union([
  Type.Object({
    message: Type.Optional(Type.String({ maxLength: 1_000 })),
    reviewers: Type.Optional(
      Type.Array(Id, {
        maxItems: 50,
        uniqueItems: true,
        description: "Ids of members. Default: everybody who may approve.",
      }),
    ),
  }),
  Type.Null(),
]);
export const RequestOut = Type.Object(
  {
    id: Id,
    digest: Type.String(),
    isCurrent: Type.Boolean({ description: "Whether the draft is still the same." }),
    by: AuthorOut,
    message: Type.Union([Type.String(), Type.Null()]),
    reviewers: Type.Array(Id),
    createdAt: Time,
  },
  { title: "ReviewRequest" },
);

export const DecisionIn = Type.Object({
  digest: Digest,
  decision: Type.Enum([...decisions]),
  text: Type.Optional(
    Type.String({
      maxLength: TEXT_LENGTH_MAX,
      description: "A comment on the draft as a whole; required to request changes.",
    }),
  ),
});
export const DecisionOut = Type.Object(
  {
    id: Id,
    digest: Type.String(),
    decision: Type.Enum([...decisions]),
    author: AuthorOut,
    createdAt: Time,
    withdrawnAt: Type.Union([Time, Type.Null()]),
    isCurrent: Type.Boolean({
      description: "Whether it is about the draft as it is now, and was not withdrawn.",
    }),
    counts: Type.Boolean({
      description:
        "Whether it is an approval of the draft as it is now, by a person who may approve. It does not count if this person publishes.",
    }),
  },
  { title: "Decision" },
);

export const ReviewOut = Type.Object(
  {
    projectId: Id,
    digest: Type.String({ description: "SHA-256 of the draft as it is now." }),
    settings: SettingsOut,
    decisions: Type.Array(DecisionOut, { description: "About the draft as it is now." }),
    earlier: Type.Array(DecisionOut, {
      description: "The newest 20 that were withdrawn, or are about another draft.",
    }),
    missing: Type.Integer({
      description: "Number of approvals that are missing if the caller publishes.",
    }),
    mayApprove: Type.Boolean({ description: "Whether an approval by the caller counts." }),
    request: Type.Union([RequestOut, Type.Null()], { description: "The newest request." }),
    openThreads: Type.Integer(),
    links: Type.Object({
      self: Type.String(),
      decisions: Type.String(),
      comments: Type.String(),
      check: Type.String(),
      changes: Type.String(),
    }),
  },
  { title: "Review" },
);
