import formbody from "@fastify/formbody";
import type { FastifyReply, FastifyRequest } from "fastify";
import { hrefOf, paths } from "@avow/contract/urls";
import { toFaultKind } from "../../../http/errors/fault-kind.ts";
import { problems } from "../../../http/errors/problems.ts";
import { negotiateLanguage } from "../../../http/files/negotiation.ts";
import type { Http } from "../../../http/http.ts";
import { toCtx } from "../../../kernel/ctx.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { Fault, type FaultKind } from "../../../platform/errors.ts";
import { toShortNetwork } from "../../../platform/networks.ts";
import { markup } from "../../../platform/text/markup.ts";
import { languages } from "../../evidence/log/schema.ts";
import { linkReviewer } from "../authors.ts";
import { type LinkRow, findValidLink, markUsed } from "../links/links.ts";
import type { ReviewsApp } from "../ports.ts";
import { reviewWords } from "../words/words.ts";
import { type Act, act, toAct } from "./acts.ts";
import { toConfirmPage } from "./decision.ts";
import { pageHeaders, toNote } from "./frame.ts";
import { toReviewPage } from "./page.ts";
import { readDraft } from "./read.ts";
import { ActIn, PageQueryIn, TokenParams } from "./schema.ts";

const BODY_BYTES_MAX = 65_536;
/** Limits per minute: of one link, and for misses, of one network. A read builds the draft. */
const READS_MAX = 30;
const ACTS_MAX = 10;
const MISSES_MAX = 30;

interface Limits {
  mayRead: (link: LinkRow) => boolean;
  mayAct: (link: LinkRow) => boolean;
  mayMiss: (req: FastifyRequest) => boolean;
}

type PageApp = ReviewsApp & Limits;

/** Registers the review page. A person who has its address can read the draft, and act as the recipient of the link. */
export function registerReviewPage(http: Http, given: ReviewsApp): void {
  const app: PageApp = { ...given, ...openLimits(given) };
  void http.register(async (scope: Http) => {
    scope.removeAllContentTypeParsers();
    await scope.register(formbody, { bodyLimit: BODY_BYTES_MAX });
    scope.addHook("onRequest", async (_req, reply) => {
      void reply.headers(pageHeaders).header("vary", "Accept-Language");
    });
    scope.setErrorHandler((error, req, reply) => answerFault(error, req, reply));
    registerReading(scope, app);
    registerActing(scope, app);
  });
}

function openLimits({ openRate }: Pick<ReviewsApp, "openRate">): Limits {
  const reads = openRate("review reads", READS_MAX);
  const acts = openRate("review acts", ACTS_MAX);
  const misses = openRate("review misses", MISSES_MAX);
  return {
    mayRead: ({ id }) => reads.take(id),
    mayAct: ({ id }) => acts.take(id),
    mayMiss: ({ ip }) => misses.take(toShortNetwork(ip) ?? ""),
  };
}

const tooMany = () =>
  new Fault("too-many", "Too many requests. Retry in a minute.", { retryAfterSeconds: 60 });

type TokenRequest = FastifyRequest & { params: { token: string } };

/** Unknown, expired and revoked links are all not found. */
async function openLink(app: PageApp, req: TokenRequest): Promise<LinkRow> {
  const now = app.now();
  const link = await findValidLink(app.db, { token: req.params.token, now });
  if (!link)
    throw app.mayMiss(req) ? new Fault("not-found", "The page does not exist.") : tooMany();
  if (!app.mayRead(link)) throw tooMany();
  await markUsed(app.db, link, now);
  return link;
}

const languageOf = (req: FastifyRequest) => negotiateLanguage(req, languages);
const html = (reply: FastifyReply, page: string): FastifyReply =>
  reply.type("text/html; charset=utf-8").send(page);

