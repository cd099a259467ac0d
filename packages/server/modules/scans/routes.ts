import type { FastifyReply, FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import { hrefOf, paths } from "@avow/contract/urls";
import type { ScanResult } from "@avow/scanner/result";
import type { Http } from "../../http/http.ts";
import { PageQueryIn, answerPage } from "../../http/lists/pages.ts";
import { answerWrite } from "../../http/write.ts";
import { toScope } from "../../kernel/actor.ts";
import type { ScansApp } from "./ports.ts";
import { ScanIn, ScanOut, ScanParams, ScanWithResultOut, ScansParams } from "./schema.ts";
import { cancelScan, getScan, listScans, requestScan } from "./scans.ts";
import type { ScanRow } from "./store.ts";

const tags = ["publish"];
const RETRY_AFTER = { "retry-after": "2" };

/** Registers the routes of a project's scans. */
export function registerScanRoutes(http: Http, app: ScansApp): void {
  const { publicUrl } = app.config.http;
  const toOut = (row: ScanRow) => toScanOut(row, publicUrl);
  const writing = (req: FastifyRequest, reply: FastifyReply) => ({
    db: app.db,
    now: app.now,
    req,
    reply,
  });

  http.post(
    paths.scans,
    {
      schema: {
        tags,
        summary: "Scan a project's website",
        description:
          "Visits the project's `websiteURL` with Chromium: without an answer, after refusal and after acceptance. Returns the scan immediately; poll `links.self`. A scan that already waits or runs for the project is returned again. 409 if this service has no Chromium.",
        operationId: "startScan",
        params: ScansParams,
        body: ScanIn,
        response: { 202: ScanOut },
      },
    },
    (req, reply) =>
      answerWrite(
        {
          ...writing(req, reply),
          status: 202,
          headers: (scan: Static<typeof ScanOut>) => ({
            ...RETRY_AFTER,
            location: scan.links.self,
          }),
        },
        async (ctx) => {
          const { projectId } = req.params;
          const { pages } = req.body ?? {};
          return toOut(await requestScan(ctx, app, { projectId, pages, cause: "request" }));
        },
      ),
  );

  http.get(
    paths.scans,
    {
      schema: {
        tags,
        summary: "List the scans of a project's website, newest first",
        description:
          "Without their results. Scans are deleted after 90 days, except the first complete one of each published version.",
        operationId: "listScans",
        params: ScansParams,
        querystring: PageQueryIn,
        response: { 200: Type.Array(ScanOut) },
      },
    },
    async (req, reply) => {
      const target = { ...req.query, ...req.params };
      const page = await listScans(app.db, toScope(req.actor), target);
      const items = page.items.map(toOut);
      return answerPage({ req, reply, publicUrl }, req.query, { ...page, items });
    },
  );

  http.get(
    paths.scan,
    {
      schema: {
        tags,
        summary: "Get a scan with its result",
        description:
          "The result is null until the scan is `Done`. It contains names of cookies and hosts, never values or queries.",
        operationId: "getScan",
        params: ScanParams,
        response: { 200: ScanWithResultOut },
      },
    },
    async (req, reply) => {
      const { result, ...row } = await getScan(app.db, toScope(req.actor), req.params);
      if (row.ended_at === null) void reply.headers(RETRY_AFTER);
      return {
        ...toOut(row),
        result: result === null ? null : (JSON.parse(result) as ScanResult),
      };
    },
  );

  http.delete(
    paths.scan,
    {
      schema: {
        tags,
        summary: "Cancel a scan that waits or runs",
        description: "409 when it has ended. Results are not deleted.",
        operationId: "cancelScan",
        params: ScanParams,
        response: { 204: Type.Null() },
      },
    },
    (req, reply) =>
      answerWrite({ ...writing(req, reply), status: 204 }, async (ctx) => {
        await cancelScan(ctx, req.params);
        return null;
      }),
  );
}

function toScanOut(row: ScanRow, publicUrl: string): Static<typeof ScanOut> {
  const { id, project_id: projectId } = row;
  return {
    id,
    projectId,
    status: row.status,
    cause: row.cause,
    url: row.url,
    pagesMax: row.pages_max,
    version: row.version,
    hash: row.hash,
    resultHash: row.result_hash,
    progress: row.progress,
    message: row.message,
    createdAt: row.created_at.toISOString(),
    createdBy: row.created_by,
    startedAt: row.started_at?.toISOString() ?? null,
    endedAt: row.ended_at?.toISOString() ?? null,
    links: {
      self: hrefOf(publicUrl, paths.scan, { projectId, scanId: id }),
      project: hrefOf(publicUrl, paths.document, { resource: "projects", documentId: projectId }),
    },
  };
}
