import type { FastifyReply, FastifyRequest } from "fastify";
import { Type, type Static } from "typebox";
import { hrefOf, paths } from "@avow/contract/urls";
import { type Scope, toScope } from "../../kernel/actor.ts";
import { CursorQueryIn } from "../../http/lists/cursors.ts";
import type { Http } from "../../http/http.ts";
import { answerList, csvQueryIn, negotiateList, streamedTypes } from "../../http/lists/lists.ts";
import type { CursorPage } from "../../kernel/page.ts";
import { Fault } from "../../platform/errors.ts";
import { type AcceptedToken, listAccepted } from "../consents/read/accepted.ts";
import { type Change, listChanges } from "../consents/read/changes.ts";
import { parsePast } from "../consents/read/instants.ts";
import { listAskable, toAcceptedName } from "../consents/states/tokens.ts";
import { planesOf } from "../../platform/db/buckets/buckets.ts";
import { getProject } from "../vault/documents/access.ts";
import { listNamedEntries } from "./projects.ts";
import { AcceptedListOut, type AcceptedOut, AskableOut, At } from "./schema.ts";
import { STREAM_LIMIT, type TokensApp } from "./token-routes.ts";

const id = Type.String({ maxLength: 64 });
const identifier = Type.String({ maxLength: 256 });
const AskableQueryIn = Type.Interface([Type.Omit(CursorQueryIn, ["limit"])], {
  limit: Type.Integer({ minimum: 1, maximum: 1_000, default: 1_000 }),
});
const AcceptedQueryIn = Type.Interface([CursorQueryIn], {
  at: Type.Optional(At),
  ...csvQueryIn,
  since: Type.Optional(
    Type.String({
      maxLength: 2_048,
      description:
        "Returns only changes since then: the value from `changes`, or an `Instant` not in the future.",
    }),
  ),
});
type AcceptedQueryIn = Static<typeof AcceptedQueryIn>;

/** Registers the lists of tokens with accepted offers (specification, Client API; wire section 5). */
export function registerAcceptedRoutes(http: Http, app: TokensApp): void {
  registerAskable(http, app);
  registerAccepted(http, app);
  registerVendorAccepted(http, app);
}

function registerAskable(http: Http, app: TokensApp): void {
  http.get(
    paths.clientAccepted,
    {
      schema: {
        tags: ["client"],
        operationId: "listAskable",
        summary: "List the items that the accepted list is available for",
        description: "The next page is in the `Link` header.",
        params: Type.Object({ id }),
        querystring: AskableQueryIn,
        response: { 200: Type.Array(AskableOut) },
      },
    },
    async (req, reply) => {
      const { id: projectId } = req.params;
      const { publicUrl } = app;
      const { limit } = req.query;
      await getProject(app.db, toScope(req.actor), projectId);
      const planes = await planesOf(app, projectId);
      const { items, next } = await listAskable(planes, projectId, req.query);
      if (next !== undefined) {
        const at = hrefOf(
          publicUrl,
          paths.clientAccepted,
          { id: projectId },
          { limit, cursor: next },
        );
        void reply.header("link", `<${at}>; rel="next"`);
      }
      return items.map((offer) => {
        const params = { id: projectId, identifier: toAcceptedName(offer) };
        return {
          identifier: params.identifier,
          name: offer.name,
          collection: offer.collection,
          links: {
            accepted: hrefOf(publicUrl, paths.clientAcceptedItem, params),
            project: hrefOf(publicUrl, paths.clientProject, { id: projectId }),
          },
        };
      });
    },
  );
}

function registerAccepted(http: Http, app: TokensApp): void {
  http.get(
    paths.clientAcceptedItem,
    {
      schema: {
        tags: ["client"],
        operationId: "listAccepted",
        summary: "List the tokens that accept an item",
        description:
          "Sorted by token, without expired and superseded answers, as of now or of `at`. With `since`, " +
          "changes: each token with its current state, possibly more than once. A client that applies all " +
          "pages has the current list. A page may have fewer items than `limit`, or none, and still a `next`.",
        params: Type.Object({ id, identifier }),
        querystring: AcceptedQueryIn,
        response: { 200: AcceptedListOut },
      },
      config: { streamed: streamedTypes },
    },
    async (req, reply) => answerAccepted(app, { req, reply }, req.params, req.query),
  );
}

