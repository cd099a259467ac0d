import { Type } from "typebox";
import type { Http } from "../../../http/http.ts";
import { negotiateLanguage } from "../../../http/negotiation.ts";
import { answerWrite } from "../../../http/write.ts";
import { mailLanguages } from "../../../platform/mail/languages.ts";
import { paths } from "@avow/contract/urls";
import type { AuthApp } from "../ports.ts";
import { getCaller } from "../users/caller.ts";
import { verifyShown } from "../passwords/confirmations.ts";
import { Code } from "../factors/schema.ts";
import { deleteAccount } from "./delete-account.ts";
import { Login, Password } from "../users/schema.ts";

const BODY_BYTES_MAX = 16 * 1024;

const DeletionIn = Type.Object({
  confirm: Login("Your username, so that nothing is deleted by mistake."),
  password: Type.Optional({
    ...Password,
    description:
      "Your password, where you have no second factor; it may be left out in a session that was begun or confirmed in the last 15 minutes.",
  }),
  code: Type.Optional({
    ...Code,
    description:
      "The same of a second factor: a code of its authenticator app, or a recovery code.",
  }),
});

/** Deleting one's own account. */
export function registerLeavingRoutes(http: Http, app: AuthApp): void {
  const { db, now } = app;
  http.post(
    paths.deleteMe,
    {
      bodyLimit: BODY_BYTES_MAX,
      schema: {
        tags: ["auth"],
        summary: "Delete the signed-in user's account",
        description:
          "Names, ways of signing in, sessions, keys, roles, webhooks and invitations go (those to its address where it was confirmed); the audit trail keeps an id that names nobody. 409 names what would have no owner.",
        operationId: "deleteMe",
        body: DeletionIn,
        response: { 204: Type.Null() },
      },
    },
    async (req, reply) => {
      const { confirm, password, code } = req.body;
      const { userId } = getCaller(req.actor);
      const shown = await verifyShown(app, { userId, password, code, ip: req.ip ?? "" });
      const language = negotiateLanguage(req, mailLanguages);
      return answerWrite({ db, now, req, reply, status: 204 }, async (ctx) => {
        await deleteAccount(ctx, app, { confirm, shown, language });
        return null;
      });
    },
  );
}
