import Negotiator from "negotiator";
import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { paths } from "@avow/contract/urls";
import { toCtx } from "../../../../kernel/ctx.ts";
import { inTransaction } from "../../../../platform/db/transaction.ts";
import type { Intervals } from "../../../../kernel/intervals.ts";
import type { Http } from "../../../../http/http.ts";
import { toShortNetwork } from "../../../../platform/networks.ts";
import { openStreams } from "../../../../http/streams.ts";
import { type Language, languages } from "../../log/schema.ts";
import { openDossier, requestDossier, writeDossier } from "./audit-package.ts";
import { type DossierApp, countFiles } from "./files/files.ts";
import { DossierQueryIn } from "./select/schema.ts";

/**
 * In memory each is small, and works only as its reader takes it. Users and projects can be made by
 * anybody: a few of them do not take the room of all, and a slow reader does not keep it.
 */
const bounds = {
  max: 24,
  userMax: 2,
  projectMax: 2,
  /** 16 KiB a second; all of it has its end below. */
  readBytesMin: 960 * 1024,
  stallMs: 60_000,
  timeoutMs: 15 * 60_000,
};
const contentType = "application/zip";

/** Registers dossiers for auditors (issue of evidence). */
export function registerDossierRoutes(
  http: Http,
  app: DossierApp & { now: () => Date; intervals: Intervals },
): void {
  const { db, now } = app;
  const streams = openStreams(http, bounds);
  http.get(
    paths.dossier,
    {
      schema: {
        tags: ["app"],
        operationId: "getDossier",
        summary: "Make a dossier of consents with their proofs, as a ZIP archive",
        description:
          "For a person (`token`), a random sample (`sample`) or a period (`start`, `end`): proofs under one checkpoint, the published versions, a page that checks them, and an index for people. What was collected until now is waited for; records that the log has no place for yet are named in it.",
        params: Type.Object({ projectId: Type.String({ maxLength: 64 }) }),
        querystring: DossierQueryIn,
      },
      config: { streamed: [contentType] },
      // What it would answer is not known before it is made.
      exposeHeadRoute: false,
    },
    async (req, reply) => {
      const { query } = req;
      const { projectId } = req.params;
      const network = toShortNetwork(req.ip);
      const write = <T>(verb: (ctx: ReturnType<typeof toCtx>) => Promise<T>): Promise<T> =>
        inTransaction(db, (tx) =>
          verb(toCtx({ tx, actor: req.actor, now: now(), requestId: req.id, network })),
        );
      const gone = new AbortController();
      reply.raw.once("close", () => gone.abort());
      const { signal } = gone;
      const prepare = async () => {
        using _slot = streams.reserveSlot(req.actor, projectId);
        const asked = await write((ctx) => requestDossier(ctx, { projectId, query }));
        return openDossier(app, asked, { language: toLanguage(req), signal });
      };
      const dossier = await prepare().catch((error: unknown) => {
        // Nobody is there to be told.
        if (signal.aborted) return undefined;
        throw error;
      });
      if (!dossier) return reply.hijack();
      void reply.headers({
        "x-dossier-files": countFiles(dossier),
        "x-dossier-consents": dossier.choice.ids.length,
        "content-disposition": `attachment; filename="dossier-${projectId}.zip"`,
        "cache-control": "private, no-store",
        vary: "Accept-Language",
      });
      const chunks = writeDossier(app, dossier, write);
      return streams.answer({ req, reply }, { type: contentType, chunks, projectId });
    },
  );
}

/** The language that was asked for, or that the reader likes best. */
function toLanguage(req: FastifyRequest<{ Querystring: DossierQueryIn }>): Language {
  const { language } = req.query;
  const liked = new Negotiator(req.raw).language([...languages]);
  return language ?? languages.find((one) => one === liked) ?? "en";
}
