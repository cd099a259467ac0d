import { Type } from "typebox";
import type { Http } from "../../../http/http.ts";
import { negotiateLanguage } from "../../../http/negotiation.ts";
import { answerWrite } from "../../../http/write.ts";
import { mailLanguages } from "../../../platform/mail/languages.ts";
import { paths } from "@avow/contract/urls";
import type { AuthApp } from "../ports.ts";
import { getCaller } from "../users/caller.ts";
import { confirmSession, verifyShown } from "../passwords/confirmations.ts";
import {
  ConfirmIn,
  ConfirmedOut,
  FactorBegunOut,
  FactorConfirmIn,
  RecoveryCodesOut,
} from "./schema.ts";
import { beginFactor, confirmFactor, removeFactor, renewRecoveryCodes } from "./factors.ts";

const BODY_BYTES_MAX = 16 * 1024;
const tags = ["auth"];
const headers = () => ({ "cache-control": "no-store" });
const recent = "Takes a session that was begun or confirmed in the last 15 minutes.";

/** The second factor of the signed-in user, and showing again that it is they. */
export function registerFactorRoutes(http: Http, app: AuthApp): void {
  registerAdding(http, app);
  registerKeeping(http, app);
  registerConfirm(http, app);
}

function registerAdding(http: Http, app: AuthApp): void {
  const { db, now } = app;
  http.post(
    paths.factor,
    {
      bodyLimit: BODY_BYTES_MAX,
      schema: {
        tags,
        summary: "Begin a second factor: the secret for an authenticator app",
        description: `${recent} Nothing is asked for until a code confirms it, within an hour.`,
        operationId: "beginFactor",
        response: { 201: FactorBegunOut },
      },
    },
    (req, reply) =>
      answerWrite({ db, now, req, reply, status: 201, headers, isSecret: true }, (ctx) =>
        beginFactor(ctx, app),
      ),
  );
  http.post(
    paths.factorConfirm,
    {
      bodyLimit: BODY_BYTES_MAX,
      schema: {
        tags,
        summary: "Turn the second factor on that was begun, by a code of it",
        description: `${recent} Sessions go on; DELETE /v1/auth/tokens?kind=session&except=current ends the others.`,
        operationId: "confirmFactor",
        body: FactorConfirmIn,
        response: { 200: RecoveryCodesOut },
      },
    },
    (req, reply) =>
      answerWrite({ db, now, req, reply, headers, isSecret: true }, async (ctx) => {
        const language = negotiateLanguage(req, mailLanguages);
        const { code } = req.body;
        return { recoveryCodes: await confirmFactor(ctx, app, { code, language }) };
      }),
  );
}

function registerKeeping(http: Http, app: AuthApp): void {
  const { db, now } = app;
  http.post(
    paths.recoveryCodes,
    {
      bodyLimit: BODY_BYTES_MAX,
      schema: {
        tags,
        summary: "Make ten recovery codes in place of those before",
        description: recent,
        operationId: "renewRecoveryCodes",
        response: { 200: RecoveryCodesOut },
      },
    },
    (req, reply) =>
      answerWrite({ db, now, req, reply, headers, isSecret: true }, async (ctx) => {
        const language = negotiateLanguage(req, mailLanguages);
        return { recoveryCodes: await renewRecoveryCodes(ctx, app, { language }) };
      }),
  );
  http.delete(
    paths.factor,
    {
      schema: {
        tags,
        summary: "Remove the second factor, with its recovery codes",
        description: recent,
        operationId: "deleteFactor",
        response: { 204: Type.Null() },
      },
    },
    (req, reply) =>
      answerWrite({ db, now, req, reply, status: 204 }, async (ctx) => {
        await removeFactor(ctx, app, { language: negotiateLanguage(req, mailLanguages) });
        return null;
      }),
  );
}

function registerConfirm(http: Http, app: AuthApp): void {
  const { db, now } = app;
  http.post(
    paths.confirm,
    {
      bodyLimit: BODY_BYTES_MAX,
      schema: {
        tags,
        summary: "Show again that it is you, for what takes a recent sign-in",
        description:
          "Who has a second factor sends a code; who has none, the password; who has neither signs in again.",
        operationId: "confirmSession",
        body: ConfirmIn,
        response: { 200: ConfirmedOut },
      },
    },
    async (req, reply) => {
      const { userId } = getCaller(req.actor);
      const { password, code } = req.body;
      const shown = await verifyShown(app, { userId, password, code, ip: req.ip ?? "" });
      const language = negotiateLanguage(req, mailLanguages);
      return answerWrite({ db, now, req, reply, headers }, async (ctx) => {
        const until = await confirmSession(ctx, app, { shown, language });
        return { confirmedUntil: until.toISOString() };
      });
    },
  );
}
