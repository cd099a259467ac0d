import { paths } from "@avow/contract/urls";
import { Type } from "typebox";
import type { Http } from "../../../http/http.ts";
import { PageQueryIn, answerPage } from "../../../http/lists/pages.ts";
import { answerWrite } from "../../../http/write.ts";
import { toScope } from "../../../kernel/actor.ts";
import { Fault } from "../../../platform/errors.ts";
import { getCaller } from "../users/users.ts";
import { BODY_BYTES_MAX } from "../users/schema.ts";
import type { SessionsApp } from "./ports.ts";
import { LogoutOut, TokenOut, TokenParams, TokensDeleteIn } from "./schema.ts";
import { endSession, endTokens, signOut } from "./sessions.ts";
import { type CookiesApp, cookieDescription, runInTransaction } from "./start-routes.ts";
import { findOwnAccessToken, listAccessTokens } from "./store.ts";
import { toLogoutOut, toTokenOut } from "./views.ts";

const TokensQueryIn = Type.Omit(PageQueryIn, ["sort"]);

/** Lists and revokes the caller's sessions and API keys (wire section 1). */
export function registerTokenReads(http: Http, { db, now, publicUrl }: SessionsApp): void {
  const tags = ["auth"];
  http.get(
    paths.accessTokens,
    {
      schema: {
        tags,
        summary: "List the signed-in user's sessions and API keys, newest first",
        operationId: "listAccessTokens",
        description: "Secrets are not included.",
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
        summary: "Get one of the signed-in user's sessions or API keys",
        operationId: "getAccessToken",
        description: "The secret is not included.",
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
}

export function registerTokenDeletes(http: Http, { db, now }: SessionsApp): void {
  const tags = ["auth"];
  http.delete(
    paths.accessTokens,
    {
      schema: {
        tags,
        summary: "Revoke all of the signed-in user's sessions, API keys or both",
        operationId: "deleteAccessTokens",
        description:
          "`kind` selects sessions or keys; `except=current` keeps the session of this request.",
        querystring: TokensDeleteIn,
        response: { 204: Type.Null() },
      },
    },
    (req, reply) =>
      answerWrite({ db, now, req, reply, status: 204 }, async (ctx) => {
        const { kind, except } = req.query;
        const exceptId = except === undefined ? undefined : getCaller(ctx.actor).tokenId;
        await endTokens(ctx, { kind, exceptId });
        return null;
      }),
  );
  http.delete(
    paths.accessToken,
    {
      schema: {
        tags,
        summary: "Revoke one of the signed-in user's sessions or API keys",
        operationId: "deleteAccessToken",
        description: "Requests with it are rejected immediately.",
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

export function registerLogoutRoutes(http: Http, { db, now, publicUrl }: SessionsApp): void {
  for (const method of ["GET", "POST"] as const) {
    http.route({
      method,
      url: paths.logout,
      // A HEAD would also sign out.
      exposeHeadRoute: false,
      bodyLimit: BODY_BYTES_MAX,
      // A link must not end a cookie's session: DELETE /v1/auth/session does, and deletes the cookie.
      config: { diskSpace: "exempt", session: "ignored" },
      schema: {
        tags: ["auth"],
        summary: "Sign out: revoke the token of this request",
        operationId: method === "GET" ? "logoutByGet" : "logout",
        description:
          method === "GET"
            ? "For clients of the first versions of this interface; prefer POST."
            : "The token is invalid afterwards. Other sessions are not affected.",
        response: { 200: LogoutOut },
      },
      handler: (req, reply) =>
        answerWrite(
          { db, now, req, reply, headers: () => ({ "cache-control": "no-store" }) },
          async (ctx) => {
            await signOut(ctx);
            return toLogoutOut(publicUrl);
          },
        ),
    });
  }
}

/** Signs a browser out. */
export function registerCookieEnd(http: Http, app: CookiesApp): void {
  const { cookies } = app;
  http.delete(
    paths.session,
    {
      // Also without a session, to delete the cookie.
      config: { diskSpace: "exempt" },
      schema: {
        tags: ["auth"],
        summary: "Sign a browser out: revoke its token and delete its cookie",
        description: cookieDescription,
        operationId: "endSession",
        response: { 204: Type.Null() },
      },
    },
    async (req, reply) => {
      if (req.actor.kind === "user") await runInTransaction(app, req, signOut);
      void reply.headers({ "set-cookie": cookies.clear(), "cache-control": "no-store" }).code(204);
      return null;
    },
  );
}
