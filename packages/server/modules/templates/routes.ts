import type { FastifyReply, FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import { hrefOf, paths } from "@avow/contract/urls";
import type { Http } from "../../http/http.ts";
import { PageQueryIn, answerPage } from "../../http/lists/pages.ts";
import { answerWrite } from "../../http/write.ts";
import { toScope } from "../../kernel/actor.ts";
import { isAllowed } from "../../kernel/rights.ts";
import type { TemplatesApp } from "./ports.ts";
import {
  cancelPublication,
  getPublication,
  listOutcomes,
  listPublications,
  listSites,
  requestPublication,
} from "./publications.ts";
import { type PublicationRow, type SiteStatus, siteStatuses } from "./publications-store.ts";
import { reportSites } from "./report.ts";
import {
  OutcomesQuery,
  PublicationIn,
  PublicationParams,
  PublicationSiteOut,
  ReportQuery,
  SiteReportOut,
  TemplateParams,
  TemplatePublicationOut,
  TemplateSiteOut,
} from "./schema.ts";
import type { SiteRow } from "./sites-store.ts";

const tags = ["publish"];
const RETRY_AFTER = { "retry-after": "1" };

/** Registers the routes of a template's sites and their publications. */
export function registerTemplateRoutes(http: Http, app: TemplatesApp): void {
  registerSites(http, app);
  registerRequests(http, app);
  registerOutcomes(http, app);
}

function registerSites(http: Http, app: TemplatesApp): void {
  const { publicUrl } = app.config.http;
  http.get(
    paths.templateSites,
    {
      schema: {
        tags,
        summary: "List the sites of a template",
        description: "By title, with their states.",
        operationId: "listTemplateSites",
        params: TemplateParams,
        querystring: PageQueryIn,
        response: { 200: Type.Array(TemplateSiteOut) },
      },
    },
    async (req, reply) => {
      const query = { ...req.query, ...req.params };
      const page = await listSites(app.db, toScope(req.actor), query);
      const items = page.items.map((row) => toSiteOut(row, publicUrl));
      return answerPage({ req, reply, publicUrl }, req.query, { ...page, items });
    },
  );

  http.get(
    paths.templateReport,
    {
      schema: {
        tags,
        summary: "Report what publishing the sites of a template would change",
        description:
          "Compares each site of the page, as the template wants it, with its live version: changes, people who are asked again, and findings. Sites that you may not publish are skipped. Writes nothing.",
        operationId: "reportTemplateSites",
        params: TemplateParams,
        querystring: ReportQuery,
        response: { 200: Type.Array(SiteReportOut) },
      },
    },
    async (req, reply) => {
      const query = { ...req.query, ...req.params };
      const page = await reportSites(app, toScope(req.actor), query);
      void reply.header("cache-control", "no-store");
      return answerPage({ req, reply, publicUrl }, req.query, page);
    },
  );
}

function registerRequests(http: Http, app: TemplatesApp): void {
  const { publicUrl } = app.config.http;
  const writing = (req: FastifyRequest, reply: FastifyReply) => ({
    db: app.db,
    now: app.now,
    req,
    reply,
  });
  http.post(
    paths.templatePublications,
    {
      schema: {
        tags,
        summary: "Publish the sites of a template",
        description:
          "Brings each site up to the template and publishes it, one after the other. Returns the publication immediately; poll `links.self`. One that already runs is returned again. Sites that you may not publish are skipped, and an error of one site does not stop the others.",
        operationId: "publishTemplateSites",
        params: TemplateParams,
        body: PublicationIn,
        response: { 202: TemplatePublicationOut },
      },
    },
    (req, reply) =>
      answerWrite(
        {
          ...writing(req, reply),
          status: 202,
          headers: ({ links }: PublicationOut) => ({ ...RETRY_AFTER, location: links.self }),
        },
        async (ctx) => {
          const request = { ...req.params, siteIds: req.body?.sites };
          return toPublicationOut(await requestPublication(ctx, app, request), publicUrl);
        },
      ),
  );

  http.delete(
    paths.templatePublication,
    {
      schema: {
        tags,
        summary: "Cancel a publication of a template's sites",
        description:
          "Sites that wait are not published; those that are being published end. 409 when it has ended.",
        operationId: "cancelTemplatePublication",
        params: PublicationParams,
        response: { 204: Type.Null() },
      },
    },
    (req, reply) =>
      answerWrite({ ...writing(req, reply), status: 204 }, async (ctx) => {
        await cancelPublication(ctx, req.params);
        return null;
      }),
  );
}

function registerOutcomes(http: Http, app: TemplatesApp): void {
  const { publicUrl } = app.config.http;
  http.get(
    paths.templatePublications,
    {
      schema: {
        tags,
        summary: "List the publications of a template's sites, newest first",
        description: "The newest 50 are kept.",
        operationId: "listTemplatePublications",
        params: TemplateParams,
        querystring: PageQueryIn,
        response: { 200: Type.Array(TemplatePublicationOut) },
      },
    },
    async (req, reply) => {
      const query = { ...req.query, ...req.params };
      const page = await listPublications(app.db, toScope(req.actor), query);
      const items = page.items.map((row) => toPublicationOut(row, publicUrl));
      return answerPage({ req, reply, publicUrl }, req.query, { ...page, items });
    },
  );

  http.get(
    paths.templatePublication,
    {
      schema: {
        tags,
        summary: "Get a publication of a template's sites",
        description: "With the number of sites by status.",
        operationId: "getTemplatePublication",
        params: PublicationParams,
        response: { 200: TemplatePublicationOut },
      },
    },
    async (req, reply) => {
      const row = await getPublication(app.db, toScope(req.actor), req.params);
      if (row.ended_at === null) void reply.headers(RETRY_AFTER);
      return toPublicationOut(row, publicUrl);
    },
  );

  http.get(
    paths.templatePublicationSites,
    {
      schema: {
        tags,
        summary: "List the sites of a publication with their outcomes",
        description: "By title. Each report is as it was before its site was published.",
        operationId: "listTemplatePublicationSites",
        params: PublicationParams,
        querystring: Type.Interface([PageQueryIn, OutcomesQuery], {}),
        response: { 200: Type.Array(PublicationSiteOut) },
      },
    },
    async (req, reply) => {
      const { status } = req.query;
      const query = { ...req.query, ...req.params, status };
      const page = await listOutcomes(app.db, toScope(req.actor), query);
      const items = page.items.map(toOutcomeOut);
      return answerPage({ req, reply, publicUrl }, req.query, { ...page, items });
    },
  );
}

function toSiteOut(row: SiteRow, publicUrl: string): Static<typeof TemplateSiteOut> {
  const { id, roles } = row;
  const isVisible = isAllowed(roles, "read");
  return {
    projectId: id,
    title: isVisible ? row.title : null,
    websiteURL: isVisible ? row.websiteURL : null,
    liveVersion: row.liveVersion,
    publishedAt: row.publishedAt?.toISOString() ?? null,
    behind: row.isBehind,
    overrides: row.overrides,
    lastStatus: row.lastStatus as SiteStatus | null,
    lastMessage: isVisible ? row.lastMessage : null,
    publishable: isAllowed(roles, "publish"),
    links: {
      project: hrefOf(publicUrl, paths.document, { resource: "projects", documentId: id }),
    },
  };
}

function toOutcomeOut(
  row: Awaited<ReturnType<typeof listOutcomes>>["items"][number],
): Static<typeof PublicationSiteOut> {
  const isVisible = isAllowed(row.roles, "read");
  return {
    projectId: row.project_id,
    title: isVisible ? row.title : null,
    status: row.status,
    message: isVisible ? row.message : null,
    jobId: row.publish_job_id,
    endedAt: row.ended_at?.toISOString() ?? null,
    report: isVisible ? row.report : null,
  };
}

type PublicationOut = Static<typeof TemplatePublicationOut>;

function toPublicationOut(row: PublicationRow, publicUrl: string): PublicationOut {
  const { id, template_id: templateId, counts } = row;
  const key = { templateId, publicationId: id };
  const sumOf = (statuses: readonly SiteStatus[]): number =>
    statuses.reduce((sum, status) => sum + (counts[status] ?? 0), 0);
  const total = sumOf(siteStatuses);
  return {
    id,
    templateId,
    status: row.status,
    total,
    ended: total - sumOf(["Pending", "Publishing"]),
    counts: Object.fromEntries(
      siteStatuses.map((status) => [status, counts[status] ?? 0]),
    ) as Record<SiteStatus, number>,
    createdAt: row.created_at.toISOString(),
    createdBy: row.created_by,
    endedAt: row.ended_at?.toISOString() ?? null,
    links: {
      self: hrefOf(publicUrl, paths.templatePublication, key),
      sites: hrefOf(publicUrl, paths.templatePublicationSites, key),
      template: hrefOf(publicUrl, paths.document, { resource: "projects", documentId: templateId }),
    },
  };
}