/** The slash between a configuration and its vendor may be encoded or not. */
function registerVendorAccepted(http: Http, app: TokensApp): void {
  http.get(
    `${paths.clientAcceptedItem}/:vendor`,
    {
      schema: {
        // The same address in another spelling, documented once.
        hide: true,
        params: Type.Object({ id, identifier, vendor: identifier }),
        querystring: AcceptedQueryIn,
        response: { 200: AcceptedListOut },
      },
      config: { streamed: streamedTypes },
    },
    async (req, reply) => {
      const named = `${req.params.identifier}/${req.params.vendor}`;
      const params = { id: req.params.id, identifier: named };
      return answerAccepted(app, { req, reply }, params, req.query);
    },
  );
}

type AcceptedItem = AcceptedToken | Change;

/** Returns the accepted list, or changes in it. */
async function answerAccepted(
  app: TokensApp,
  { req, reply }: { req: FastifyRequest; reply: FastifyReply },
  params: { id: string; identifier: string },
  query: AcceptedQueryIn,
): Promise<Static<typeof AcceptedListOut> | FastifyReply> {
  const { limit, cursor, at, since } = query;
  const format = negotiateList(req, reply);
  const readPage = await toReader(app, toScope(req.actor), params, {
    ...query,
    limit: format === "json" ? limit : STREAM_LIMIT,
  });
  const page = await readPage(cursor);
  const hrefAt = (here: Record<string, string | undefined>) =>
    hrefOf(app.publicUrl, paths.clientAcceptedItem, params, { limit, ...here });
  const changes = hrefAt({ since: page.changes });
  const toItem = (item: AcceptedItem) => toAcceptedOut(item, { ...app, id: params.id, at });
  if (format !== "json") {
    void reply.header("x-changes", changes);
    const columns = since === undefined ? acceptedColumns : changeColumns;
    const toLine = (item: AcceptedItem) => JSON.stringify(toItem(item));
    return answerList(
      app.streams,
      { req, reply, format },
      { first: page, readPage, columns, toLine },
    );
  }
  return {
    items: page.items.map(toItem),
    changes,
    links: {
      self: hrefAt({ at, since, cursor }),
      ...(page.next === undefined ? {} : { next: hrefAt({ at, since, cursor: page.next }) }),
      ...(since === undefined ? { changes } : {}),
      project: hrefOf(app.publicUrl, paths.clientProject, { id: params.id }),
    },
  };
}

type ReadPage = (
  cursor: string | undefined,
) => Promise<CursorPage<AcceptedItem> & { changes: string }>;

/** Returns a reader of the pages of a query. @throws Fault not-found, forbidden */
async function toReader(
  app: TokensApp,
  scope: Scope,
  { id: projectId, identifier: name }: { id: string; identifier: string },
  { limit, at, since }: AcceptedQueryIn,
): Promise<ReadPage> {
  const { db, data } = await planesOf(app, projectId);
  const project = await getProject(db, scope, projectId);
  const isNamed = listNamedEntries(project).some((entry) => entry.identifier === name);
  const now = app.now();
  const item = { projectId, name, isNamed, now };
  const instant = parsePast(at, { path: "?at", now });
  if (instant && since !== undefined) throw toPairFault();
  return (cursor) =>
    since === undefined
      ? listAccepted({ db, data }, { ...item, at: instant }, { limit, cursor })
      : listChanges({ db, data }, { ...item, since }, { limit, cursor });
}

function toAcceptedOut(
  item: AcceptedItem,
  { publicUrl, id: projectId, at }: { publicUrl: string; id: string; at: string | undefined },
): Static<typeof AcceptedOut> {
  const params = { id: projectId, token: item.token };
  return {
    token: item.token,
    ...("change" in item ? { change: item.change } : {}),
    since: item.since.toISOString(),
    consentId: item.consentId,
    links: { consents: hrefOf(publicUrl, paths.clientConsents, params, { at }) },
  };
}

const acceptedColumns: Record<string, (item: AcceptedItem) => string | null> = {
  token: ({ token }) => token,
  since: ({ since }) => since.toISOString(),
  consentId: ({ consentId }) => consentId,
};
const changeColumns: Record<string, (item: AcceptedItem) => string | null> = {
  ...acceptedColumns,
  change: (item) => ("change" in item ? item.change : null),
};

function toPairFault(): Fault {
  const message = "cannot be combined with ?at";
  return new Fault("invalid", `?since: ${message}`, { faults: [{ path: "?since", message }] });
}
