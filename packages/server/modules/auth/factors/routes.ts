import { Type } from "typebox";
import type { Http } from "../../../http/http.ts";
import { negotiateLanguage } from "../../../http/files/negotiation.ts";
import { answerWrite } from "../../../http/write.ts";
import { mailLanguages } from "../../../platform/mail/languages.ts";
import { paths } from "@avow/contract/urls";
import { BODY_BYTES_MAX } from "../users/schema.ts";
import type { FactorsApp } from "./ports.ts";
import { FactorBegunOut, FactorConfirmIn, RecoveryCodesOut } from "./schema.ts";
import { beginFactor, confirmFactor, removeFactor, renewRecoveryCodes } from "./factors.ts";

const tags = ["auth"];
const headers = () => ({ "cache-control": "no-store" });
const recent = "Requires a session started or confirmed in the last 15 minutes.";

/** The second factor of the signed-in user. */
export function registerFactorRoutes(http: Http, app: FactorsApp): void {
  const { db, now } = app;
  http.post(
    paths.factor,
    {
      bodyLimit: BODY_BYTES_MAX,
      schema: {
        tags,
        summary: "Start a second factor: get the secret for an authenticator app",
        description: `${recent} No code is required until one confirms the factor, within an hour.`,
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
        summary: "Enable the pending second factor with one of its codes",
        description: `${recent} Other sessions stay valid; DELETE /v1/auth/tokens?kind=session&except=current revokes them.`,
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
  http.post(
    paths.recoveryCodes,
    {
      bodyLimit: BODY_BYTES_MAX,
      schema: {
        tags,
        summary: "Create ten recovery codes, which replace the previous ones",
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
