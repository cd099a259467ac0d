import type { FastifyReply, FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import { instantIn, toInstants } from "@avow/contract/instants";
import { hrefOf, paths } from "@avow/contract/urls";
import { toScope } from "../../../kernel/actor.ts";
import { escapeFormulas } from "../../../platform/text/csv.ts";
import type { TrailRow } from "../../../kernel/events/events-store.ts";
import { CursorQueryIn, cursorListOf } from "../../../http/lists/cursors.ts";
import type { Http } from "../../../http/http.ts";
import { answerList, csvQueryIn, negotiateList, streamedTypes } from "../../../http/lists/lists.ts";
import type { Streams } from "../../../http/streams.ts";
import { TrailEntry, toTrailEntry } from "../../../kernel/events/trail.ts";
import { listTrail } from "./trail.ts";
import type { VaultApp } from "../documents/vault.ts";

const STREAM_LIMIT = 1_000;

const Id = Type.Optional(Type.String({ minLength: 1, maxLength: 64 }));
const TrailQueryIn = Type.Object({
  ...CursorQueryIn.properties,
  organizationId: Id,
  projectId: Id,
  actor: Type.Optional(Type.String({ maxLength: 64, description: "The acting user's id." })),
  event: Type.Optional(
    Type.String({ maxLength: 64, description: "An event name, such as `project.updated`." }),
  ),
  documentId: Id,
  ...csvQueryIn,
  from: Type.Optional(instantIn("The start of the period, inclusive.")),
  to: Type.Optional(instantIn("The end of the period: a date is included, a time is not.")),
});
type TrailQueryIn = Static<typeof TrailQueryIn>;

/** Registers the audit trail of an organization and its projects, for owners and auditors. */
export function registerTrailRoute(http: Http, app: VaultApp & { streams: Streams }): void {
  http.get(
    paths.audit,
    {
      config: { streamed: streamedTypes },
      schema: {
        tags: ["vault"],
        operationId: "listAuditTrail",
        summary: "List audit events of an organization or a project, newest first",
        description:
          "The audit trail of an organization with its projects (`organizationId`), or of one project (`projectId`), for its owners and auditors. NDJSON and CSV return the whole trail.",
        querystring: TrailQueryIn,
        response: { 200: cursorListOf(TrailEntry) },
      },
    },
    async (req, reply) => {
      const { query } = req;
      const format = negotiateList(req, reply);
      if (format !== "json") return streamTrail(app, { req, reply, format }, query);
      const { items, next } = await readTrail(app, req, query);
      const { cursor, ...filters } = query;
      const at = (from: string | undefined) =>
        hrefOf(app.publicUrl, paths.audit, {}, { ...filters, cursor: from });
      const links = { self: at(cursor), ...(next === undefined ? {} : { next: at(next) }) };
      return { items: items.map((row) => toTrailEntry(row, app.counters)), links };
    },
  );
}

function readTrail(
  app: VaultApp,
  req: FastifyRequest,
  query: Omit<TrailQueryIn, "cursor"> & { cursor?: string | undefined },
) {
  const {
    event: name,
    from,
    to,
    organizationId,
    projectId,
    cursor,
    dialect: _dialect,
    ...rest
  } = query;
  const period = {
    from: from === undefined ? undefined : toInstants(from).first,
    to: to === undefined ? undefined : toInstants(to).end,
  };
  const filters = { organizationId, projectId, cursor, name, ...period };
  return listTrail(app, toScope(req.actor), { ...rest, ...filters });
}

/** Streams the whole trail, newest first; the reader's rights are checked again for each page. */
async function streamTrail(
  app: VaultApp & { streams: Streams },
  exchange: { req: FastifyRequest; reply: FastifyReply; format: "ndjson" | "csv" },
  query: TrailQueryIn,
): Promise<FastifyReply> {
  const readPage = (cursor: string | undefined) =>
    readTrail(app, exchange.req, { ...query, cursor, limit: STREAM_LIMIT });
  return answerList(app.streams, exchange, {
    first: await readPage(query.cursor),
    readPage,
    columns,
    toLine: (row) => JSON.stringify(toTrailEntry(row, app.counters)),
  });
}

const columns: Record<string, (row: TrailRow) => string | null> = {
  at: (row) => row.created_at.toISOString(),
  event: (row) => row.name,
  actor: (row) => row.actor,
  displayName: (row) => row.display_name,
  email: (row) => row.email,
  tokenId: (row) => row.token_id,
  organizationId: (row) => row.organization_id,
  projectId: (row) => row.project_id,
  documentId: (row) => row.document_id,
  network: (row) => row.network,
  requestId: (row) => row.request_id,
  details: (row) => escapeFormulas(JSON.stringify(row.data)),
};
