import { Type } from "typebox";
import { Fault } from "../../../platform/errors.ts";
import type { Http } from "../../../http/http.ts";
import { negotiate, negotiateLanguage } from "../../../http/negotiation.ts";
import { answerWrite } from "../../../http/write.ts";
import { hrefOf, paths } from "@avow/contract/urls";
import { toAllowedUrl } from "../../../kernel/allowed-url.ts";
import type { AuthApp } from "../ports.ts";
import { getCaller } from "../users/caller.ts";
import { mailLanguages } from "../../../platform/mail/languages.ts";
import { AskedOut, ValidateQueryIn } from "../passwords/schema.ts";
import { getMe } from "../accounts/me.ts";
import { postValidation, validateEmail } from "./validations.ts";

const forms = new Map([
  ["application/json", "json"],
  ["text/html", "page"],
]);

/** That an address is its user's: the link that was mailed, and asking for another one. */
export function registerValidationRoutes(http: Http, app: AuthApp): void {
  const { db, now, publicUrl, config, asks } = app;
  const places = { publicUrl, redirectUrls: config.http.redirectUrls };
  const pageOf = (state?: string) => hrefOf(publicUrl, paths.confirmedPage, {}, { state });
  http.get(
    paths.validate,
    {
      // A HEAD would confirm too.
      exposeHeadRoute: false,
      schema: {
        tags: ["auth"],
        summary: "Confirm an e-mail address with the token that was mailed there",
        operationId: "validateEmail",
        querystring: ValidateQueryIn,
        response: { 200: AskedOut, 302: Type.Null() },
      },
    },
    async (req, reply) => {
      const { token, redirectURI } = req.query;
      const target =
        redirectURI === undefined
          ? undefined
          : toAllowedUrl(places, { path: "?redirectURI", given: redirectURI }).href;
      const isPage = negotiate(req, reply, forms) === "page";
      void reply.headers({ "cache-control": "no-store", "referrer-policy": "no-referrer" });
      try {
        const answer = await answerWrite({ db, now, req, reply }, async (ctx) => {
          await validateEmail(ctx, token);
          return { success: true as const };
        });
        if (target !== undefined) return await reply.redirect(target, 302);
        return isPage ? await reply.redirect(pageOf(), 302) : answer;
      } catch (error) {
        // Who opened the link in a mail reads a page.
        if (!isPage || !(error instanceof Fault) || error.kind !== "not-found") throw error;
        return reply.redirect(pageOf("expired"), 302);
      }
    },
  );
  http.post(
    paths.validate,
    {
      schema: {
        tags: ["auth"],
        summary: "Mail another link that confirms the signed-in user's address",
        operationId: "askEmailValidation",
        response: { 200: AskedOut },
      },
    },
    async (req, reply) => {
      const { userId } = getCaller(req.actor);
      const language = negotiateLanguage(req, mailLanguages);
      const { email } = await getMe(db, { kind: "user", userId });
      if (email === null)
        throw new Fault("conflict", "Your account has no e-mail address that could be confirmed.");
      const isRoom = await asks.take({ what: "validation", by: userId, to: email, now: now() });
      return answerWrite({ db, now, req, reply }, async (ctx) => {
        if (isRoom) await postValidation(ctx, app, { userId, email, language });
        return { success: true as const };
      });
    },
  );
}
