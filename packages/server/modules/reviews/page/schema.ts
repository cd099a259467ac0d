import { Type, type Static } from "typebox";
import { TEXT_LENGTH_MAX } from "../comments/schema.ts";

const Id = Type.String({ maxLength: 24 });

export const TokenParams = Type.Object({ token: Type.String({ maxLength: 128 }) });
export const PageQueryIn = Type.Object({
  done: Type.Optional(Type.Enum(["approved", "changes-requested", "withdrawn", "comment"])),
  about: Type.Optional(Id),
  at: Type.Optional(Type.String({ maxLength: 500 })),
});

/** A form of the page, by its button. */
export const ActIn = Type.Object({
  do: Type.Enum(["comment", "reply", "approve", "request-changes", "withdraw"]),
  name: Type.Optional(Type.String({ maxLength: 100 })),
  // Browsers send line breaks as two characters.
  text: Type.Optional(Type.String({ maxLength: 2 * TEXT_LENGTH_MAX })),
  configuration: Type.Optional(Id),
  pointer: Type.Optional(Type.String({ maxLength: 500 })),
  thread: Type.Optional(Id),
  digest: Type.Optional(Type.String({ maxLength: 64 })),
  decision: Type.Optional(Id),
  confirmed: Type.Optional(Type.Literal("yes")),
});
export type ActIn = Static<typeof ActIn>;
