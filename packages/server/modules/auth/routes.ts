import type { Http } from "../../http/http.ts";
import { answerWrite } from "../../http/write.ts";
import { toScope } from "../../kernel/actor.ts";
import { paths } from "@avow/contract/urls";
import type { AuthApp } from "./ports.ts";
import { registerLocalRoutes } from "./passwords/signin-routes.ts";
import { getMe, updateMe } from "./accounts/me.ts";
import { LogoutOut, MeOut, MePatchIn } from "./users/schema.ts";
import { signOut } from "./sessions/sessions.ts";
import { registerAccountPages } from "./pages/routes.ts";
import { registerInvitationRoutes } from "./invitations/routes.ts";
import { registerFactorRoutes } from "./factors/routes.ts";
import { registerIdentityRoutes } from "./identities/routes.ts";
import { registerSessionRoutes } from "./sessions/start-routes.ts";
import { registerSocialRoutes } from "./identities/provider-routes.ts";
import { registerPasswordRoutes } from "./passwords/routes.ts";
import { registerLeavingRoutes } from "./accounts/deletion-routes.ts";
import { registerOperatorRoutes } from "./accounts/operator-routes.ts";
import { registerTokenRoutes } from "./sessions/routes.ts";
import { registerValidationRoutes } from "./addresses/routes.ts";
import { toLogoutOut, toMeOut } from "./sessions/views.ts";

const BODY_BYTES_MAX = 16 * 1024;

/** The routes of /v1/auth (wire section 1): local identities, the user, sessions. */
export function registerAuthRoutes(http: Http, app: AuthApp): void {
  registerLocalRoutes(http, app);
  registerMeRoutes(http, app);
  registerLogoutRoutes(http, app);
  registerTokenRoutes(http, app);
  registerOperatorRoutes(http, app);
  registerLeavingRoutes(http, app);
  registerPasswordRoutes(http, app);
  registerValidationRoutes(http, app);
  registerInvitationRoutes(http, app);
  registerFactorRoutes(http, app);
  registerIdentityRoutes(http, app);
  registerSocialRoutes(http, app);
  registerSessionRoutes(http, app);
  registerAccountPages(http, app);
}

function registerMeRoutes(http: Http, { db, now, config }: AuthApp): void {
  const { publicUrl } = config.http;
  const tags = ["auth"];
  http.get(
    paths.me,
    {
      schema: {
        tags,
        summary: "The signed-in user",
        operationId: "getMe",
        response: { 200: MeOut },
      },
    },
    async (req) => toMeOut(await getMe(db, toScope(req.actor)), publicUrl, req.actor),
  );
  http.patch(
    paths.me,
    {
      bodyLimit: BODY_BYTES_MAX,
      schema: {
        tags,
        summary: "Change what the signed-in user is called",
        operationId: "updateMe",
        body: MePatchIn,
        response: { 200: MeOut },
      },
    },
    (req, reply) =>
      answerWrite({ db, now, req, reply }, async (ctx) =>
        toMeOut(await updateMe(ctx, req.body), publicUrl, req.actor),
      ),
  );
}

function registerLogoutRoutes(http: Http, { db, now, config }: AuthApp): void {
  for (const method of ["GET", "POST"] as const) {
    http.route({
      method,
      url: paths.logout,
      // A HEAD would sign out too.
      exposeHeadRoute: false,
      bodyLimit: BODY_BYTES_MAX,
      // A link to it ends no session of a cookie: DELETE /v1/auth/session does, and takes the cookie away.
      config: { room: "spared", session: "ignored" },
      schema: {
        tags: ["auth"],
        summary: "Sign out: revoke the token of this request",
        operationId: method === "GET" ? "logoutByGet" : "logout",
        response: { 200: LogoutOut },
      },
      handler: (req, reply) =>
        answerWrite(
          { db, now, req, reply, headers: () => ({ "cache-control": "no-store" }) },
          async (ctx) => {
            await signOut(ctx);
            return toLogoutOut(config.http.publicUrl);
          },
        ),
    });
  }
}
