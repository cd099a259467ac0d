import { Type } from "typebox";
import type { Http } from "../../platform/http/http.ts";
import { answerWrite } from "../../platform/http/write.ts";
import { paths } from "../../paths.ts";
import type { AuthApp } from "./app.ts";
import { TokensDeleteIn } from "./schema.ts";
import { endTokensOf } from "./sessions.ts";

/** What the operator does about somebody's account: ends what is signed in to it. */
export function registerOperatorRoutes(http: Http, { db, now }: AuthApp): void {
  http.delete(
    paths.userTokens,
    {
      schema: {
        tags: ["auth"],
        summary: "Revoke all of a user's sessions, API keys or both",
        description: "For the operator: of somebody who left, or whose account is in other hands.",
        operationId: "deleteTokensOfUser",
        params: Type.Object({ userId: Type.String({ maxLength: 64 }) }),
        querystring: Type.Pick(TokensDeleteIn, ["kind"]),
        response: { 204: Type.Null() },
      },
    },
    (req, reply) =>
      answerWrite({ db, now, req, reply, status: 204 }, async (ctx) => {
        await endTokensOf(ctx, { userId: req.params.userId, kind: req.query.kind });
        return null;
      }),
  );
}
