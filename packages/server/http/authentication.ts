import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { findRouteRights, rolesFor, type RouteRights } from "../kernel/rights.ts";
import type { Actor } from "../kernel/actor.ts";
import { Fault } from "../platform/errors.ts";
import type { Http } from "./http.ts";
import { openSessionCookies } from "./session-cookie.ts";

const TOKEN_LENGTH_MAX = 512;

/** Returns the actor of a token at `now`; undefined when it is unknown, revoked or expired. */
type Authenticate = (token: string, now: Date) => Promise<Actor | undefined>;
type User = Extract<Actor, { kind: "user" }>;

const visitor: Actor = Object.freeze({ kind: "visitor" });
const operator: Actor = Object.freeze({ kind: "system", name: "operator" });

interface AuthenticationOptions {
  authenticate: Authenticate;
  /** Throws unless an API key's scopes allow the route. */
  assertInScope: (actor: Actor, rights: RouteRights) => void;
  now: () => Date;
  /** A token of the operator's routes besides the sessions of operators. */
  operatorToken: string | undefined;
  /** The operator that a user acts as. @throws Fault forbidden, confirmation-needed */
  toOperator: (user: User, request: { now: Date; isChange: boolean }) => Promise<Actor>;
  publicUrl: string;
}

/** Tokens outside the Authorization header. */
interface OtherTokens {
  inQuery: string | undefined;
  inCookie: string | undefined;
}

/**
 * Assigns every route registered after it its row of kernel/rights.ts, and enforces that row. A request without a
 * valid token, where one is required, gets 403 whatever else is wrong with it (specification, Authentication
 * 1, 4; wire section 0). The actor carries the roles that the route requires on documents. Registering a route
 * without a row throws. Answers to requests with a token in the URL are kept out of caches.
 */
export function registerAuthentication(http: Http, options: AuthenticationOptions): void {
  const cookies = openSessionCookies(options.publicUrl);
  http.decorateRequest("actor");
  http.addHook("onRoute", (route) => {
    route.config = { ...route.config, rights: toRights(route.method, route.url) };
  });
  // A callback, since a promise for every request would cost more than the hook's own work.
  http.addHook("onRequest", (req, reply, done) => {
    const inQuery = tokenInQuery(req);
    if (inQuery !== undefined) void reply.header("cache-control", "no-store");
    req.actor = visitor;
    // OPTIONS: a preflight from an origin that is not configured, which no route answers.
    const { rights, session } = req.route.config;
    if (rights?.access === "public" || req.is404 || req.method === "OPTIONS") return done();
    const isNamed = req.headers.authorization !== undefined || inQuery !== undefined;
    const inCookie = isNamed || session === "ignored" ? undefined : cookies.find(req);
    if (rights?.access === "optional" && !isNamed && inCookie === undefined) return done();
    // oxlint-disable-next-line promise/no-callback-in-promise -- a callback hook that runs an async function
    admit(req, reply, { inQuery, inCookie }).then(() => done(), done);
  });
  /** Returns undefined for a visitor. Operators' tokens are not accepted in the URL. */
  const findActor = async (
    req: FastifyRequest,
    { inQuery, inCookie, rights }: OtherTokens & { rights: RouteRights },
  ): Promise<Actor | undefined> => {
    if (rights.access === "operator") {
      const token = tokenInHeader(req) ?? inCookie;
      return isOperatorToken(token, options) ? operator : requireActor(token, options);
    }
    // Browsers also send a cookie whose session has expired: such a request is a visitor's.
    if (rights.access === "optional" && inCookie !== undefined) {
      const found = await options.authenticate(inCookie, options.now());
      return found && isFactorMissing(found, rights) ? undefined : found;
    }
    return requireActor(tokenInHeader(req) ?? inQuery ?? inCookie, options);
  };
  const toRequestActor = async (
    actor: Actor,
    { req, rights }: { req: FastifyRequest; rights: RouteRights },
  ): Promise<Actor> => {
    if (actor.kind !== "user") return actor;
    if (rights.access === "operator") {
      const isChange = req.method !== "GET" && req.method !== "HEAD";
      return options.toOperator(actor, { now: options.now(), isChange });
    }
    return rights.right ? { ...actor, roles: rolesFor(rights.right) } : actor;
  };
  const admit = async (
    req: FastifyRequest,
    reply: FastifyReply,
    { inQuery, inCookie }: OtherTokens,
  ): Promise<void> => {
    const { rights } = req.route.config;
    if (!rights)
      throw new Error(`${req.method} ${req.route.url} is not in packages/server/kernel/rights.ts`);
    const actor = await findActor(req, { inQuery, inCookie, rights });
    if (!actor) return;
    options.assertInScope(actor, rights);
    if (isFactorMissing(actor, rights))
      throw new Fault(
        "factor-needed",
        "A second factor is required. Add one to your account (POST /v1/auth/factor) and try again.",
      );
    req.actor = await toRequestActor(actor, { req, rights });
    if (!reply.hasHeader("cache-control")) void reply.header("cache-control", "private, no-cache");
  };
}

function isFactorMissing(actor: Actor, { withoutFactor }: RouteRights): boolean {
  return actor.kind === "user" && actor.lacksFactor === true && !withoutFactor;
}

/** The row of a route, which is the same for all of its methods. */
function toRights(methods: string | readonly string[], url: string): RouteRights {
  const [rights, ...others] = [methods].flat().map((method) => findRouteRights(method, url));
  if (rights && others.every((other) => other === rights)) return rights;
  throw new Error(
    `${String(methods)} ${url} is not in packages/server/kernel/rights.ts: add a row there`,
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

function isOperatorToken(
  token: string | undefined,
  { operatorToken }: AuthenticationOptions,
): boolean {
  if (operatorToken === undefined || token === undefined) return false;
  return timingSafeEqual(toDigest(token), toDigest(operatorToken));
}

/** Digests have equal length, as `timingSafeEqual` requires. */
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
