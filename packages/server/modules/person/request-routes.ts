import { Type } from "typebox";
import { hrefOf, paths } from "@avow/contract/urls";
import { Token } from "@avow/contract/consents";
import { toScope } from "../../kernel/actor.ts";
import { CursorQueryIn, cursorListOf } from "../../http/lists/cursors.ts";
import type { Http } from "../../http/http.ts";
import { answerDataWrite } from "../../http/write.ts";
import { planesOf, within } from "../../platform/db/buckets/buckets.ts";
import {
  type ErasureRequest,
  declineErasure,
  listErasureRequests,
} from "../consents/erase/requests.ts";
import { getProject } from "../vault/documents/access.ts";
import type { PersonRoutesApp } from "./answers/ports.ts";
import { ErasureRequestOut } from "./request-schema.ts";

const tags = ["client"];
const id = Type.String({ maxLength: 64 });

/** Registers the list of persons' requests for erasure, and closing one without an erasure. */
export function registerRequestRoutes(
  http: Http,
  app: Pick<PersonRoutesApp, "db" | "buckets" | "now" | "publicUrl">,
): void {
  http.get(
    paths.erasureRequests,
    {
      schema: {
        tags,
        operationId: "listErasureRequests",
        summary: "List the open requests for erasure",
        description:
          "Requests that persons made on their own page, the first due first. Erase the token, or decline the request; both close it.",
        params: Type.Object({ id }),
        querystring: Type.Interface([CursorQueryIn], { token: Type.Optional(Token) }),
        response: { 200: cursorListOf(ErasureRequestOut) },
      },
    },
    async (req) => {
      const { id: projectId } = req.params;
      const { token, limit, cursor } = req.query;
      const query = { projectId, token, limit, cursor };
      const planes = await planesOf(app, projectId);
      const page = await listErasureRequests(planes, toScope(req.actor), query);
      const hrefAt = (here: string | undefined) =>
        hrefOf(
          app.publicUrl,
          paths.erasureRequests,
          { id: projectId },
          { token, limit, cursor: here },
        );
      return {
        items: page.items.map((request) => toRequestOut(request, app.publicUrl)),
        links: {
          self: hrefAt(cursor),
          ...(page.next === undefined ? {} : { next: hrefAt(page.next) }),
        },
      };
    },
  );
  http.delete(
    paths.erasureRequest,
    {
      schema: {
        tags,
        operationId: "declineErasureRequest",
        summary: "Decline a request for erasure",
        description:
          "Closes it without an erasure. The person's page says that it was declined; explain the reason to the person (GDPR, article 12(4)). The person can ask again.",
        params: Type.Object({ id, requestId: id }),
        response: { 204: Type.Null() },
      },
    },
    async (req, reply) => {
      const { id: projectId, requestId } = req.params;
      await getProject(app.db, toScope(req.actor), projectId);
      const own = await within(app, projectId);
      await answerDataWrite({ ...own, req, reply, status: 204 }, (ctx) =>
        declineErasure(ctx, { projectId, id: requestId }),
      );
      return null;
    },
  );
}

function toRequestOut(request: ErasureRequest, publicUrl: string): ErasureRequestOut {
  const { id: requestId, projectId, token, requestedAt, dueAt } = request;
  return {
    id: requestId,
    projectId,
    token,
    requestedAt: requestedAt.toISOString(),
    dueAt: dueAt.toISOString(),
    links: {
      self: hrefOf(publicUrl, paths.erasureRequest, { id: projectId, requestId }),
      consents: hrefOf(publicUrl, paths.clientConsents, { id: projectId, token }),
      project: hrefOf(publicUrl, paths.clientProject, { id: projectId }),
    },
  };
}
