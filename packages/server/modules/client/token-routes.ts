import { Type } from "typebox";
import { hrefOf, paths } from "@avow/contract/urls";
import { toScope } from "../../kernel/actor.ts";
import { type AllPlanes, planesOf } from "../../platform/db/buckets/buckets.ts";
import { CursorQueryIn, cursorListOf } from "../../http/lists/cursors.ts";
import type { Http } from "../../http/http.ts";
import { answerList, csvQueryIn, negotiateList, streamedTypes } from "../../http/lists/lists.ts";
import type { Streams } from "../../http/streams.ts";
import { idAfter } from "../../kernel/ids.ts";
import { consentColumns, serializeConsent, toConsent } from "../consents/records/consent-out.ts";
import { parsePast } from "../consents/read/instants.ts";
import {
  STREAM_LIMIT as HISTORY_LIMIT,
  listRecordsAfter,
  toRecordsPage,
} from "../consents/read/registry.ts";
import { Token } from "@avow/contract/consents";
import { type TokenReader, listTokenState } from "../consents/states/token-state.ts";
import { listTokens } from "../consents/states/tokens.ts";
import { type ProjectReader, getProject } from "../vault/documents/access.ts";
import { listNamedEntries } from "./projects.ts";
import { At, TokenConsentsOut, TokenOut } from "./schema.ts";
import { toStateOut, toTokenOut, tokenColumns } from "./tokens.ts";

export interface TokensApp extends AllPlanes {
  now: () => Date;
  publicUrl: string;
  streams: Streams;
  projects: ProjectReader;
  tokens: TokenReader;
}

/** Page size of a streamed list of tokens, which limits the items in memory. */
export const STREAM_LIMIT = 1_000;

const id = Type.String({ maxLength: 64 });

/** The query of a token's state and history, which have separate pages. */
const TokenConsentsIn = Type.Interface([CursorQueryIn], {
  at: Type.Optional(At),
  ...csvQueryIn,
  stateCursor: Type.Optional(
    Type.String({ maxLength: 2_048, description: "Taken from `links.nextState`." }),
  ),
});

/** Registers the tokens of a project, and the state and history of each (wire section 5). */
export function registerTokenRoutes(http: Http, app: TokensApp): void {
  registerTokens(http, app);
  registerTokenConsents(http, app);
}

function registerTokens(http: Http, app: TokensApp): void {
  http.get(
    paths.clientTokens,
    {
      schema: {
        tags: ["client"],
        operationId: "listTokens",
        summary: "List the tokens of a project",
        description: "Ordered by token, with the time of the newest record.",
        params: Type.Object({ id }),
        querystring: Type.Interface([CursorQueryIn], {
          q: Type.Optional(Type.String({ maxLength: 256, description: "Prefix of the token." })),
          ...csvQueryIn,
        }),
        response: { 200: cursorListOf(TokenOut) },
      },
      config: { streamed: streamedTypes },
    },
    async (req, reply) => {
      const { id: projectId } = req.params;
      const { q, limit, cursor } = req.query;
      const { db, data } = await planesOf(app, projectId);
      await getProject(db, toScope(req.actor), projectId);
      const format = negotiateList(req, reply);
      const read = { limit: format === "json" ? limit : STREAM_LIMIT };
      const readPage = (here: string | undefined) =>
        listTokens(data, { projectId, prefix: q ?? "" }, { ...read, cursor: here });
      const page = await readPage(cursor);
      if (format !== "json")
        return answerList(
          app.streams,
          { req, reply, format },
          {
            first: page,
            readPage,
            columns: tokenColumns,
            toLine: (seen) => JSON.stringify(toTokenOut(seen, app.publicUrl)),
          },
        );
      const at = (here: string | undefined) =>
        hrefOf(app.publicUrl, paths.clientTokens, { id: projectId }, { q, limit, cursor: here });
      return {
        items: page.items.map((row) => toTokenOut(row, app.publicUrl)),
        links: { self: at(cursor), ...(page.next === undefined ? {} : { next: at(page.next) }) },
      };
    },
  );
}

function registerTokenConsents(http: Http, app: TokensApp): void {
  http.get(
    paths.clientConsents,
    {
      schema: {
        tags: ["client"],
        operationId: "getTokenConsents",
        summary: "Get a token's state and a page of its history",
        description:
          "With `at`, the records up to that instant and the state that follows from them and from the offers of that time. NDJSON and CSV return the whole history, without the state.",
        params: Type.Object({ id, token: Token }),
        querystring: TokenConsentsIn,
        response: { 200: TokenConsentsOut },
      },
      config: { streamed: streamedTypes },
    },
    async (req, reply) => {
      const { id: projectId, token } = req.params;
      const { limit, cursor, stateCursor, at } = req.query;
      const { publicUrl } = app;
      const { db, data } = await planesOf(app, projectId);
      const { project, configurationIds } = await app.projects.getProjectWithConfigurations(
        toScope(req.actor),
        projectId,
      );
      const now = app.now();
      const instant = parsePast(at, { path: "?at", now });
      const format = negotiateList(req, reply);
      const read = { order: "desc", limit: format === "json" ? limit : HISTORY_LIMIT } as const;
      const filter = { projectId, token, to: instant && idAfter(instant) };
      const readHistory = (here = "") => listRecordsAfter(data, filter, { ...read, cursor: here });
      if (format !== "json")
        return answerList(
          app.streams,
          { req, reply, format },
          {
            first: await readHistory(cursor),
            readPage: readHistory,
            columns: consentColumns,
            toLine: (record) => serializeConsent(toConsent(record, publicUrl)),
          },
        );
      const named = listNamedEntries(project);
      const query = { projectId, token, now, named };
      const isFirst = instant === undefined && cursor === undefined && stateCursor === undefined;
      const { state, history } = isFirst
        ? await readFirstPages(app.tokens, {
            ...query,
            version: project.live_version,
            configurationIds,
            limit,
            readHistory,
          })
        : {
            state: await listTokenState(
              { db, data },
              { ...query, at: instant, cursor: stateCursor },
            ),
            history: await readHistory(cursor),
          };
      const hrefAt = (here: { cursor?: string; stateCursor?: string }) =>
        hrefOf(publicUrl, paths.clientConsents, { id: projectId, token }, { at, limit, ...here });
      return {
        token,
        state: state.items.map((entry) => toStateOut(entry, { projectId, token, publicUrl, at })),
        history: history.items.map((record) => toConsent(record, publicUrl)),
        links: {
          self: hrefAt({
            ...(cursor === undefined ? {} : { cursor }),
            ...(stateCursor === undefined ? {} : { stateCursor }),
          }),
          ...(history.next === undefined ? {} : { next: hrefAt({ cursor: history.next }) }),
          ...(state.next === undefined ? {} : { nextState: hrefAt({ stateCursor: state.next }) }),
          project: hrefOf(publicUrl, paths.clientProject, { id: projectId }),
          proofs: hrefOf(publicUrl, paths.proofs, {}, { projectId, token }),
        },
      };
    },
  );
}

/** The first pages of the present state and of the history, which most requests read. */
async function readFirstPages(
  tokens: TokenReader,
  query: Omit<Parameters<TokenReader["readTokenState"]>[0], "records"> & {
    limit: number;
    readHistory: () => ReturnType<typeof listRecordsAfter>;
  },
) {
  const { limit, readHistory } = query;
  const read = { ...query, records: limit + 1 };
  const { state, records, hasArchived } = await tokens.readTokenState(read);
  return { state, history: hasArchived ? await readHistory() : toRecordsPage(records, limit) };
}
