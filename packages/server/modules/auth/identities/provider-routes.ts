import formbody from "@fastify/formbody";
import { hrefOf, paths } from "@avow/contract/urls";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import type { Http } from "../../../http/http.ts";
import { negotiate, negotiateLanguage } from "../../../http/files/negotiation.ts";
import { problems } from "../../../http/errors/problems.ts";
import { toAllowedUrl, withQuery } from "../../../kernel/allowed-url.ts";
import { Fault } from "../../../platform/errors.ts";
import { mailLanguages } from "../../../platform/mail/languages.ts";
import { type Provider, ProviderError } from "../../../platform/providers/provider.ts";
import { notices, toNoticePage } from "../notices/notices.ts";
import { pageHeaders } from "../../../platform/text/account-page.ts";
import { runInTransaction } from "../sessions/start-routes.ts";
import { OneTimeToken, Url } from "../users/schema.ts";
import {
  type Handshake,
  findHandshake,
  toCodeCookie,
  toEnd,
  toEndedCookie,
  toHandshakeCookie,
} from "./handshake.ts";
import type { IdentitiesApp } from "./ports.ts";
import { finishSignin } from "./provider-signin.ts";

const BODY_BYTES_MAX = 64 * 1024;
const tags = ["auth"];
const ProviderParams = Type.Object({ provider: Type.String({ maxLength: 64 }) });
const BeginIn = Type.Object({
  redirectURI: {
    ...Url,
    description: "The address to redirect to, on a configured origin; `code` or `error` is added.",
  },
  invitationToken: Type.Optional({
    ...OneTimeToken,
    description: "Accepts the invitation if the sign-in creates an account.",
  }),
});
/** Other parameters of a provider are accepted and verified. */
const CallbackIn = Type.Object({
  state: Type.Optional(Type.String({ maxLength: 512 })),
  code: Type.Optional(Type.String({ maxLength: 8_192 })),
  error: Type.Optional(Type.String({ maxLength: 512 })),
  iss: Type.Optional(Type.String({ maxLength: 2_048, description: "RFC 9207." })),
});
type CallbackIn = Static<typeof CallbackIn>;
const forms = new Map([
  ["application/json", "json"],
  ["text/html", "page"],
]);

/** Registers the redirect to a provider, and its callback (wire section 1). */
export function registerProviderRoutes(http: Http, app: IdentitiesApp): void {
  registerBegin(http, app);
  registerCallbacks(http, app);
}

function getProvider({ providers }: IdentitiesApp, name: string): Provider {
  const provider = providers.get(name);
  if (!provider) throw new Fault("not-found", `No provider is named ${name.slice(0, 64)}.`);
  return provider;
}

function cookieFor({ publicUrl }: IdentitiesApp, provider: Provider, state: string) {
  const callback = hrefOf(publicUrl, paths.signInCallback, { provider: provider.name });
  const { pathname, protocol } = new URL(callback);
  const isSecure = protocol === "https:";
  return {
    callback,
    cookie: { state, path: pathname, isCrossSite: provider.answersByPost, isSecure },
  };
}

function registerBegin(http: Http, app: IdentitiesApp): void {
  const { now, sealer, publicUrl, config } = app;
  const places = { publicUrl, redirectUrls: config.http.redirectUrls };
  http.get(
    paths.signInWith,
    {
      exposeHeadRoute: false,
      schema: {
        tags,
        summary: "Redirect to a provider to sign in, or, when signed in, to add it to the account",
        operationId: "signInWith",
        description: "Starts the authorization code flow with PKCE.",
        params: ProviderParams,
        querystring: BeginIn,
        response: { 302: Type.Null() },
      },
    },
    async (req, reply) => {
      const provider = getProvider(app, req.params.provider);
      const place = { path: "?redirectURI", given: req.query.redirectURI };
      const redirectUri = toAllowedUrl(places, place).href;
      const { callback } = cookieFor(app, provider, "");
      const { url, pending } = await provider.begin(callback).catch((error: unknown) => {
        throw toFault(app, provider, error);
      });
      const { cookie } = cookieFor(app, provider, pending.state);
      const linkTo = req.actor.kind === "user" ? req.actor.userId : undefined;
      const endsAt = toEnd(now());
      const { invitationToken } = req.query;
      const returning = { redirectUri, linkTo, invitationToken, endsAt };
      const handshake = { ...pending, provider: provider.name, ...returning };
      void reply.headers({
        "set-cookie": toHandshakeCookie(sealer, handshake, cookie),
        "cache-control": "no-store",
      });
      return reply.redirect(url, 302);
    },
  );
}

