import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { findRouteRights, rolesFor, type RouteRights } from "../kernel/rights.ts";
import type { Actor } from "../kernel/actor.ts";
import { Fault } from "../platform/errors.ts";
import type { Http } from "./http.ts";
import { openSessionCookies } from "./session-cookie.ts";

const TOKEN_LENGTH_MAX = 512;

/** Who a token stands for at `now`; undefined when it is unknown, revoked or expired. */
type Authenticate = (token: string, now: Date) => Promise<Actor | undefined>;

const visitor: Actor = Object.freeze({ kind: "visitor" });
const operator: Actor = Object.freeze({ kind: "system", name: "operator" });

interface AuthenticationOptions {
  authenticate: Authenticate;
  /** Throws unless a key's scopes allow the route. */
  assertInScope: (actor: Actor, rights: RouteRights) => void;
  now: () => Date;
  /** The token of routes for the operator; undefined: they are closed. */
  operatorToken: string | undefined;
  publicUrl: string;
}

/** A token that came in another way than the header does. */
interface Elsewhere {
  inQuery: string | undefined;
  inCookie: string | undefined;
}

/**
 * Gives every route that is registered from here on its row of the table of rights, and holds callers to it:
 * where a token is needed the answer without a valid one is 403, whatever the rest of the request
 * (specification, Authentication 1, 4; wire section 0). What the caller may do with documents goes along with the
 * actor. A route without a row is refused when it is registered. Answers to requests that carry their token in the URL are kept out of caches and referrers.
 */
export function registerAuthentication(http: Http, options: AuthenticationOptions): void {
  const cookies = openSessionCookies(options.publicUrl);
  http.decorateRequest("actor");
  http.addHook("onRoute", (route) => {
    route.config = { ...route.config, rights: toRights(route.method, route.url) };
  });
  // Hooks that every request passes call back: a promise each would cost more than what they do.
  http.addHook("onRequest", (req, reply, done) => {
    const inQuery = tokenInQuery(req);
    if (inQuery !== undefined)
      void reply.headers({ "referrer-policy": "no-referrer", "cache-control": "no-store" });
    req.actor = visitor;
    // A preflight of an origin that is not configured: no route answers it.
    const { rights, session } = req.routeOptions.config;
    if (rights?.access === "public" || req.is404 || req.method === "OPTIONS") return done();
    const isNamed = req.headers.authorization !== undefined || inQuery !== undefined;
    const inCookie = isNamed || session === "ignored" ? undefined : cookies.find(req);
    if (rights?.access === "optional" && !isNamed && inCookie === undefined) return done();
    // oxlint-disable-next-line promise/no-callback-in-promise -- this is where the two styles meet
    admit(req, reply, { inQuery, inCookie }).then(() => done(), done);
  });
  /** Who calls; undefined: a visitor. The operator's token comes neither in an address nor in a cookie. */
  const findActor = async (
    req: FastifyRequest,
    { inQuery, inCookie, rights }: Elsewhere & { rights: RouteRights },
  ): Promise<Actor | undefined> => {
    if (rights.access === "operator") return requireOperator(tokenInHeader(req), options);
    // A cookie that has ended is not the visitor's fault: browsers send it by themselves.
    if (rights.access === "optional" && inCookie !== undefined) {
      const found = await options.authenticate(inCookie, options.now());
      return found && isFactorMissing(found, rights) ? undefined : found;
    }
    return requireActor(tokenInHeader(req) ?? inQuery ?? inCookie, options);
  };
  const admit = async (
    req: FastifyRequest,
    reply: FastifyReply,
    { inQuery, inCookie }: Elsewhere,
  ): Promise<void> => {
    const { rights } = req.routeOptions.config;
    if (!rights)
      throw new Error(
        `${req.method} ${req.routeOptions.url} is not in packages/server/kernel/rights.ts`,
      );
    const actor = await findActor(req, { inQuery, inCookie, rights });
    if (!actor) return;
    options.assertInScope(actor, rights);
    if (isFactorMissing(actor, rights))
      throw new Fault(
        "factor-needed",
        "This service asks for a second factor: add one to your account (POST /v1/auth/factor), then go on.",
      );
    req.actor =
      actor.kind === "user" && rights.right ? { ...actor, roles: rolesFor(rights.right) } : actor;
    if (!reply.hasHeader("cache-control")) void reply.header("cache-control", "private, no-cache");
  };
}

function isFactorMissing(actor: Actor, { withoutFactor }: RouteRights): boolean {
  return actor.kind === "user" && actor.lacksFactor === true && !withoutFactor;
}

/** The row of a route, the same for each of its methods. */
function toRights(methods: string | readonly string[], url: string): RouteRights {
  const [rights, ...others] = [methods].flat().map((method) => findRouteRights(method, url));
  if (rights && others.every((other) => other === rights)) return rights;
  throw new Error(
    `${String(methods)} ${url} is not in packages/server/kernel/rights.ts: say there who may call it`,
  );
}

async function requireActor(
  token: string | undefined,
  { authenticate, now }: AuthenticationOptions,
): Promise<Actor> {
  if (token === undefined)
    throw new Fault("unauthenticated", "Send an access token: Authorization: Bearer TOKEN.");
  const actor = token.length <= TOKEN_LENGTH_MAX ? await authenticate(token, now()) : undefined;
  if (!actor)
    throw new Fault(
      "unauthenticated",
      "The access token is unknown, revoked or expired. Sign in again.",
    );
  return actor;
}

function requireOperator(
  token: string | undefined,
  { operatorToken }: AuthenticationOptions,
): Actor {
  if (operatorToken === undefined)
    throw new Fault("forbidden", "This is for the operator, who has not set OPERATOR_TOKEN.");
  if (token === undefined || !timingSafeEqual(toDigest(token), toDigest(operatorToken)))
    throw new Fault("unauthenticated", "This needs the operator's token, that of OPERATOR_TOKEN.");
  return operator;
}

/** Texts of any length are compared in the same time. */
function toDigest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

function tokenInHeader(req: FastifyRequest): string | undefined {
  const [, token] = /^bearer +(\S+) *$/i.exec(req.headers.authorization ?? "") ?? [];
  return token;
}

function tokenInQuery(req: FastifyRequest): string | undefined {
  const query = req.query as Record<string, unknown>;
  const token = query["access_token"];
  const one: unknown = Array.isArray(token) ? token[0] : token;
  return typeof one === "string" && one !== "" ? one : undefined;
}