/** The path of the page, below the path of the service. */
function selfOf({ publicUrl }: Pick<ReviewsApp, "publicUrl">, { params }: TokenRequest): string {
  return hrefOf(baseOf(publicUrl), paths.reviewPage, { token: params.token });
}

const baseOf = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/$/, "");

function registerReading(http: Http, app: PageApp): void {
  http.get(
    paths.reviewPage,
    {
      schema: { hide: true, params: TokenParams, querystring: PageQueryIn },
      config: { log: "failures" },
      exposeHeadRoute: false,
    },
    async (req, reply) => {
      const link = await openLink(app, req);
      const { done, about: configurationId, at: pointer = "" } = req.query;
      const page = toReviewPage(await readDraft(app, link), {
        language: languageOf(req),
        link,
        self: selfOf(app, req),
        previewHref: baseOf(app.publicUrl) + paths.preview,
        done,
        about: configurationId === undefined ? undefined : { configurationId, pointer },
      });
      return html(reply, page);
    },
  );
}

function registerActing(http: Http, app: PageApp): void {
  http.post(
    paths.reviewPage,
    {
      bodyLimit: BODY_BYTES_MAX,
      schema: { hide: true, params: TokenParams, body: ActIn },
      config: { log: "failures" },
    },
    async (req, reply) => {
      const link = await openLink(app, req);
      if (!app.mayAct(link)) throw tooMany();
      const self = selfOf(app, req);
      const chosen: Act = toAct(link, req.body);
      if (chosen.kind === "decide" && !chosen.isConfirmed)
        return html(reply, toConfirmPage(languageOf(req), chosen, self));
      const about = chosen.kind === "comment" ? chosen.about : undefined;
      const draft = about && (await readDraft(app, link));
      const { id: requestId, ip } = req;
      const cause = { actor: linkReviewer, now: app.now(), requestId, network: toShortNetwork(ip) };
      const acting = inTransaction(app.db, (tx) =>
        act(toCtx({ tx, ...cause }), { link, draft }, chosen),
      );
      const done = await acting.catch((error: unknown) => {
        if (chosen.kind === "decide" || !isLost(error)) throw error;
        return error;
      });
      if (done instanceof Fault) {
        const { status } = problems[done.kind];
        return answerNote(req, reply, { note: "lost", status });
      }
      // Redirects to a GET, so that reloading or going back does not send the form again.
      const href = `${self}?${new URLSearchParams({ done }).toString()}#done`;
      return reply.code(303).header("location", href).send();
    },
  );
}

const notes: Partial<Record<FaultKind, Note>> = {
  "not-found": "gone",
  forbidden: "invalid",
  conflict: "changed",
  impossible: "broken",
  "too-many": "busy",
  busy: "busy",
  invalid: "invalid",
  "too-large": "invalid",
  "unsupported-type": "invalid",
};

/** Whether a comment could not be added, resolved or withdrawn, although the link itself is valid. */
function isLost(error: unknown): error is Fault {
  return error instanceof Fault && ["not-found", "forbidden", "conflict"].includes(error.kind);
}

/** Sends a page for errors that a person can act on or wait for; rethrows all others. */
function answerFault(error: unknown, req: FastifyRequest, reply: FastifyReply): FastifyReply {
  const kind = toFaultKind(error);
  const note = kind && notes[kind];
  if (!kind || !note) throw error;
  if (note === "busy") void reply.header("retry-after", 60);
  return answerNote(req, reply, { note, status: problems[kind].status });
}

type Note = "gone" | "busy" | "invalid" | "changed" | "broken" | "lost";

function answerNote(
  req: FastifyRequest,
  reply: FastifyReply,
  { note, status }: { note: Note; status: number },
): FastifyReply {
  void reply.code(status);
  const language = languageOf(req);
  const words = reviewWords[language];
  const back =
    note === "gone" || note === "broken"
      ? undefined
      : markup`<p><a class="button" href="?">${words.back}</a></p>`;
  return html(reply, toNote(language, words[note], back));
}
