import { Type } from "typebox";
import { toCtx } from "../../../kernel/ctx.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import type { Http } from "../../../http/http.ts";
import { negotiateLanguage } from "../../../http/negotiation.ts";
import { answerWrite } from "../../../http/write.ts";
import { mailLanguages } from "../../../platform/mail/languages.ts";
import { toShortNetwork } from "../../../platform/networks.ts";
import { toUserAgentFamily } from "../../../platform/user-agent.ts";
import { hrefOf, paths } from "@avow/contract/urls";
import type { AuthApp } from "../ports.ts";
import { unlinkIdentity } from "./identities.ts";
import { ExchangeIn, SessionOut } from "../users/schema.ts";
import { comeIn } from "../sessions/ports.ts";
import { exchangeCode, proveExchange } from "./providers.ts";
import { toSessionOut } from "../sessions/views.ts";

const BODY_BYTES_MAX = 16 * 1024;
const ProvidersOut = Type.Array(
  Type.Object({
    name: Type.String(),
    title: Type.String(),
    links: Type.Object({ signin: Type.String() }),
  }),
);

/** Whom people sign in with, what a sign-in there is turned into, and ways of signing in that go. */
export function registerIdentityRoutes(http: Http, app: AuthApp): void {
  const { db, now, publicUrl, providers } = app;
  const tags = ["auth"];
  http.get(
    paths.providers,
    {
      schema: {
        tags,
        summary: "Whom people can sign in with beside a password",
        operationId: "listProviders",
        response: { 200: ProvidersOut },
      },
    },
    async () =>
      [...providers.values()].map(({ name, title }) => ({
        name,
        title,
        links: { signin: hrefOf(publicUrl, paths.signInWith, { provider: name }) },
      })),
  );
  http.post(
    paths.exchange,
    {
      bodyLimit: BODY_BYTES_MAX,
      schema: {
        tags,
        summary: "Turn the one-time code of a sign-in elsewhere into an access token",
        description:
          "With the user's token where the code adds a way of signing in to their account: it is added then.",
        operationId: "exchangeCode",
        body: ExchangeIn,
        response: { 200: SessionOut },
      },
    },
    async (req, reply) => {
      const { code, factorCode } = req.body;
      const proof = await proveExchange(app, { code, factorCode, ip: req.ip ?? "" });
      const label = toUserAgentFamily(req.headers["user-agent"]);
      const network = toShortNetwork(req.ip);
      const language = negotiateLanguage(req, mailLanguages);
      // Without answerWrite, as at sign-in: an answer that is kept would give a token again.
      const session = await inTransaction(db, (tx) =>
        comeIn(
          toCtx({ tx, actor: req.actor, now: now(), requestId: req.id, network }),
          { attempts: app.attempts, ip: req.ip ?? "" },
          (ctx) => exchangeCode(ctx, app, { code, proof, label, language }),
        ),
      );
      void reply.header("cache-control", "no-store");
      return toSessionOut(session, publicUrl);
    },
  );
  registerUnlink(http, app);
}

function registerUnlink(http: Http, app: AuthApp): void {
  const { db, now } = app;
  http.delete(
    paths.identity,
    {
      schema: {
        tags: ["auth"],
        summary: "Remove one of the signed-in user's ways of signing in, but not the last",
        operationId: "deleteIdentity",
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
