import { Type } from "typebox";
import { hrefOf, paths } from "@avow/contract/urls";
import { toScope } from "../../kernel/actor.ts";
import type { Http } from "../../http/http.ts";
import { assertForVisitors } from "../consents/links/links.ts";
import { listTokenState } from "../consents/states/token-state.ts";
import { getProject } from "../vault/documents/access.ts";
import type { PersonApp } from "./answers/ports.ts";
import { AnswersIn, AnswersOut } from "./answers/schema.ts";
import type { Visitors } from "./answers/visitors.ts";

const BODY_BYTES_MAX = 16 * 1024;

/** Registers what a token's answers are by now: what the widget asks for after its visitor was on their page. */
export function registerAnswersRoute(
  http: Http,
  app: Pick<PersonApp, "db" | "now" | "publicUrl"> & { visitors: Visitors },
): void {
  http.post(
    paths.personAnswers,
    {
      bodyLimit: BODY_BYTES_MAX,
      schema: {
        tags: ["client"],
        operationId: "readPersonAnswers",
        summary: "Read what a token answers by now",
        description:
          "For the visitor who has the token, or whoever may read the project's consents. Visitors of one network may ask so often in a minute (429), and not where the project's `personPage.visitorLinks` is false or it has revoked a link of the token (403). A read by POST, so that the token is in no address. What was never answered is left out.",
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
      const { db, now, publicUrl } = app;
      app.visitors.assertMayRead(req);
      if (req.actor.kind === "user") await getProject(db, toScope(req.actor), projectId);
      else await assertForVisitors(db, { projectId, token });
      const asked = { projectId, token, now: now(), at: undefined, named: [], cursor: undefined };
      const { items } = await listTokenState(db, asked);
      void reply.header("cache-control", "no-store");
      return {
        answers: items.flatMap(({ collection, identifier, item, status, state }) =>
          state ? [{ collection, identifier, item, status, since: state.since.toISOString() }] : [],
        ),
        readAt: asked.now.toISOString(),
        links: {
          self: hrefOf(publicUrl, paths.personAnswers, { id: projectId }),
          links: hrefOf(publicUrl, paths.personLinks, { id: projectId }),
          project: hrefOf(publicUrl, paths.clientProject, { id: projectId }),
        },
      };
    },
  );
}
