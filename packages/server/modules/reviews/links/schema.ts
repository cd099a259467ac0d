import { Type } from "typebox";

const Id = Type.String({ pattern: "^[0-9a-f]{24}$" });
const Time = Type.String({ format: "date-time" });
const TimeOrNull = Type.Union([Time, Type.Null()]);

export const LinkIn = Type.Object({
  recipient: Type.String({
    minLength: 1,
    maxLength: 100,
    description: "The person that the link is for.",
  }),
  days: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 90, default: 14, description: "Validity in days." }),
  ),
  mayComment: Type.Optional(Type.Boolean({ default: true })),
  mayApprove: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        "Whether an approval by the link counts. Only owners create such a link, in a project whose settings allow it.",
    }),
  ),
});

const link = {
  id: Id,
  projectId: Id,
  recipient: Type.String(),
  mayComment: Type.Boolean(),
  mayApprove: Type.Boolean(),
  createdAt: Time,
  createdBy: Type.String(),
  expiresAt: Time,
  usedAt: Type.Union([Time, Type.Null()], { description: "Last use; accurate to a minute." }),
  revokedAt: TimeOrNull,
};
export const LinkOut = Type.Object(link, { title: "ReviewLink" });
export const NewLinkOut = Type.Object(
  { ...link, url: Type.String({ description: "Returned only once." }) },
  { title: "NewReviewLink" },
);
