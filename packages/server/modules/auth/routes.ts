import formbody from "@fastify/formbody";
import type { FastifyRequest } from "fastify";
import type { Http } from "../../http/http.ts";
import { registerOperatorRoutes } from "./accounts/operator-routes.ts";
import { registerDeletionRoute, registerMeRoutes } from "./accounts/routes.ts";
import { registerCookieSignup, registerSignup } from "./accounts/signup-routes.ts";
import { registerValidationRoutes } from "./addresses/routes.ts";
import { registerFactorRoutes } from "./factors/routes.ts";
import { registerProviderRoutes } from "./identities/provider-routes.ts";
import { registerCookieExchange, registerIdentityRoutes } from "./identities/routes.ts";
import { registerInstanceRoutes } from "./instance/routes.ts";
import { registerInvitationRoutes } from "./invitations/routes.ts";
import { registerKeyRoutes } from "./keys/routes.ts";
import { registerAccountPages } from "./pages/routes.ts";
import {
  registerConfirmRoute,
  registerCookieReset,
  registerPasswordRoutes,
} from "./passwords/routes.ts";
import { registerCookieSignin, registerSignin } from "./passwords/signin-routes.ts";
import type { AuthApp } from "./ports.ts";
import {
  registerCookieEnd,
  registerLogoutRoutes,
  registerTokenDeletes,
  registerTokenReads,
} from "./sessions/routes.ts";
import { registerCookieRoutes } from "./sessions/start-routes.ts";
import { BODY_BYTES_MAX } from "./users/schema.ts";

/** The routes of /v1/auth (wire section 1), in the order of the OpenAPI document, and the pages of mailed links. */
export function registerAuthRoutes(http: Http, app: AuthApp): void {
  registerForms(http, app);
  registerMeRoutes(http, app);
  registerLogoutRoutes(http, app);
  registerTokenReads(http, app);
  registerKeyRoutes(http, app);
  registerTokenDeletes(http, app);
  registerInstanceRoutes(http, app);
  registerOperatorRoutes(http, app);
  registerDeletionRoute(http, app);
  registerPasswordRoutes(http, app);
  registerValidationRoutes(http, app);
  registerInvitationRoutes(http, app);
  registerFactorRoutes(http, app);
  registerConfirmRoute(http, app);
  registerIdentityRoutes(http, app);
  registerProviderRoutes(http, app);
  registerCookieRoutes(http, app, (scope, withCookies) => {
    registerCookieSignin(scope, withCookies);
    registerCookieSignup(scope, withCookies);
    registerCookieReset(scope, withCookies);
    registerCookieExchange(scope, withCookies);
    registerCookieEnd(scope, withCookies);
  });
  registerAccountPages(http, app);
}

/** The two routes that accept forms as well as JSON. */
function registerForms(http: Http, app: AuthApp): void {
  void http.register(async (scope: Http) => {
    await scope.register(formbody, { bodyLimit: BODY_BYTES_MAX });
    scope.addHook("preValidation", async (req) => {
      req.body = toFields(req);
    });
    registerSignup(scope, app);
    registerSignin(scope, app);
  });
}

/** The fields of a body, none without a body; an empty field of a form is left out. */
function toFields({ body, headers }: FastifyRequest): unknown {
  const isForm = headers["content-type"]?.startsWith("application/x-www-form-urlencoded");
  if (body === undefined || !isForm) return body ?? {};
  return Object.fromEntries(Object.entries(body as object).filter(([, value]) => value !== ""));
}
