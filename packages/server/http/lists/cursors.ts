import { Type, type Static, type TSchema } from "typebox";

/** The query of every list that can have millions of rows (wire section 0). */
export const CursorQueryIn = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 1_000, default: 100 }),
  cursor: Type.Optional(Type.String({ maxLength: 2_048, description: "Taken from `links.next`." })),
});
export type CursorQueryIn = Static<typeof CursorQueryIn>;

/** The response of a list with a cursor. */
export function cursorListOf<T extends TSchema>(item: T) {
  return Type.Object({
    items: Type.Array(item),
    links: Type.Object({ self: Type.String(), next: Type.Optional(Type.String()) }),
  });
}
