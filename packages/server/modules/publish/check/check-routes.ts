import { toScope } from "../../../kernel/actor.ts";
import type { Http } from "../../../http/http.ts";
import { hrefOf, paths } from "@avow/contract/urls";
import { changesHref, versionsHref } from "../publications/answers.ts";
import { type Checking, checkProject } from "./checking.ts";
import { type VersionName, diffPublications } from "./next.ts";
import { type Previewing, previewProject } from "./previewing.ts";
import {
  ChangesOut,
  CheckOut,
  DiffParams,
  EnvironmentQuery,
  PreviewIn,
  PreviewOut,
  ProjectParams,
} from "../publications/schema.ts";

/** What is wrong with a project, and what changes, before anything goes live (wire section 3). */
export function registerCheckRoutes(http: Http, app: Previewing): void {
  registerCheck(http, app);
  registerPreview(http, app);
  registerDiff(http, app);
}

function registerCheck(http: Http, app: Checking): void {
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
      const place = { projectId, environment: "production" } as const;
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
          changes: changesHref(app.config, place, { from: "live", to: "next" }),
        },
      };
    },
  );
}

function registerPreview(http: Http, app: Previewing): void {
  const { publicUrl } = app.config.http;
  http.post(
    paths.publishPreview,
    {
      schema: {
        tags: ["publish"],
        summary: "Answers what would be published with drafts that are not saved",
        description:
          "The published file as the widget would read it, and what the publish check says of it. Nothing is saved or published. A draft that could not be saved is refused as it would be then.",
        operationId: "previewProject",
        params: ProjectParams,
        body: PreviewIn,
        response: { 200: PreviewOut },
      },
    },
    async (req, reply) => {
      const { projectId } = req.params;
      const asked = { projectId, drafts: req.body.documents ?? [] };
      const preview = await previewProject(app, toScope(req.actor), asked);
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

function registerDiff(http: Http, app: Checking): void {
  const { publicUrl } = app.config.http;
  http.get(
    paths.publicationsDiff,
    {
      schema: {
        tags: ["publish"],
        summary: "Tells what changed from one version to another",
        description:
          "Each version by its number, `live` or `next`. From `live` to `next` it also tells what people are asked again when that is published, and how many tokens have accepted it.",
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
      const asked = { projectId, environment, from, to };
      const { asksAgain, ...diff } = await diffPublications(app, toScope(req.actor), asked);
      void reply.header("cache-control", "no-store");
      return {
        projectId,
        environment,
        ...diff,
        ...(asksAgain ? { asksAgain } : {}),
        links: {
          self: changesHref(app.config, asked, asked),
          project: hrefOf(publicUrl, paths.publishedProject, { projectId }),
          versions: versionsHref(app.config, asked),
          publish: hrefOf(publicUrl, paths.publishJob, { id: projectId }),
        },
      };
    },
  );
}
