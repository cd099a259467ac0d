import { Type } from "typebox";
import { hrefOf, paths } from "@avow/contract/urls";
import { toScope } from "../../kernel/actor.ts";
import type { Http } from "../../http/http.ts";
import { planesOf } from "../../platform/db/buckets/buckets.ts";
import { assertForVisitors } from "../consents/links/links.ts";
import { listTokenState } from "../consents/states/token-state.ts";
import { getProject } from "../vault/documents/access.ts";
import type { PersonRoutesApp } from "./answers/ports.ts";
import { AnswersIn, AnswersOut } from "./answers/schema.ts";
import type { Visitors } from "./answers/visitors.ts";

const BODY_BYTES_MAX = 16 * 1024;

/** Registers the current answers of a token, which the widget reads after its visitor was on their page. */
export function registerAnswersRoute(
  http: Http,
  app: Pick<PersonRoutesApp, "db" | "buckets" | "now" | "publicUrl"> & { visitors: Visitors },
): void {
  http.post(
    paths.personAnswers,
    {
      bodyLimit: BODY_BYTES_MAX,
      schema: {
        tags: ["client"],
        operationId: "readPersonAnswers",
        summary: "Get the current answers of a token",
        description:
          "For the visitor who has the token, or users who may read the project's consents. Limited per minute for visitors of one network (429), and forbidden to visitors if the project's `personPage.visitorLinks` is false or the project revoked a link of the token (403). A read by POST, so that the token is not in the URL. Items that were never answered are omitted.",
        params: Type.Object({ id: Type.String({ maxLength: 64 }) }),
        body: AnswersIn,
        response: { 200: AnswersOut },
      },
      // Nothing is written.
      config: { cors: "any", log: "failures", diskSpace: "exempt" },
    },
    async (req, reply) => {
      const { id: projectId } = req.params;
      const { token } = req.body;
      const { now, publicUrl } = app;
      const { db, data } = await planesOf(app, projectId);
      app.visitors.assertMayRead(req);
      if (req.actor.kind === "user") await getProject(db, toScope(req.actor), projectId);
      else await assertForVisitors({ db, data }, { projectId, token });
      const query = { projectId, token, now: now(), at: undefined, named: [], cursor: undefined };
      const { items } = await listTokenState({ db, data }, query);
      void reply.header("cache-control", "no-store");
      return {
        answers: items.flatMap(({ collection, identifier, item, status, state }) =>
          state ? [{ collection, identifier, item, status, since: state.since.toISOString() }] : [],
        ),
        readAt: query.now.toISOString(),
        links: {
          self: hrefOf(publicUrl, paths.personAnswers, { id: projectId }),
          links: hrefOf(publicUrl, paths.personLinks, { id: projectId }),
          project: hrefOf(publicUrl, paths.clientProject, { id: projectId }),
        },
      };
    },
  );
}
