import { Type } from "typebox";
import { toScope } from "../../../kernel/actor.ts";
import { Fault } from "../../../platform/errors.ts";
import type { Http } from "../../../http/http.ts";
import { negotiateLanguage } from "../../../http/negotiation.ts";
import { PageQueryIn, answerPage } from "../../../http/pages.ts";
import { answerWrite } from "../../../http/write.ts";
import { mailLanguages } from "../../../platform/mail/languages.ts";
import { hrefOf, paths } from "@avow/contract/urls";
import { getCaller } from "../users/caller.ts";
import type { AuthApp } from "../ports.ts";
import { makeKey } from "../keys/keys.ts";
import { KeyIn, KeyOut, TokenOut, TokenParams, TokensDeleteIn } from "../users/schema.ts";
import { endSession, endTokens } from "./sessions.ts";
import { findOwnAccessToken, listAccessTokens } from "./store.ts";
import { toTokenOut } from "./views.ts";

const BODY_BYTES_MAX = 16 * 1024;
const TokensQueryIn = Type.Omit(PageQueryIn, ["sort"]);

/** The caller's sessions and API keys, newest first, each revocable (wire section 1). */
export function registerTokenRoutes(http: Http, app: AuthApp): void {
  registerTokenReads(http, app);
  registerKeyRoute(http, app);
  registerTokenDeletes(http, app);
}

function registerTokenReads(http: Http, { db, now, config }: AuthApp): void {
  const { publicUrl } = config.http;
  const tags = ["auth"];
  http.get(
    paths.accessTokens,
    {
      schema: {
        tags,
        summary: "The signed-in user's sessions and API keys, newest first",
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
        summary: "One of the signed-in user's sessions or API keys",
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
}

function registerKeyRoute(http: Http, app: AuthApp): void {
  const { db, now, publicUrl } = app;
  const headers = ({ id }: KeyOut) => ({
    "cache-control": "no-store",
    location: hrefOf(publicUrl, paths.accessToken, { id }),
  });
  http.post(
    paths.accessTokens,
    {
      bodyLimit: BODY_BYTES_MAX,
      schema: {
        tags: ["auth"],
        summary: "Make an API key, for machines; its secret is answered once",
        operationId: "createApiKey",
        body: KeyIn,
        response: { 201: KeyOut },
      },
    },
    (req, reply) => {
      const { expiresAt, projectId, ...given } = req.body;
      const asked = {
        ...given,
        projectId,
        expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt),
        language: negotiateLanguage(req, mailLanguages),
      };
      return answerWrite(
        { db, now, req, reply, status: 201, headers, isSecret: true },
        async (ctx) => {
          const { key, token } = await makeKey(ctx, app, asked);
          return { ...toTokenOut(key, { publicUrl, currentId: "" }), token };
        },
      );
    },
  );
}

function registerTokenDeletes(http: Http, { db, now }: AuthApp): void {
  const tags = ["auth"];
  http.delete(
    paths.accessTokens,
    {
      schema: {
        tags,
        summary: "Revoke all of the signed-in user's sessions, API keys or both",
        operationId: "deleteAccessTokens",
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
