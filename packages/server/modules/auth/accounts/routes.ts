import { paths } from "@avow/contract/urls";
import { Type } from "typebox";
import type { Http } from "../../../http/http.ts";
import { negotiateLanguage } from "../../../http/files/negotiation.ts";
import { answerWrite } from "../../../http/write.ts";
import { toScope } from "../../../kernel/actor.ts";
import { mailLanguages } from "../../../platform/mail/languages.ts";
import { verifyConfirmation } from "../passwords/confirmations.ts";
import { getCaller } from "../users/users.ts";
import { BODY_BYTES_MAX } from "../users/schema.ts";
import { deleteAccount } from "./delete-account.ts";
import { getMe, updateMe } from "./me.ts";
import type { AccountsApp } from "./ports.ts";
import { DeletionIn, MeOut, MePatchIn } from "./schema.ts";
import { toMeOut } from "./views.ts";

/** Reads and renames the signed-in user. */
export function registerMeRoutes(http: Http, { db, now, publicUrl }: AccountsApp): void {
  const tags = ["auth"];
  http.get(
    paths.me,
    {
      schema: {
        tags,
        summary: "Get the signed-in user",
        operationId: "getMe",
        description: "With its sign-in methods and second factor.",
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
        summary: "Change the names of the signed-in user",
        operationId: "updateMe",
        description: "Fields that are left out do not change.",
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

/** Deletes the account of the signed-in user. */
export function registerDeletionRoute(http: Http, app: AccountsApp): void {
  const { db, now } = app;
  http.post(
    paths.deleteMe,
    {
      bodyLimit: BODY_BYTES_MAX,
      schema: {
        tags: ["auth"],
        summary: "Delete the signed-in user's account",
        description:
          "Deletes names, sign-in methods, sessions, keys, roles, webhooks and invitations (also those to the address, if it was confirmed). The audit trail keeps an anonymous id. Answers 409 with the documents that would have no owner, and for the last operator.",
        operationId: "deleteMe",
        body: DeletionIn,
        response: { 204: Type.Null() },
      },
    },
    async (req, reply) => {
      const { confirm, password, code } = req.body;
      const { userId } = getCaller(req.actor);
      const confirmation = await verifyConfirmation(app, {
        userId,
        password,
        code,
        ip: req.ip ?? "",
      });
      const language = negotiateLanguage(req, mailLanguages);
      return answerWrite({ db, now, req, reply, status: 204 }, async (ctx) => {
        await deleteAccount(ctx, app, { confirm, confirmation, language });
        return null;
      });
    },
  );
}
