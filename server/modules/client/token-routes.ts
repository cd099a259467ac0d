import { Type } from "typebox";
import { hrefOf, paths } from "../../paths.ts";
import { toScope } from "../../platform/actor.ts";
import type { Db } from "../../platform/db/db.ts";
import { CursorQueryIn, cursorListOf } from "../../platform/http/cursors.ts";
import type { Http } from "../../platform/http/http.ts";
import { idAfter } from "../../platform/ids.ts";
import { toConsent } from "../consents/consent-out.ts";
import { parsePast } from "../consents/instants.ts";
import { listRecordsAfter } from "../consents/registry.ts";
import { Token } from "../consents/schema.ts";
import { listTokenState } from "../consents/token-state.ts";
import { listTokens } from "../consents/tokens.ts";
import { getProject } from "../vault/access.ts";
import { listNamedEntries } from "./projects.ts";
import { At, TokenConsentsOut, TokenOut } from "./schema.ts";
import { toStateOut, toTokenOut } from "./tokens.ts";

/** What the reads of tokens need. */
export interface TokensApp {
  db: Db;
  now: () => Date;
  publicUrl: string;
}

const id = Type.String({ maxLength: 64 });

/** The query of a token's state and history, which are paged each by itself. */
const TokenConsentsIn = Type.Interface([CursorQueryIn], {
  at: Type.Optional(At),
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
        params: Type.Object({ id }),
        querystring: Type.Interface([CursorQueryIn], {
          q: Type.Optional(Type.String({ maxLength: 256, description: "How the token begins." })),
        }),
        response: { 200: cursorListOf(TokenOut) },
      },
    },
    async (req) => {
      const { id: projectId } = req.params;
      const { q, limit, cursor } = req.query;
      await getProject(app.db, toScope(req.actor), projectId, "readConsents");
      const page = await listTokens(app.db, { projectId, prefix: q ?? "" }, req.query);
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
        summary: "Read a token's state and a page of its history",
        description:
          "With `at` the records up to that instant, and what they came to by what was offered then.",
        params: Type.Object({ id, token: Token }),
        querystring: TokenConsentsIn,
        response: { 200: TokenConsentsOut },
      },
    },
    async (req) => {
      const { id: projectId, token } = req.params;
      const { limit, cursor, stateCursor, at } = req.query;
      const { db, publicUrl } = app;
      const project = await getProject(db, toScope(req.actor), projectId, "readConsents");
      const now = app.now();
      const instant = parsePast(at, { path: "?at", now });
      const window = { order: "desc", limit, cursor: cursor ?? "" } as const;
      const named = listNamedEntries(project);
      const [state, history] = await Promise.all([
        listTokenState(db, { projectId, token, now, at: instant, named, cursor: stateCursor }),
        listRecordsAfter(db, { projectId, token, to: instant && idAfter(instant) }, window),
      ]);
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
        },
      };
    },
  );
}
