import { hrefOf, paths } from "@avow/contract/urls";
import { Type } from "typebox";
import type { Http } from "../../../http/http.ts";
import { negotiateLanguage } from "../../../http/files/negotiation.ts";
import { answerWrite } from "../../../http/write.ts";
import { mailLanguages } from "../../../platform/mail/languages.ts";
import { Code } from "../factors/schema.ts";
import { CookieSessionOut, SessionOut } from "../sessions/schema.ts";
import {
  type CookiesApp,
  answerCookieSession,
  answerSession,
  cookieDescription,
  toClient,
} from "../sessions/start-routes.ts";
import { BODY_BYTES_MAX, OneTimeToken } from "../users/schema.ts";
import { isOwnCode } from "./handshake.ts";
import { unlinkIdentity } from "./identities.ts";
import type { IdentitiesApp } from "./ports.ts";
import { exchangeCode, unknownCode, verifyExchange } from "./provider-signin.ts";

/** `code` is the one-time code of the sign-in, `factorCode` that of a second factor. */
const ExchangeIn = Type.Object({
  code: { ...OneTimeToken, description: "The one-time code of the sign-in." },
  factorCode: Type.Optional(Code),
});
const ProvidersOut = Type.Array(
  Type.Object({
    name: Type.String(),
    title: Type.String(),
    ofOrganization: Type.Boolean({
      description: "Only accounts of one organization can sign in, such as with its own issuer.",
    }),
    links: Type.Object({ signin: Type.String() }),
  }),
);

/** Lists the providers, exchanges their sign-ins for sessions, and removes identities. */
export function registerIdentityRoutes(http: Http, app: IdentitiesApp): void {
  const { db, now, publicUrl, providers } = app;
  const tags = ["auth"];
  http.get(
    paths.providers,
    {
      schema: {
        tags,
        summary: "List the providers to sign in with",
        operationId: "listProviders",
        description: "The providers that the operator configured in SIGN_IN_PROVIDERS.",
        response: { 200: ProvidersOut },
      },
    },
    async () =>
      [...providers.values()].map(({ name, title, isOfOrganization }) => ({
        name,
        title,
        ofOrganization: isOfOrganization,
        links: { signin: hrefOf(publicUrl, paths.signInWith, { provider: name }) },
      })),
  );
  http.post(
    paths.exchange,
    {
      bodyLimit: BODY_BYTES_MAX,
      schema: {
        tags,
        summary: "Exchange the one-time code of a provider sign-in for an access token",
        description:
          "A code that adds a sign-in method to an account requires the user's token, and adds it.",
        operationId: "exchangeCode",
        body: ExchangeIn,
        response: { 200: SessionOut },
      },
    },
    async (req, reply) => {
      const { code, factorCode } = req.body;
      const proof = await verifyExchange(app, { code, factorCode, ip: req.ip ?? "" });
      const given = { code, proof, ...toClient(req) };
      return answerSession(app, { req, reply }, (ctx) => exchangeCode(ctx, app, given));
    },
  );
  http.delete(
    paths.identity,
    {
      schema: {
        tags,
        summary: "Remove one of the signed-in user's sign-in methods, except the last",
        operationId: "deleteIdentity",
        description: "Needs a session of the last 15 minutes.",
        params: Type.Object({ id: Type.String({ maxLength: 64 }) }),
        response: { 204: Type.Null() },
      },
    },
    (req, reply) =>
      answerWrite({ db, now, req, reply, status: 204 }, async (ctx) => {
        const language = negotiateLanguage(req, mailLanguages);
        await unlinkIdentity(ctx, app, { id: req.params.id, language });
        return null;
      }),
  );
}

/** The same exchange, for a session in a cookie. */
export function registerCookieExchange(http: Http, app: IdentitiesApp & CookiesApp): void {
  http.post(
    paths.sessionExchange,
    {
      bodyLimit: BODY_BYTES_MAX,
      schema: {
        tags: ["auth"],
        summary: "Sign a browser in with the one-time code of a provider sign-in",
        description: `${cookieDescription} The code works only in the browser that started the sign-in.`,
        operationId: "startSessionByCode",
        body: ExchangeIn,
        response: { 200: CookieSessionOut },
      },
    },
    async (req, reply) => {
      const { code, factorCode } = req.body;
      const isSecure = app.publicUrl.startsWith("https:");
      const own = { code, now: app.now(), isSecure };
      if (!isOwnCode(app.sealer, req.headers.cookie, own)) throw unknownCode();
      const proof = await verifyExchange(app, { code, factorCode, ip: req.ip ?? "" });
      const given = { code, proof, ...toClient(req) };
      return answerCookieSession(app, { req, reply }, (ctx) => exchangeCode(ctx, app, given));
    },
  );
}
