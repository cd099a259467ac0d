import { Type } from "typebox";
import { paths } from "@avow/contract/urls";
import type { Http } from "../../../http/http.ts";
import { addJsonParser } from "../../../http/validation.ts";
import { planesOf } from "../../../platform/db/buckets/buckets.ts";
import { idempotencyKeyOf } from "../../../http/write.ts";
import { registerBatchRoute } from "./batch-routes.ts";
import { type ConsentsApp, collectConsent } from "./collect.ts";
import { getCollectingProject } from "../offers/projects.ts";
import { openConsentJson } from "../records/consent-json.ts";
import { toConsent } from "../records/consent-out.ts";
import { type ConsentRecord, toRecord } from "../records/row.ts";
import { ConsentIn, ConsentOut, LatestQueryIn } from "@avow/contract/consents";
import { assertMayAddConsents, toSender } from "./sender.ts";
import { registerTicketRoute } from "./ticket-routes.ts";
import { findLatest } from "../states/tokens-store.ts";

const BODY_BYTES_MAX = 100 * 1024;
const id = Type.String({ maxLength: 64 });
const ProjectParams = Type.Object({ projectId: id });

/** Registers collection and reading of single records (wire section 4). */
export function registerConsentRoutes(http: Http, app: ConsentsApp): void {
  void http.register(async (scope: Http) => {
    // `navigator.sendBeacon` can send JSON to another origin only as `text/plain`, which needs no preflight (Fetch,
    // CORS-safelisted request-header).
    addJsonParser(scope, ["text/plain"]);
    registerCollection(scope, app);
    registerBatchRoute(scope, app);
  });
  registerTicketRoute(http, app);
  registerLatest(http, app);
}

function registerCollection(http: Http, app: ConsentsApp): void {
  const toConsentJson = openConsentJson(app.publicUrl);
  http.post(
    paths.collect,
    {
      bodyLimit: BODY_BYTES_MAX,
      schema: {
        tags: ["app"],
        consumes: ["application/json", "text/plain"],
        operationId: "collectConsent",
        summary: "Collect a consent",
        description:
          "Responds once the consent is durable. A visitor without a token gets a new one. Public. With an access token that may add consents to the project, the record gets the assurance level `server`.",
        params: Type.Object({ projectId: id, collection: id, identifier: id }),
        body: ConsentIn,
        // The route returns a record, which the serializer writes as a `ConsentOut`.
        response: { 201: Type.Unsafe<ConsentRecord>(ConsentOut) },
      },
      // Problems have their own serializer.
      serializerCompiler: () => toConsentJson,
      config: { session: "ignored", cors: "any", log: "failures" },
    },
    async (req, reply) => {
      const { projectId, collection, identifier } = req.params;
      const { body, headers } = req;
      const isServer = req.actor.kind === "user";
      if (isServer) await assertMayAddConsents(app.db, req.actor, projectId);
      const { record, isReplay } = await collectConsent(app, {
        projectId,
        collection,
        identifier,
        sender: toSender(headers, isServer, app.regions.findRegion(req)),
        body,
        idempotencyKey: idempotencyKeyOf(req),
        sizeBytes: Number(headers["content-length"] ?? BODY_BYTES_MAX),
      });
      void reply.code(201);
      if (isReplay) void reply.header("idempotency-replayed", "true");
      return record;
    },
  );
}

function registerLatest(http: Http, app: ConsentsApp): void {
  const NoneOut = Type.Object({ accept: Type.Literal(false) });
  http.get(
    paths.latestConsent,
    {
      schema: {
        tags: ["app"],
        operationId: "getLatestConsent",
        summary: "Get a token's latest consent",
        description:
          "The widget calls this on every page. Returns the latest record, or `accept: false` without one. Unknown tokens are limited per minute for one network (429).",
        params: ProjectParams,
        querystring: LatestQueryIn,
        response: { 200: Type.Union([ConsentOut, NoneOut]) },
      },
      config: { cors: "any" },
    },
    async (req, reply) => {
      const { projectId } = req.params;
      const { token, service, identifier } = req.query;
      const planes = await planesOf(app, projectId);
      await getCollectingProject(planes, projectId);
      void reply.header("cache-control", "no-store");
      const known = await app.misses.lookUp(req.ip, async () => {
        const named = { projectId, token, collection: service, identifier };
        const row = await findLatest(planes.data, named);
        // A token without an answer to this question is no miss.
        const other = row ?? (await findLatest(planes.data, { projectId, token }));
        return other && { row };
      });
      return known?.row
        ? toConsent(toRecord(known.row), app.publicUrl)
        : { accept: false as const };
    },
  );
}
