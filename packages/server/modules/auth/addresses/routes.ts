import { hrefOf, paths } from "@avow/contract/urls";
import { Type } from "typebox";
import type { Http } from "../../../http/http.ts";
import { negotiate, negotiateLanguage } from "../../../http/files/negotiation.ts";
import { answerWrite } from "../../../http/write.ts";
import { toScope } from "../../../kernel/actor.ts";
import { toAllowedUrl } from "../../../kernel/allowed-url.ts";
import { toLoginName } from "../../../kernel/logins.ts";
import { Fault } from "../../../platform/errors.ts";
import { mailLanguages } from "../../../platform/mail/languages.ts";
import { getCaller } from "../users/users.ts";
import { SuccessOut, OneTimeToken, Url } from "../users/schema.ts";
import { findUser } from "../users/store.ts";
import type { AddressesApp } from "./ports.ts";
import { postValidation, validateEmail } from "./validations.ts";

const ValidateQueryIn = Type.Object({
  token: OneTimeToken,
  redirectURI: Type.Optional({
    ...Url,
    description: "The address to redirect to, on a configured origin.",
  }),
});
const forms = new Map([
  ["application/json", "json"],
  ["text/html", "page"],
]);

/** Confirms an e-mail address with the mailed link, and mails another one. */
export function registerValidationRoutes(http: Http, app: AddressesApp): void {
  const { db, now, publicUrl, config, limiter } = app;
  const places = { publicUrl, redirectUrls: config.http.redirectUrls };
  const pageOf = (state?: string) => hrefOf(publicUrl, paths.confirmedPage, {}, { state });
  http.get(
    paths.validate,
    {
      // A HEAD would also confirm.
      exposeHeadRoute: false,
      schema: {
        tags: ["auth"],
        summary: "Confirm an e-mail address with the token that was mailed there",
        operationId: "validateEmail",
        description: "For applications. Mailed links open a page with a button instead.",
        querystring: ValidateQueryIn,
        response: { 200: SuccessOut, 302: Type.Null() },
      },
    },
    async (req, reply) => {
      const { token, redirectURI } = req.query;
      const target =
        redirectURI === undefined
          ? undefined
          : toAllowedUrl(places, { path: "?redirectURI", given: redirectURI }).href;
      const isPage = negotiate(req, reply, forms) === "page";
      void reply.header("cache-control", "no-store");
      try {
        const answer = await answerWrite({ db, now, req, reply }, async (ctx) => {
          await validateEmail(ctx, token);
          return { success: true as const };
        });
        if (target !== undefined) return await reply.redirect(target, 302);
        return isPage ? await reply.redirect(pageOf(), 302) : answer;
      } catch (error) {
        // A browser that opened the mailed link gets a page.
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
        description: "At most a few mails an hour for each address.",
        response: { 200: SuccessOut },
      },
    },
    async (req, reply) => {
      const { userId } = getCaller(req.actor);
      const language = negotiateLanguage(req, mailLanguages);
      const user = await findUser(db, toScope(req.actor));
      if (!user) throw new Fault("unauthenticated", "The user of this token no longer exists.");
      const { email } = user;
      if (email === null)
        throw new Fault("conflict", "Your account has no e-mail address to confirm.");
      const at = now();
      await limiter.count({ limit: "validations by user", key: [userId], now: at });
      const key = [toLoginName(email)];
      const isMailed = await limiter.tryCount({ limit: "validations to address", key, now: at });
      return answerWrite({ db, now, req, reply }, async (ctx) => {
        if (isMailed) await postValidation(ctx, app, { userId, email, language });
        return { success: true as const };
      });
    },
  );
}
