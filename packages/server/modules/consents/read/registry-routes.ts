import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { paths } from "@avow/contract/urls";
import { toScope } from "../../../kernel/actor.ts";
import type { Http } from "../../../http/http.ts";
import { answerList, negotiateList, streamedTypes } from "../../../http/lists/lists.ts";
import { answerPage } from "../../../http/lists/pages.ts";
import type { Streams } from "../../../http/streams.ts";
import { within } from "../../../platform/db/buckets/buckets.ts";
import type { Planes } from "../../../platform/db/db.ts";
import { getProject } from "../../vault/documents/access.ts";
import type { ConsentsPorts } from "../ports.ts";
import { consentColumns, serializeConsent, toConsent } from "../records/consent-out.ts";
import { STREAM_LIMIT, listRecords, listRecordsAfter, orderOf, toFilter } from "./registry.ts";
import { ConsentOut, ConsentsQueryIn } from "@avow/contract/consents";

export interface RegistryApp extends Pick<ConsentsPorts, "db" | "buckets" | "publicUrl"> {
  streams: Streams;
}

type ListRequest = FastifyRequest & { params: { projectId: string }; query: ConsentsQueryIn };

/** Registers the list of a project's consents (wire section 4). */
export function registerRegistryRoute(http: Http, app: RegistryApp): void {
  http.get(
    paths.consents,
    {
      schema: {
        tags: ["app"],
        operationId: "listConsents",
        summary: "List the consents of a project",
        description:
          "Newest first. By page, or by cursor for lists of any length. NDJSON and CSV contain the whole list.",
        params: Type.Object({ projectId: Type.String({ maxLength: 64 }) }),
        querystring: ConsentsQueryIn,
        response: { 200: Type.Array(ConsentOut) },
      },
      config: { streamed: streamedTypes },
    },
    async (req, reply) => {
      const { query, params } = req;
      const { publicUrl } = app;
      const own = await within(app, params.projectId);
      const { db, data } = own;
      await getProject(db, toScope(req.actor), params.projectId);
      const format = negotiateList(req, reply);
      if (format !== "json") return streamRecords(own, { req, reply, format });
      if (query.cursor === undefined) {
        const page = await listRecords(data, params.projectId, query);
        const items = page.items.map((record) => toConsent(record, publicUrl));
        return answerPage({ req, reply, publicUrl }, query, { ...page, items });
      }
      const window = { order: orderOf(query), limit: query.perPage, cursor: query.cursor };
      const filter = toFilter(params.projectId, query);
      const { items, next } = await listRecordsAfter(data, filter, window);
      if (next !== undefined) void reply.header("link", toNextLink(req, publicUrl, next));
      return items.map((record) => toConsent(record, publicUrl));
    },
  );
}

/** Streams the whole list in the requested order, ignoring `page` and `perPage`. */
async function streamRecords(
  { data, publicUrl, streams }: RegistryApp & Planes,
  given: { req: ListRequest; reply: FastifyReply; format: "ndjson" | "csv" },
): Promise<FastifyReply> {
  const { params, query } = given.req;
  const filter = toFilter(params.projectId, query);
  const window = { order: orderOf(query), limit: STREAM_LIMIT };
  const readPage = (cursor: string) => listRecordsAfter(data, filter, { ...window, cursor });
  return answerList(streams, given, {
    first: await readPage(query.cursor ?? ""),
    readPage,
    columns: consentColumns,
    toLine: (record) => serializeConsent(toConsent(record, publicUrl)),
  });
}

function toNextLink(req: FastifyRequest, publicUrl: string, cursor: string): string {
  const url = new URL(req.url, publicUrl);
  for (const name of ["access_token", "page"]) url.searchParams.delete(name);
  url.searchParams.set("cursor", cursor);
  return `<${publicUrl}${url.pathname}${url.search}>; rel="next"`;
}
