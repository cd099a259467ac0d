import { Type, type Static } from "typebox";
import { type Actor, toActorName } from "../../kernel/actor.ts";
import type { Ctx } from "../../kernel/ctx.ts";

/** The actor of persons who act by a review link, in the audit trail. */
export const linkReviewer = { kind: "system", name: "review-link" } as const satisfies Actor;

/** A member, or the holder of a review link with the name that they gave. */
export type Author = { userId: string } | { linkId: string; name: string };

/** The columns of an author. */
export interface AuthorColumns {
  author_id: string | null;
  link_id: string | null;
  author_name: string | null;
}

/** The same with the names of users, which are joined. */
export interface NamedAuthor extends AuthorColumns {
  display_name: string | null;
  email: string | null;
}

export const AuthorOut = Type.Object(
  {
    kind: Type.Enum(["member", "link"]),
    id: Type.String({ description: "The user's id, or the link's." }),
    name: Type.Union([Type.String(), Type.Null()], {
      description: "As the person is called now, or called themselves; null for a deleted account.",
    }),
  },
  { title: "Author" },
);

/** The author of a member's request. */
export function authorOf(ctx: Pick<Ctx, "actor">): Author {
  return { userId: toActorName(ctx.actor) };
}

export function toAuthorColumns(author: Author): AuthorColumns {
  if ("userId" in author) return { author_id: author.userId, link_id: null, author_name: null };
  return { author_id: null, link_id: author.linkId, author_name: author.name };
}

export function isAuthor(row: AuthorColumns, author: Author): boolean {
  return "userId" in author ? row.author_id === author.userId : row.link_id === author.linkId;
}

/** The name of an author; undefined for a deleted account. */
export function nameOf({ author_name: given, display_name: name, email }: NamedAuthor) {
  return given ?? (name || email || undefined);
}

export function toAuthorOut(row: NamedAuthor): Static<typeof AuthorOut> {
  const { author_id: userId, link_id: linkId } = row;
  return {
    kind: linkId === null ? "member" : "link",
    id: linkId ?? userId ?? "",
    name: nameOf(row) ?? null,
  };
}

/** The member of an event's data that names the link of its author. */
export function toEventAuthor(author: Author): { linkId?: string } {
  return "linkId" in author ? { linkId: author.linkId } : {};
}