function registerCallbacks(http: Http, app: IdentitiesApp): void {
  const shared = { tags, params: ProviderParams, response: { 302: Type.Null() } };
  http.get(
    paths.signInCallback,
    {
      exposeHeadRoute: false,
      schema: {
        ...shared,
        summary: "Receive the callback of a provider, and redirect to redirectURI",
        operationId: "signInCallback",
        description:
          "Opened by the provider. `redirectURI` receives a one-time code for `exchangeCode`.",
        querystring: CallbackIn,
      },
    },
    (req, reply) =>
      answerCallback(app, req, reply, { name: req.params.provider, given: req.query }),
  );
  void http.register(async (scope: Http) => {
    await scope.register(formbody, { bodyLimit: BODY_BYTES_MAX });
    scope.post(
      paths.signInCallback,
      {
        bodyLimit: BODY_BYTES_MAX,
        // Apple sends a form.
        schema: { ...shared, hide: true, body: CallbackIn },
      },
      (req, reply) =>
        answerCallback(app, req, reply, { name: req.params.provider, given: req.body }),
    );
  });
}

/** A sent reply, which Fastify awaits; a route's types have no body for it. */
type SentReply = null;
const sent = (reply: FastifyReply): SentReply => reply as unknown as SentReply;

/** Finishes a sign-in. On an error, browsers get a page, other clients a problem. */
async function answerCallback(
  app: IdentitiesApp,
  req: FastifyRequest,
  reply: FastifyReply,
  returned: { name: string; given: CallbackIn },
): Promise<SentReply> {
  const language = negotiateLanguage(req, mailLanguages);
  const isPage = negotiate(req, reply, forms) === "page";
  void reply.header("cache-control", "no-store");
  try {
    return await finish(app, req, reply, returned);
  } catch (error) {
    if (!isPage || !(error instanceof Fault)) throw error;
    const conflict = isLinking(app, req, returned) ? "taken" : "linked";
    const named = { conflict, forbidden: "restricted" } as const;
    const notice =
      notices[language][
        error.kind === "conflict" || error.kind === "forbidden" ? named[error.kind] : "expired"
      ];
    const { status } = problems[error.kind];
    void reply.code(status).headers(pageHeaders).type("text/html; charset=utf-8");
    return sent(reply.send(toNoticePage(language, notice)));
  }
}

/** Whether the sign-in was started to add an identity to an account. */
function isLinking(
  { sealer, now }: IdentitiesApp,
  { headers }: FastifyRequest,
  { name, given: { state = "" } }: { name: string; given: CallbackIn },
): boolean {
  const handshake = findHandshake(sealer, headers.cookie, { provider: name, state, now: now() });
  return handshake?.linkTo !== undefined;
}

async function finish(
  app: IdentitiesApp,
  req: FastifyRequest,
  reply: FastifyReply,
  { name, given }: { name: string; given: CallbackIn },
): Promise<SentReply> {
  const { now, sealer } = app;
  const provider = getProvider(app, name);
  const { state = "" } = given;
  const handshake = findHandshake(sealer, req.headers.cookie, {
    provider: name,
    state,
    now: now(),
  });
  if (!handshake)
    throw new Fault("invalid", "The sign-in is unknown to this browser or expired. Start again.");
  const { callback, cookie } = cookieFor(app, provider, state);
  void reply.header("set-cookie", toEndedCookie(cookie));
  const profile = await findProfile(app, provider, {
    handshake,
    url: withQuery(new URL(callback), toTexts(given)),
  });
  const target = new URL(handshake.redirectUri);
  if (!profile) return sent(reply.redirect(withQuery(target, { error: "access_denied" }), 302));
  const language = negotiateLanguage(req, mailLanguages);
  const { linkTo, invitationToken } = handshake;
  const { code, seconds } = await runInTransaction(app, req, (ctx) =>
    finishSignin(ctx, app, { provider: name, profile, linkTo, invitationToken, language }),
  );
  const { isSecure } = cookie;
  void reply.header("set-cookie", toCodeCookie(sealer, { code, now: now(), isSecure, seconds }));
  return sent(reply.redirect(withQuery(target, { code }), 302));
}

/** The profile at the provider; undefined when the user or the provider refused. */
async function findProfile(
  app: IdentitiesApp,
  provider: Provider,
  { handshake, url }: { handshake: Handshake; url: string },
) {
  try {
    return await provider.finish(new URL(url), handshake);
  } catch (error) {
    if (error instanceof ProviderError && error.kind === "refused") return undefined;
    throw toFault(app, provider, error);
  }
}

function toFault({ log }: IdentitiesApp, { name }: Provider, error: unknown): unknown {
  if (!(error instanceof ProviderError)) return error;
  log.warn({ provider: name, kind: error.kind, reason: error.message }, "provider sign-in failed");
  if (error.kind === "unavailable")
    return new Fault("busy", `The provider ${name} does not respond.`, {
      retryAfterSeconds: 10,
      isLogged: true,
    });
  return new Fault("invalid", "The sign-in could not be verified. Start again.");
}

function toTexts(given: CallbackIn): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given).filter((pair): pair is [string, string] => typeof pair[1] === "string"),
  );
}
