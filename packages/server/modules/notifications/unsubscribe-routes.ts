import formbody from "@fastify/formbody";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { paths } from "@avow/contract/urls";
import type { Http } from "../../http/http.ts";
import { negotiateLanguage } from "../../http/files/negotiation.ts";
import { Fault } from "../../platform/errors.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { type MailLanguage, mailLanguages } from "../../platform/mail/languages.ts";
import { pageHeaders, toAccountPage } from "../../platform/text/account-page.ts";
import { markup } from "../../platform/text/markup.ts";
import type { NotificationsApp } from "./choices/ports.ts";
import { openUnsubscription, unsubscribe } from "./choices/unsubscribe.ts";

const BODY_BYTES_MAX = 1_024;
const TokenIn = Type.Object({ token: Type.String({ maxLength: 512 }) });

type Page = Record<"title" | "lead", string>;

const texts: Record<MailLanguage, Record<"ask" | "done" | "invalid", Page> & { button: string }> = {
  en: {
    ask: {
      title: "Stop these e-mails?",
      lead: "You stay a member of your projects, and see notifications in the app.",
    },
    button: "Stop these e-mails",
    done: {
      title: "These e-mails have ended",
      lead: "You can ask for them again in your account.",
    },
    invalid: { title: "This link does not work", lead: "Change your e-mails in your account." },
  },
  fr: {
    ask: {
      title: "Ne plus recevoir ces e-mails ?",
      lead: "Vous restez membre de vos projets, et voyez les notifications dans l’application.",
    },
    button: "Ne plus les recevoir",
    done: {
      title: "Vous ne recevrez plus ces e-mails",
      lead: "Vous pouvez les demander à nouveau dans votre compte.",
    },
    invalid: {
      title: "Ce lien ne fonctionne pas",
      lead: "Modifiez vos e-mails dans votre compte.",
    },
  },
};

/**
 * Registers the page that ends mails: by a button, since mail programs open links on their own, or by the one POST of a
 * mail program (RFC 8058), which has no session and whose body says nothing.
 */
export function registerUnsubscribePage(
  http: Http,
  app: Pick<NotificationsApp, "db" | "now" | "sealer">,
): void {
  void http.register(async (scope: Http) => {
    await scope.register(formbody, { bodyLimit: BODY_BYTES_MAX });
    const multipart = { parseAs: "string", bodyLimit: BODY_BYTES_MAX } as const;
    scope.addContentTypeParser("multipart/form-data", multipart, (_req, _body, done) => done(null));
    const schema = { hide: true, querystring: TokenIn } as const;
    scope.addHook("preHandler", async (_req, reply) => {
      void reply.headers(pageHeaders).type("text/html; charset=utf-8");
    });
    scope.get(paths.unsubscribePage, { schema }, (req, reply) =>
      answerPage(req, reply, async () => {
        openUnsubscription(app, req.query.token);
        return "ask";
      }),
    );
    scope.post(paths.unsubscribePage, { schema }, (req, reply) =>
      answerPage(req, reply, async () => {
        await inTransaction(app.db, (tx) =>
          unsubscribe({ tx, now: app.now(), requestId: req.id }, app, req.query.token),
        );
        return "done";
      }),
    );
  });
}

/** The page of a result; that of an invalid link is 404. */
async function answerPage(
  req: FastifyRequest,
  reply: FastifyReply,
  run: () => Promise<"ask" | "done">,
): Promise<string> {
  const language = negotiateLanguage(req, mailLanguages);
  const words = texts[language];
  try {
    const { title, lead } = words[await run()];
    const isAsking = title === words.ask.title;
    const form = markup`<form method="post"><button>${words.button}</button></form>`;
    const body = markup`<p>${lead}</p>${isAsking ? form : undefined}`;
    return toAccountPage({ language, title, body });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    void reply.code(404);
    const { title, lead } = words.invalid;
    return toAccountPage({ language, title, body: markup`<p>${lead}</p>` });
  }
}
