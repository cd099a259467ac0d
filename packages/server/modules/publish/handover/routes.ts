import { Type } from "typebox";
import { paths } from "@avow/contract/urls";
import { negotiateLanguage } from "../../../http/files/negotiation.ts";
import type { Http } from "../../../http/http.ts";
import { answerWrite } from "../../../http/write.ts";
import type { Db } from "../../../platform/db/db.ts";
import { addressLengthMax } from "../../../platform/mail/mail.ts";
import { mailLanguages } from "../../../platform/mail/languages.ts";
import { ProjectParams } from "../publications/schema.ts";
import { type HandoverApp, mailSnippet } from "./mail-snippet.ts";

/** Registers the route that mails the snippet to a developer. */
export function registerHandoverRoutes(
  http: Http,
  app: HandoverApp & { db: Db; now: () => Date },
): void {
  http.post(
    paths.snippetMails,
    {
      schema: {
        tags: ["publish"],
        summary: "Mail the snippet of a live project to a developer",
        description:
          "In the language of `Accept-Language`. The text is fixed: it names the sender, the project and its website. Limited to 20 mails a day for each account, and to 5 a day for each address.",
        operationId: "mailSnippet",
        params: ProjectParams,
        body: Type.Object({ email: Type.String({ minLength: 3, maxLength: addressLengthMax }) }),
        response: { 202: Type.Object({ queued: Type.Literal(true) }) },
      },
    },
    (req, reply) => {
      const { email } = req.body;
      const language = negotiateLanguage(req, mailLanguages);
      const { projectId } = req.params;
      return answerWrite({ db: app.db, now: app.now, req, reply, status: 202 }, async (ctx) => {
        await mailSnippet(ctx, app, { projectId, email, language });
        return { queued: true as const };
      });
    },
  );
}
