import { toInstants } from "@avow/contract/instants";
import { hrefOf, paths } from "@avow/contract/urls";
import type { Http } from "../../../http/http.ts";
import { negotiateLanguage } from "../../../http/files/negotiation.ts";
import { answerWrite } from "../../../http/write.ts";
import { mailLanguages } from "../../../platform/mail/languages.ts";
import { toTokenOut } from "../sessions/views.ts";
import { BODY_BYTES_MAX } from "../users/schema.ts";
import { createKey } from "./keys.ts";
import type { KeysApp } from "./ports.ts";
import { KeyIn, KeyOut } from "./schema.ts";

/** API keys of the signed-in user; sessions list and revoke them. */
export function registerKeyRoutes(http: Http, app: KeysApp): void {
  const { db, now, publicUrl } = app;
  const headers = ({ id }: KeyOut) => ({
    "cache-control": "no-store",
    location: hrefOf(publicUrl, paths.accessToken, { id }),
  });
  http.post(
    paths.accessTokens,
    {
      bodyLimit: BODY_BYTES_MAX,
      schema: {
        tags: ["auth"],
        summary: "Create an API key for programs; its secret is returned once",
        operationId: "createApiKey",
        description:
          "The key has at most its user's rights, limited to its scopes and, with `projectId`, to one project.",
        body: KeyIn,
        response: { 201: KeyOut },
      },
    },
    (req, reply) => {
      const { expiresAt, projectId, ...given } = req.body;
      const asked = {
        ...given,
        projectId,
        expiresAt: expiresAt === undefined ? undefined : toInstants(expiresAt).last,
        language: negotiateLanguage(req, mailLanguages),
      };
      return answerWrite(
        { db, now, req, reply, status: 201, headers, isSecret: true },
        async (ctx) => {
          const { key, token } = await createKey(ctx, app, asked);
          return { ...toTokenOut(key, { publicUrl, currentId: "" }), token };
        },
      );
    },
  );
}
