import { Type } from "typebox";
import type { Http } from "../../../http/http.ts";
import { negotiateLanguage } from "../../../http/files/negotiation.ts";
import { answerWrite } from "../../../http/write.ts";
import { mailLanguages } from "../../../platform/mail/languages.ts";
import { paths } from "@avow/contract/urls";
import type { AccountsApp } from "./ports.ts";
import { removeUserFactor } from "../factors/factors.ts";
import { TokensDeleteIn } from "../sessions/schema.ts";
import { disableUser, enableUser } from "./disable.ts";
import { endUserTokens } from "../sessions/sessions.ts";

const UserParams = Type.Object({ userId: Type.String({ maxLength: 64 }) });
const tags = ["auth"];

/** For the operator: revokes the tokens of a user, removes a lost second factor, disables and enables an account. */
export function registerOperatorRoutes(http: Http, app: AccountsApp): void {
  const { db, now } = app;
  http.delete(
    paths.userTokens,
    {
      schema: {
        tags,
        summary: "Revoke all of a user's sessions, API keys or both",
        description: "For the operator, for a user who left or whose account is compromised.",
        operationId: "deleteTokensOfUser",
        params: UserParams,
        querystring: Type.Pick(TokensDeleteIn, ["kind"]),
        response: { 204: Type.Null() },
      },
    },
    (req, reply) =>
      answerWrite({ db, now, req, reply, status: 204 }, async (ctx) => {
        await endUserTokens(ctx, { userId: req.params.userId, kind: req.query.kind });
        return null;
      }),
  );
  http.delete(
    paths.userFactor,
    {
      schema: {
        tags,
        summary: "Remove a user's second factor, with its recovery codes",
        description:
          "For the operator, for a user who has lost both and is otherwise locked out. Verify their identity first. The user is notified by mail.",
        operationId: "deleteFactorOfUser",
        params: UserParams,
        response: { 204: Type.Null() },
      },
    },
    (req, reply) =>
      answerWrite({ db, now, req, reply, status: 204 }, async (ctx) => {
        const language = negotiateLanguage(req, mailLanguages);
        await removeUserFactor(ctx, app, { userId: req.params.userId, language });
        return null;
      }),
  );
  http.put(
    paths.userDisabled,
    {
      schema: {
        tags,
        summary:
          "Disable a user: revoke all of their sessions and API keys, and reject their sign-ins",
        description:
          "For the operator. The user's roles are kept for when the account is enabled again.",
        operationId: "disableUser",
        params: UserParams,
        response: { 204: Type.Null() },
      },
    },
    (req, reply) =>
      answerWrite({ db, now, req, reply, status: 204 }, async (ctx) => {
        await disableUser(ctx, req.params.userId);
        return null;
      }),
  );
  http.delete(
    paths.userDisabled,
    {
      schema: {
        tags,
        summary: "Enable a user again",
        description: "For the operator.",
        operationId: "enableUser",
        params: UserParams,
        response: { 204: Type.Null() },
      },
    },
    (req, reply) =>
      answerWrite({ db, now, req, reply, status: 204 }, async (ctx) => {
        await enableUser(ctx, req.params.userId);
        return null;
      }),
  );
}
