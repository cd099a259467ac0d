import { paths } from "@avow/contract/urls";
import { toScope } from "../../../kernel/actor.ts";
import { type DataCtx, toCtx } from "../../../kernel/ctx.ts";
import { writeData } from "../../../kernel/events/outbox.ts";
import type { Http } from "../../../http/http.ts";
import { toShortNetwork } from "../../../platform/networks.ts";
import { planesOf } from "../../../platform/db/buckets/buckets.ts";
import { openStreams } from "../../../http/streams.ts";
import type { ConsentsPorts } from "../ports.ts";
import { getProject } from "../../vault/documents/access.ts";
import { estimateRecords } from "./estimate-store.ts";
import { getExport, startExport, writeExport } from "./exports.ts";
import { toManifest, toManifestHref } from "./manifest.ts";
import {
  ExportManifestOut,
  ExportParams,
  ExportQueryIn,
  ManifestParams,
  contentTypes,
  toContentType,
} from "./schema.ts";

/** Limit of concurrent exports: each uses two database connections and a CPU core. */
const EXPORTS_MAX = 4;
const USER_EXPORTS_MAX = 2;

export type ExportsApp = Pick<
  ConsentsPorts,
  "db" | "buckets" | "now" | "publicUrl" | "intervals" | "findCheckpoint"
>;

/** Registers exports and their manifests (wire section 4). */
export function registerExportRoutes(http: Http, app: ExportsApp): void {
  registerExport(http, app);
  registerManifest(http, app);
}

function registerExport(http: Http, app: ExportsApp): void {
  const { now, publicUrl, findCheckpoint } = app;
  const { collectingMs: marginMs } = app.intervals;
  const streams = openStreams(http, { max: EXPORTS_MAX, userMax: USER_EXPORTS_MAX });
  http.get(
    paths.export,
    {
      schema: {
        tags: ["app"],
        operationId: "exportConsents",
        summary: "Export the consents of a project",
        description:
          "Oldest first, up to the time of the request. Waits up to ten seconds for consents that are being collected at that time. The `Link` header has the URL of the manifest, which shows whether the file is complete. The last line of NDJSON is a manifest, too.",
        params: ExportParams,
        querystring: ExportQueryIn,
      },
      config: { streamed: Object.values(contentTypes) },
      // HEAD is not supported: the headers depend on the export itself.
      exposeHeadRoute: false,
    },
    async (req, reply) => {
      const { projectId, format } = req.params;
      streams.assertCapacity(req.actor);
      const network = toShortNetwork(req.ip);
      const planes = await planesOf(app, projectId);
      const { data } = planes;
      const write = <T>(verb: (ctx: DataCtx) => Promise<T>): Promise<T> =>
        writeData(planes, (tx) =>
          verb(toCtx({ tx, actor: req.actor, now: now(), requestId: req.id, network })),
        );
      await getProject(app.db, toScope(req.actor), projectId);
      const request = { projectId, format, query: req.query };
      const run = await write((ctx) => startExport(ctx, request, findCheckpoint));
      const estimate = await estimateRecords(data, run.stretch);
      void reply.headers({
        "x-export-id": run.row.id,
        ...(estimate === undefined ? {} : { "x-export-estimate": estimate }),
        link: `<${toManifestHref(run.row, publicUrl)}>; rel="describedby"; type="application/json"`,
        "content-disposition": `attachment; filename="consents-${projectId}.${format}"`,
        "cache-control": "no-store",
      });
      const gone = new AbortController();
      reply.raw.once("close", () => gone.abort());
      const { signal } = gone;
      const chunks = writeExport({
        ...run,
        data,
        log: req.log,
        publicUrl,
        marginMs,
        write,
        signal,
      });
      const isPart = run.row.after_id !== null;
      return streams.answer({ req, reply }, { type: toContentType(format, isPart), chunks });
    },
  );
}

function registerManifest(http: Http, app: ExportsApp): void {
  http.get(
    paths.exportManifest,
    {
      schema: {
        tags: ["app"],
        operationId: "getExportManifest",
        summary: "Get the progress of an export, and how to verify its file",
        description: "Kept for 30 days.",
        params: ManifestParams,
        response: { 200: ExportManifestOut },
      },
    },
    async (req) => {
      const { projectId, exportId: id } = req.params;
      const planes = await planesOf(app, projectId);
      const row = await getExport(planes, toScope(req.actor), { projectId, id });
      return toManifest(row, app.publicUrl);
    },
  );
}
