import { Type, type Static } from "typebox";
import { AuthorOut } from "../authors.ts";

/** Maximum length of a comment, in characters. */
export const TEXT_LENGTH_MAX = 5_000;

const Id = Type.String({ pattern: "^[0-9a-f]{24}$" });
const Time = Type.String({ format: "date-time" });
const TimeOrNull = Type.Union([Time, Type.Null()]);
const Text = Type.String({
  minLength: 1,
  maxLength: TEXT_LENGTH_MAX,
  description: "Plain text; line breaks are kept.",
});

const AnchorIn = Type.Object({
  configurationId: Id,
  pointer: Type.Optional(
    Type.String({
      maxLength: 500,
      description: "JSON pointer (RFC 6901) into the configuration, such as `/steps/0/title`.",
    }),
  ),
  excerpt: Type.Optional(
    Type.String({
      maxLength: 300,
      description: "The text there now, so that the comment stays clear after edits.",
    }),
  ),
});
export type Anchor = Static<typeof AnchorIn>;

export const CommentIn = Type.Object({
  text: Text,
  about: Type.Optional(AnchorIn),
});
export const ReplyIn = Type.Object({ text: Text });
export const CommentChangeIn = Type.Union([
  Type.Object({ text: Text }, { additionalProperties: false }),
  Type.Object(
    { resolved: Type.Boolean({ description: "Only of the first comment of a thread." }) },
    { additionalProperties: false },
  ),
]);

const threadStatuses = ["open", "resolved"] as const;
export const ThreadsQueryIn = Type.Object({
  status: Type.Optional(Type.Enum([...threadStatuses])),
  configurationId: Type.Optional(Id),
});

const comment = {
  id: Id,
  author: AuthorOut,
  text: Type.String(),
  createdAt: Time,
  editedAt: TimeOrNull,
};
const ReplyOut = Type.Object(comment, { title: "Reply" });
export const CommentOut = Type.Object(
  { ...comment, projectId: Id, threadId: Id, resolvedAt: TimeOrNull },
  { title: "Comment" },
);
export const ThreadOut = Type.Object(
  {
    ...comment,
    projectId: Id,
    about: Type.Union([AnchorIn, Type.Null()], {
      description: "The place in the draft; null for the draft as a whole.",
    }),
    resolvedAt: TimeOrNull,
    resolvedBy: Type.Union([Id, Type.Null()]),
    replies: Type.Array(ReplyOut, { description: "Oldest first; at most 100." }),
  },
  { title: "Thread" },
);
