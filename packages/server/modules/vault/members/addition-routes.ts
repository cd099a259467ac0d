import { Type } from "typebox";
import { paths } from "@avow/contract/urls";
import { toScope } from "../../../kernel/actor.ts";
import { roles } from "../../../kernel/rights.ts";
import type { Http } from "../../../http/http.ts";
import { PageQueryIn, answerPage } from "../../../http/lists/pages.ts";
import type { VaultApp } from "../documents/vault.ts";
import { resourceOf } from "../schemas/resources.ts";
import { type AdditionRow, listAdditions } from "./additions-store.ts";

const AdditionOut = Type.Object(
  {
    resource: Type.String(),
    id: Type.String({ description: "The document's id." }),
    title: Type.String(),
    roles: Type.Array(Type.Enum([...roles])),
    addedAt: Type.String({ format: "date-time" }),
    links: Type.Object({
      document: Type.String({ description: "A request to it shows you to the other users." }),
      user: Type.String({ description: "DELETE leaves the document, without being shown." }),
    }),
  },
  { title: "Addition" },
);

/** Registers the list of documents that others have added the caller to. */
export function registerAdditionRoute(http: Http, { db, publicUrl }: VaultApp): void {
  http.get(
    paths.additions,
    {
      schema: {
        tags: ["vault"],
        operationId: "listAdditions",
        summary: "List the documents that others have added you to, newest first",
        description:
          "Only those that you were added to by your id and have not opened yet. Until you open one, its other users see neither your name nor your address.",
        querystring: Type.Omit(PageQueryIn, ["sort"]),
        response: { 200: Type.Array(AdditionOut) },
      },
    },
    async (req, reply) => {
      const scope = toScope(req.actor);
      const { items, total } = await listAdditions(db, scope, req.query);
      const userId = scope.kind === "user" ? scope.userId : "";
      const page = { items: items.map((row) => toAdditionOut(row, userId, publicUrl)), total };
      return answerPage({ req, reply, publicUrl }, req.query, page);
    },
  );
}

function toAdditionOut(row: AdditionRow, userId: string, publicUrl: string) {
  const { id, resource, title, added_at: addedAt } = row;
  const document = `${publicUrl}${resourceOf(resource).path}/${id}`;
  return {
    resource,
    id,
    title,
    roles: row.roles as (typeof roles)[number][],
    addedAt: addedAt.toISOString(),
    links: { document, user: `${document}/users/${userId}` },
  };
}
