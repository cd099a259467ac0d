import Negotiator from "negotiator";
import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { paths } from "@avow/contract/urls";
import { type Ctx, toCtx } from "../../../../kernel/ctx.ts";
import { type Unplaced, within } from "../../../../platform/db/buckets/buckets.ts";
import { inTransaction } from "../../../../platform/db/transaction.ts";
import type { Intervals } from "../../../../kernel/intervals.ts";
import type { Http } from "../../../../http/http.ts";
import { toShortNetwork } from "../../../../platform/networks.ts";
import { PendingOut } from "../../../../http/errors/pending.ts";
import { openStreams } from "../../../../http/streams.ts";
import { type Language, languages } from "../../log/schema.ts";
import { openAuditPackage, requestAuditPackage, writeAuditPackage } from "./audit-package.ts";
import { type AuditPackageApp, countFiles } from "./files/files.ts";
import { AuditPackageQueryIn } from "./select/schema.ts";

/**
 * Limits of concurrent packages. Each needs little memory and advances only as its reader does. Anyone can create users
 * and projects, so each has a limit of its own, and slow readers are disconnected.
 */
const bounds = {
  max: 24,
  userMax: 2,
  projectMax: 2,
  /** 16 KiB a second; `lastsMs` limits the total. */
  readBytesMin: 960 * 1024,
  stallMs: 60_000,
  timeoutMs: 15 * 60_000,
};
const contentType = "application/zip";

/** Registers the download of audit packages. */
export function registerAuditPackageRoutes(
  http: Http,
  app: Unplaced<AuditPackageApp> & { now: () => Date; intervals: Intervals },
): void {
  const { db, now } = app;
  const streams = openStreams(http, bounds);
  http.get(
    paths.dossier,
    {
      schema: {
        tags: ["app"],
        operationId: "getDossier",
        summary: "Download an audit package of consents with their proofs, as a ZIP archive",
        description:
          "For a person (`token`), a random sample (`sample`) or a period (`start`, `end`): proofs in one signed tree, the published versions, a page that verifies them, and an index for people. Waits for consents that are being collected; lists records that are not in the log yet. Before the first entry of the log, this is 202 with `Retry-After`.",
        params: Type.Object({ projectId: Type.String({ maxLength: 64 }) }),
        querystring: AuditPackageQueryIn,
        response: { 202: PendingOut },
      },
      config: { streamed: [contentType] },
      // The headers are unknown until the package is prepared.
      exposeHeadRoute: false,
    },
    async (req, reply) => {
      const { query } = req;
      const { projectId } = req.params;
      const network = toShortNetwork(req.ip);
      const write = <T>(verb: (ctx: Ctx) => Promise<T>): Promise<T> =>
        inTransaction(db, (tx) =>
          verb(toCtx({ tx, actor: req.actor, now: now(), requestId: req.id, network })),
        );
      const own = await within(app, projectId);
      const closed = new AbortController();
      reply.raw.once("close", () => closed.abort());
      const { signal } = closed;
      const prepare = async () => {
        using _slot = streams.reserveSlot(req.actor, projectId);
        const request = await write((ctx) => requestAuditPackage(ctx, { projectId, query }));
        return openAuditPackage(own, request, { language: toLanguage(req), signal });
      };
      const auditPackage = await prepare().catch((error: unknown) => {
        // The client disconnected.
        if (signal.aborted) return undefined;
        throw error;
      });
      if (!auditPackage) return reply.hijack();
      void reply.headers({
        "x-dossier-files": countFiles(auditPackage),
        "x-dossier-consents": auditPackage.selection.ids.length,
        "content-disposition": `attachment; filename="dossier-${projectId}.zip"`,
        "cache-control": "private, no-store",
        vary: "Accept-Language",
      });
      const chunks = writeAuditPackage(own, auditPackage, write);
      return streams.answer({ req, reply }, { type: contentType, chunks, projectId });
    },
  );
}

/** The requested language, else the preferred one of `Accept-Language`. */
function toLanguage(req: FastifyRequest<{ Querystring: AuditPackageQueryIn }>): Language {
  const { language } = req.query;
  const preferred = new Negotiator(req.raw).language([...languages]);
  return language ?? languages.find((one) => one === preferred) ?? "en";
}
