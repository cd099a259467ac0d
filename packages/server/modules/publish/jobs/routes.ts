import type { FastifyReply, FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import { toScope } from "../../../kernel/actor.ts";
import type { Http } from "../../../http/http.ts";
import { PageQueryIn, answerPage } from "../../../http/lists/pages.ts";
import { followProject } from "../../consents/offers/projects.ts";
import { planesOf } from "../../../platform/db/buckets/buckets.ts";
import { answerWrite } from "../../../http/write.ts";
import { toInstants } from "@avow/contract/instants";
import { paths } from "@avow/contract/urls";
import { jobHref, toJobOut, toPublicationOut } from "../publications/answers.ts";
import { registerCheckRoutes } from "../check/check-routes.ts";
import { registerJobRoute } from "./job-routes.ts";
import { cancelJob, requestPublish, requestRollback, withdrawProject } from "./publish.ts";
import type { Publishing } from "../publications/publishing.ts";
import { listJobs, listPublications } from "../publications/reads.ts";
import { registerTcfRoutes } from "../tcf/tcf-routes.ts";
import {
  EnvironmentQuery,
  JobParams,
  JobsQuery,
  ProjectParams,
  PublicationOut,
  PublishIn,
  PublishJobOut,
  RollbackIn,
  RollbackParams,
} from "../publications/schema.ts";
import { toSelection } from "../selection/selection.ts";
import type { Vault } from "../../vault/documents/vault.ts";
import type { Environment, JobRow } from "../publications/store.ts";

/** The parts of publishing that its routes need. */
export type PublishRoutes = Pick<
  Publishing,
  | "db"
  | "buckets"
  | "jobs"
  | "config"
  | "log"
  | "now"
  | "plans"
  | "objects"
  | "renders"
  | "spool"
  | "widget"
  | "findApprovals"
> &
  Pick<Vault, "checks">;

const tags = ["publish"];
/** The router has no pattern for a parameter that a colon ends, so the action is a part of it. */
const UNPUBLISH_PATH = "/v1/publish/projects/:action(^[0-9a-f]{24}:unpublish$)";
const ActionParams = Type.Object({ action: Type.String() });
const RETRY_AFTER = { "retry-after": "1" };

/** The routes of wire section 3. */
export function registerPublishRoutes(http: Http, app: PublishRoutes): void {
  registerRequests(http, app);
  registerWithdrawal(http, app);
  registerJobRoute(http, app);
  registerLists(http, app);
  registerCheckRoutes(http, app);
  registerTcfRoutes(http, app);
}

function registerRequests(http: Http, app: PublishRoutes): void {
  const accepted = (req: FastifyRequest, reply: FastifyReply) => ({
    db: app.db,
    now: app.now,
    req,
    reply,
    status: 202,
    headers: (job: JobOut) => ({ ...RETRY_AFTER, location: jobHref(app.config, job.id) }),
  });
  const answer = (job: JobRow) => toJobOut(job, app.config);

  http.post(
    paths.publishJob,
    {
      schema: {
        tags,
        summary: "Publish a project",
        description:
          "Returns the job immediately; poll `links.self` every `timeout` ms, or read it as `text/event-stream`. A job that already runs for the project and environment with the same request is returned again; another request is 409. Configurations with errors of the publish check are held back: they stay at their live version, `heldBack` lists them, and the others are published. A project that requires approvals is 409 `approval-needed` while they are missing.",
        operationId: "publishProject",
        params: Type.Object({ id: JobParams.properties.id }, { description: "The project's id." }),
        body: PublishIn,
        response: { 202: PublishJobOut },
      },
    },
    (req, reply) =>
      answerWrite(accepted(req, reply), async (ctx) => {
        const options = toOptions(req.body, undefined);
        const { strict, ...named } = req.body ?? {};
        const request = {
          projectId: req.params.id,
          ...options,
          strict,
          selection: toSelection(named),
        };
        return answer(await requestPublish(ctx, app, request));
      }),
  );

  http.post(
    paths.rollback,
    {
      schema: {
        tags,
        summary: "Publish an earlier version's content again, as a new version",
        operationId: "rollbackProject",
        description:
          "The former version keeps its number; people are asked again only if the content requires it.",
        params: RollbackParams,
        querystring: EnvironmentQuery,
        body: RollbackIn,
        response: { 202: PublishJobOut },
      },
    },
    (req, reply) =>
      answerWrite(accepted(req, reply), async (ctx) => {
        const options = toOptions(req.body, req.query.environment);
        return answer(await requestRollback(ctx, app, { ...req.params, ...options }));
      }),
  );
}

function toOptions(body: Static<typeof RollbackIn>, inQuery: Environment | undefined) {
  const { environment = inQuery ?? "production", force, withoutApproval, reason } = body ?? {};
  const { publishAt } = body ?? {};
  return {
    environment,
    force,
    withoutApproval,
    reason,
    publishAt: publishAt ? toInstants(publishAt).first : undefined,
  };
}

function registerWithdrawal(http: Http, app: PublishRoutes): void {
  const done = (req: FastifyRequest, reply: FastifyReply) => ({
    db: app.db,
    now: app.now,
    req,
    reply,
    status: 204,
  });
  const withdraw = async (req: FastifyRequest, reply: FastifyReply, projectId: string) => {
    await answerWrite(done(req, reply), (ctx) => withdrawProject(ctx, app, projectId));
    await followProject(await planesOf(app, projectId), app.log, projectId);
    return null;
  };

  http.delete(
    paths.publishJob,
    {
      schema: {
        tags,
        summary: "Cancel a scheduled publication, by its id or its project's",
        description:
          "By the project's id, `environment` is required where one is scheduled in production and one in staging: 409 without it.",
        operationId: "cancelPublishJob",
        params: JobParams,
        querystring: EnvironmentQuery,
        response: { 204: Type.Null() },
      },
    },
    (req, reply) =>
      answerWrite(done(req, reply), async (ctx) => {
        await cancelJob(ctx, { ...req.params, environment: req.query.environment });
        return null;
      }),
  );

  http.delete(
    paths.publishedProject,
    {
      schema: {
        tags,
        summary: "Unpublish a project",
        description:
          "Stops running jobs and removes the project's files within seconds. Proofs and the content published under its hash stay.",
        operationId: "unpublishProject",
        params: ProjectParams,
        response: { 204: Type.Null() },
      },
    },
    (req, reply) => withdraw(req, reply, req.params.projectId),
  );

  http.post(
    UNPUBLISH_PATH,
    {
      schema: {
        tags,
        summary: "Unpublish a project: the same as DELETE",
        description: "For clients that use this address.",
        operationId: "unpublishProjectByPost",
        params: ActionParams,
        response: { 204: Type.Null() },
      },
      config: {
        documented: {
          url: "/v1/publish/projects/{projectId}::unpublish",
          params: ProjectParams,
        },
      },
    },
    (req, reply) => withdraw(req, reply, req.params.action.replace(/:unpublish$/, "")),
  );
}

type JobOut = ReturnType<typeof toJobOut>;

function registerLists(http: Http, app: PublishRoutes): void {
  const { publicUrl } = app.config.http;

  http.get(
    paths.publishJobs,
    {
      schema: {
        tags,
        summary: "List a project's publish jobs, newest first",
        operationId: "listPublishJobs",
        description: "Jobs of production and staging.",
        querystring: Type.Interface([PageQueryIn, JobsQuery], {}),
        response: { 200: Type.Array(PublishJobOut) },
      },
    },
    async (req, reply) => {
      const { query } = req;
      const page = await listJobs(app.db, toScope(req.actor), {
        ...query,
        environment: query.environment,
        status: query.status,
      });
      void reply.headers(RETRY_AFTER);
      const items = page.items.map((job) => toJobOut(job, app.config));
      return answerPage({ req, reply, publicUrl }, query, { ...page, items });
    },
  );

  http.get(
    paths.publications,
    {
      schema: {
        tags,
        summary: "List a project's publications, newest first",
        operationId: "listPublications",
        description: "With the hash of each published file and whether it is live.",
        params: ProjectParams,
        querystring: Type.Interface([PageQueryIn, EnvironmentQuery], {}),
        response: { 200: Type.Array(PublicationOut) },
      },
    },
    async (req, reply) => {
      const { query } = req;
      const { projectId } = req.params;
      const environment = query.environment ?? "production";
      const target = { ...query, projectId, environment };
      const page = await listPublications(app.db, toScope(req.actor), target);
      const view = { config: app.config, liveVersion: page.liveVersion };
      const items = page.items.map((row) => toPublicationOut(row, view));
      return answerPage({ req, reply, publicUrl }, query, { total: page.total, items });
    },
  );
}
