import { toScope } from "../../platform/actor.ts";
import type { Http } from "../../platform/http/http.ts";
import { hrefOf, paths } from "../../paths.ts";
import { type Checking, checkProject } from "./checking.ts";
import { CheckOut, ProjectParams } from "./schema.ts";

/** What is wrong with a project, before anything goes live (wire section 3). */
export function registerCheckRoute(http: Http, app: Checking): void {
  const { publicUrl } = app.config.http;
  http.get(
    paths.publishCheck,
    {
      schema: {
        tags: ["publish"],
        summary: "Checks what would be published",
        description:
          "What the law asks of what visitors see, as far as a machine can tell: each finding with its rule, its place, the reason with its source, and how to mend it. Nothing is published. It is not legal advice.",
        operationId: "checkProject",
        params: ProjectParams,
        response: { 200: CheckOut },
      },
    },
    async (req, reply) => {
      const { projectId } = req.params;
      const check = await checkProject(app, toScope(req.actor), projectId);
      void reply.header("cache-control", "no-store");
      return {
        projectId,
        checkedAt: app.now().toISOString(),
        ...check,
        links: {
          self: hrefOf(publicUrl, paths.publishCheck, { projectId }),
          project: hrefOf(publicUrl, paths.publishedProject, { projectId }),
          publish: hrefOf(publicUrl, paths.publishJob, { id: projectId }),
        },
      };
    },
  );
}
