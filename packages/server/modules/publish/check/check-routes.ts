import { toScope } from "../../../kernel/actor.ts";
import type { Http } from "../../../http/http.ts";
import { hrefOf, paths } from "@avow/contract/urls";
import { changesHref, versionsHref } from "../publications/answers.ts";
import { type CheckServices, checkProject } from "./checking.ts";
import { type VersionName, diffPublications } from "./next.ts";
import { type PreviewServices, previewProject } from "./previewing.ts";
import {
  ChangesOut,
  CheckOut,
  DiffParams,
  EnvironmentQuery,
  PreviewIn,
  PreviewOut,
  ProjectParams,
} from "../publications/schema.ts";

/** Routes to check, preview and compare a project before it goes live (wire section 3). */
export function registerCheckRoutes(http: Http, app: PreviewServices): void {
  registerCheck(http, app);
  registerPreview(http, app);
  registerDiff(http, app);
}

function registerCheck(http: Http, app: CheckServices): void {
  const { publicUrl } = app.config.http;
  http.get(
    paths.publishCheck,
    {
      schema: {
        tags: ["publish"],
        summary: "Check what would be published",
        description:
          "Checks the content against legal requirements, as far as software can. Each finding has its rule, path, reason, source and fix. Nothing is published. This is not legal advice.",
        operationId: "checkProject",
        params: ProjectParams,
        response: { 200: CheckOut },
      },
    },
    async (req, reply) => {
      const { projectId } = req.params;
      const target = { projectId, environment: "production" } as const;
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
          changes: changesHref(app.config, target, { from: "live", to: "next" }),
        },
      };
    },
  );
}

function registerPreview(http: Http, app: PreviewServices): void {
  const { publicUrl } = app.config.http;
  http.post(
    paths.publishPreview,
    {
      schema: {
        tags: ["publish"],
        summary: "Preview the content that would be published with unsaved drafts",
        description:
          "Returns the published file as the widget would read it, the findings of the publish check, and the items that people would be asked again. Nothing is saved or published. An invalid draft is rejected with the errors of saving it.",
        operationId: "previewProject",
        params: ProjectParams,
        body: PreviewIn,
        response: { 200: PreviewOut },
      },
    },
    async (req, reply) => {
      const { projectId } = req.params;
      const { documents = [], removed = [] } = req.body;
      const request = { projectId, drafts: documents, removed };
      const preview = await previewProject(app, toScope(req.actor), request);
      void reply.header("cache-control", "no-store");
      return {
        projectId,
        ...preview,
        links: {
          self: hrefOf(publicUrl, paths.publishPreview, { projectId }),
          project: hrefOf(publicUrl, paths.publishedProject, { projectId }),
          check: hrefOf(publicUrl, paths.publishCheck, { projectId }),
        },
      };
    },
  );
}

function registerDiff(http: Http, app: CheckServices): void {
  const { publicUrl } = app.config.http;
  http.get(
    paths.publicationsDiff,
    {
      schema: {
        tags: ["publish"],
        summary: "List the changes between two versions",
        description:
          "A version is a number, `live` or `next`. From `live` to `next` the result also includes the items that people would be asked again, and how many tokens have accepted them.",
        operationId: "diffPublications",
        params: DiffParams,
        querystring: EnvironmentQuery,
        response: { 200: ChangesOut },
      },
    },
    async (req, reply) => {
      const { projectId } = req.params;
      const environment = req.query.environment ?? "production";
      const [from, to] = [req.params.from as VersionName, req.params.to as VersionName];
      const query = { projectId, environment, from, to };
      const { asksAgain, ...diff } = await diffPublications(app, toScope(req.actor), query);
      void reply.header("cache-control", "no-store");
      return {
        projectId,
        environment,
        ...diff,
        ...(asksAgain ? { asksAgain } : {}),
        links: {
          self: changesHref(app.config, query, query),
          project: hrefOf(publicUrl, paths.publishedProject, { projectId }),
          versions: versionsHref(app.config, query),
          publish: hrefOf(publicUrl, paths.publishJob, { id: projectId }),
        },
      };
    },
  );
}
