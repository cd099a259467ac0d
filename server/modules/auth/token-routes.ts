import { Type } from "typebox";
import { toScope } from "../../platform/actor.ts";
import { Fault } from "../../platform/errors.ts";
import type { Http } from "../../platform/http/http.ts";
import { PageQueryIn, answerPage } from "../../platform/http/pages.ts";
import { answerWrite } from "../../platform/http/write.ts";
import { paths } from "../../paths.ts";
import { getCaller } from "./caller.ts";
import type { AuthApp } from "./app.ts";
import { TokenOut, TokenParams } from "./schema.ts";
import { endSession } from "./sessions.ts";
import { findOwnAccessToken, listAccessTokens } from "./store.ts";
import { toTokenOut } from "./views.ts";

const TokensQueryIn = Type.Omit(PageQueryIn, ["sort"]);

/** The caller's sessions, newest first, each revocable (wire section 1). */
export function registerTokenRoutes(http: Http, { db, now, config }: AuthApp): void {
  const { publicUrl } = config.http;
  const tags = ["auth"];
  http.get(
    paths.accessTokens,
    {
      schema: {
        tags,
        summary: "The signed-in user's sessions, newest first",
        operationId: "listAccessTokens",
        querystring: TokensQueryIn,
        response: { 200: Type.Array(TokenOut) },
      },
    },
    async (req, reply) => {
      const query = { ...req.query, now: now() };
      const page = await listAccessTokens(db, toScope(req.actor), query);
      const currentId = getCaller(req.actor).tokenId;
      const items = page.items.map((token) => toTokenOut(token, { publicUrl, currentId }));
      return answerPage({ req, reply, publicUrl }, req.query, { items, total: page.total });
    },
  );
  http.get(
    paths.accessToken,
    {
      schema: {
        tags,
        summary: "One of the signed-in user's sessions",
        operationId: "getAccessToken",
        params: TokenParams,
        response: { 200: TokenOut },
      },
    },
    async (req) => {
      const wanted = { id: req.params.id, now: now() };
      const token = await findOwnAccessToken(db, toScope(req.actor), wanted);
      if (!token) throw new Fault("not-found", "You have no such token.");
      return toTokenOut(token, { publicUrl, currentId: getCaller(req.actor).tokenId });
    },
  );
  http.delete(
    paths.accessToken,
    {
      schema: {
        tags,
        summary: "Revoke one of the signed-in user's sessions",
        operationId: "deleteAccessToken",
        params: TokenParams,
        response: { 204: Type.Null() },
      },
    },
    (req, reply) =>
      answerWrite({ db, now, req, reply, status: 204 }, async (ctx) => {
        await endSession(ctx, req.params.id);
        return null;
      }),
  );
}
