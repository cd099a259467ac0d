import { Type, type Static } from "typebox";
import { hrefOf, paths } from "@avow/contract/urls";
import { toScope } from "../../kernel/actor.ts";
import { CursorQueryIn, cursorListOf } from "../../http/lists/cursors.ts";
import type { Http } from "../../http/http.ts";
import { answerList, csvQueryIn, negotiateList, streamedTypes } from "../../http/lists/lists.ts";
import type { AcceptedToken } from "../consents/read/accepted.ts";
import { listByStatus } from "../consents/read/by-status.ts";
import { planesOf } from "../../platform/db/buckets/buckets.ts";
import { getProject } from "../vault/documents/access.ts";
import { listNamedEntries } from "./projects.ts";
import { ListedStatus, TokenStatusOut } from "./schema.ts";
import { STREAM_LIMIT, type TokensApp } from "./token-routes.ts";

/** Registers the list of tokens by the state of their answer (wire section 5). */
export function registerStatusRoute(http: Http, app: TokensApp): void {
  http.get(
    paths.clientStatusItem,
    {
      schema: {
        tags: ["client"],
        operationId: "listByStatus",
        summary:
          "List the tokens that partly accept an item, refuse it or have withdrawn it, or whose answer has expired",
        description:
          "As of now; newest first, for `expired` oldest first. `partly` applies to configurations: some vendors are " +
          "accepted, but not all. `withdrawn`: was accepted before. Expired answers are in no other list. Superseded " +
          "answers still count. A page may have fewer items than `limit`, or none, and still a `next`.",
        params: Type.Object({
          id: Type.String({ maxLength: 64 }),
          status: ListedStatus,
          identifier: Type.String({
            maxLength: 256,
            description:
              "A configuration's id, or `{configurationId}/{vendor}` with its slash encoded.",
          }),
        }),
        querystring: Type.Interface([CursorQueryIn], csvQueryIn),
        response: { 200: cursorListOf(TokenStatusOut) },
      },
      config: { streamed: streamedTypes },
    },
    async (req, reply) => {
      const { id: projectId, status, identifier: name } = req.params;
      const { limit, cursor } = req.query;
      const planes = await planesOf(app, projectId);
      const project = await getProject(planes.db, toScope(req.actor), projectId);
      const isNamed = listNamedEntries(project).some((entry) => entry.identifier === name);
      const filter = { projectId, name, isNamed, status, now: app.now() };
      const format = negotiateList(req, reply);
      const size = format === "json" ? limit : STREAM_LIMIT;
      const readPage = (here: string | undefined) =>
        listByStatus(planes, filter, { limit: size, cursor: here });
      const page = await readPage(cursor);
      const toOut = (item: AcceptedToken) => toTokenStatusOut(item, projectId, app.publicUrl);
      if (format !== "json") {
        const toLine = (item: AcceptedToken) => JSON.stringify(toOut(item));
        return answerList(
          app.streams,
          { req, reply, format },
          { first: page, readPage, columns: statusColumns, toLine },
        );
      }
      const at = (here: string | undefined) =>
        hrefOf(app.publicUrl, paths.clientStatusItem, req.params, { limit, cursor: here });
      return {
        items: page.items.map(toOut),
        links: { self: at(cursor), ...(page.next === undefined ? {} : { next: at(page.next) }) },
      };
    },
  );
}

function toTokenStatusOut(
  { token, since, consentId }: AcceptedToken,
  id: string,
  publicUrl: string,
): Static<typeof TokenStatusOut> {
  const consents = hrefOf(publicUrl, paths.clientConsents, { id, token });
  return { token, since: since.toISOString(), consentId, links: { consents } };
}

const statusColumns: Record<string, (item: AcceptedToken) => string | null> = {
  token: ({ token }) => token,
  since: ({ since }) => since.toISOString(),
  consentId: ({ consentId }) => consentId,
};
