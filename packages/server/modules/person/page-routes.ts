import formbody from "@fastify/formbody";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { hrefOf, paths } from "@avow/contract/urls";
import { toScope } from "../../kernel/actor.ts";
import { toCtx } from "../../kernel/ctx.ts";
import { writeData } from "../../kernel/events/outbox.ts";
import { Fault, type FaultKind, Pending } from "../../platform/errors.ts";
import type { Http } from "../../http/http.ts";
import { listAcceptedLanguages, negotiateLanguage } from "../../http/files/negotiation.ts";
import { toFaultKind } from "../../http/errors/fault-kind.ts";
import { problems } from "../../http/errors/problems.ts";
import { within } from "../../platform/db/buckets/buckets.ts";
import { toShortNetwork } from "../../platform/networks.ts";
import { isFirstRequestWithin, requestErasure } from "../consents/erase/requests.ts";
import { type Link, endLinks, findLink } from "../consents/links/links.ts";
import { toSender } from "../consents/collect/sender.ts";
import { getProofBundle } from "../evidence/proofs/bundle.ts";
import { contentTypes, renderProof } from "../evidence/reports/formats.ts";
import { toPdfShare } from "../evidence/reports/pdf/maker.ts";
import { languages } from "../evidence/log/schema.ts";
import { answerOnPage, undoOnPage } from "./answers/answers.ts";
import type { PersonApp, PersonRoutesApp } from "./answers/ports.ts";
import { toCheckPage } from "./page/check.ts";
import { type Contents, openContents } from "./answers/contents.ts";
import { findBrand } from "../vault/brands/brands.ts";
import { toNote, toPageHeaders } from "./page/frame.ts";
import { toEndPage, toErasePage } from "./page/confirming.ts";
import { toPersonPage } from "./page/page.ts";
import { readData } from "./answers/data.ts";
import { readPerson } from "./answers/person.ts";
import { mailRequest } from "./requests/notify.ts";
import type { OpenRate } from "../../platform/queues/rate.ts";
import { AnswerIn, PageQueryIn } from "./answers/schema.ts";
import { personWords } from "./words/words.ts";

const BODY_BYTES_MAX = 4_096;
/** The owners of a project are mailed about requests for erasure once in this time. */
const REQUEST_MAIL_MS = 3_600_000;
/** Limits per minute: of one link, and for misses, of one network. */
const READS_MAX = 120;
const ANSWERS_MAX = 30;
const MISSES_MAX = 60;

const id = Type.String({ maxLength: 64 });
const secret = Type.String({ maxLength: 128 });
const LinkParams = Type.Object({ projectId: id, link: secret });
const CheckParams = Type.Object({ projectId: id, link: secret, consentId: id });
const ReceiptParams = Type.Interface([CheckParams], { format: Type.Enum(["pdf", "json"]) });
const hidden = { hide: true } as const;

type PageApp = PersonRoutesApp & { contents: Contents } & Limits;

/** The link of a request, with the dependencies of reads and writes for its project. */
interface OpenLink {
  link: Link;
  own: PersonApp & { contents: Contents };
}

/** Registers the person's own page. Anyone who has its address can read it, answer on it and deactivate it. */
export function registerPersonPage(http: Http, given: PersonRoutesApp): void {
  const app: PageApp = {
    ...given,
    contents: openContents(given.db),
    ...openLimits(given.openRate),
  };
  void http.register(async (scope: Http) => {
    scope.removeAllContentTypeParsers();
    await scope.register(formbody, { bodyLimit: BODY_BYTES_MAX });
    scope.addHook("onRequest", async (_req, reply) => {
      void reply.headers(toPageHeaders());
    });
    scope.setErrorHandler((error, req, reply) => answerFault(error, req, reply));
    registerReading(scope, app);
    registerAnswering(scope, app);
    registerReceipts(scope, app);
  });
}

interface Limits {
  mayRead: (link: Link) => boolean;
  mayAnswer: (link: Link) => boolean;
  mayMiss: (req: FastifyRequest) => boolean;
}

function openLimits(openRate: OpenRate): Limits {
  const reads = openRate("page reads", READS_MAX);
  const answers = openRate("page answers", ANSWERS_MAX);
  const misses = openRate("page misses", MISSES_MAX);
  return {
    mayRead: ({ id: link }) => reads.take(link),
    mayAnswer: ({ id: link }) => answers.take(link),
    mayMiss: ({ ip }) => misses.take(toShortNetwork(ip) ?? ""),
  };
}

const none = () => new Fault("not-found", "The page does not exist.");
const tooMany = () =>
  new Fault("too-many", "Too many requests. Retry in a minute.", { retryAfterSeconds: 60 });

/** Invalid, expired and revoked links are all not found. */
async function openLink(
  app: PageApp,
  req: FastifyRequest & { params: { projectId: string; link: string } },
): Promise<OpenLink> {
  const { projectId, link: given } = req.params;
  const own = await within(app, projectId);
  const link = await findLink(own, { projectId, secret: given, now: app.now() });
  if (!link) throw app.mayMiss(req) ? none() : tooMany();
  if (!app.mayRead(link)) throw tooMany();
  return { link, own };
}

const languageOf = (req: FastifyRequest) => negotiateLanguage(req, languages);
const html = (reply: FastifyReply, page: string): FastifyReply =>
  reply.type("text/html; charset=utf-8").send(page);

function registerReading(http: Http, app: PageApp): void {
  http.get(
    paths.personPage,
    {
      schema: { ...hidden, params: LinkParams, querystring: PageQueryIn },
      config: { log: "failures" },
    },
    async (req, reply) => {
      const { link, own } = await openLink(app, req);
      const brand = await findBrand(own.db, link.projectId);
      const { saved, end, erase } = req.query;
      const language = languageOf(req);
      void reply.headers({ ...toPageHeaders(brand), vary: "Accept-Language" });
      if (end !== undefined) return html(reply, toEndPage(language, end === "all", brand));
      if (erase !== undefined) return html(reply, toErasePage(language, brand));
      const like = (offered: string[]) => listAcceptedLanguages(req, offered);
      const person = await readPerson(own, link, { saved, like });
      const region = app.regions.findRegion(req);
      const shown = { link, secret: req.params.link, language, region, brand };
      return html(reply, toPersonPage(person, shown));
    },
  );
}

function registerAnswering(http: Http, app: PageApp): void {
  http.post(
    paths.personPage,
    {
      bodyLimit: BODY_BYTES_MAX,
      schema: { ...hidden, params: LinkParams, body: AnswerIn },
      config: { log: "failures" },
    },
    async (req, reply) => {
      const { link, own } = await openLink(app, req);
      if (!app.mayAnswer(link)) throw tooMany();
      const { do: action } = req.body;
      // Redirects to a GET, so that reloading or going back does not send the form again.
      const redirect = (query: { saved?: string }, fragment: string) => {
        const page = hrefOf("", paths.personPage, { ...req.params }, query);
        return reply.code(303).header("location", `${page}#${fragment}`).send();
      };
      if (action === "end") {
        if (await endOnPage(own, link, req)) return redirect({}, "addresses");
        const language = languageOf(req);
        const brand = await findBrand(own.db, link.projectId);
        void reply.headers(toPageHeaders(brand));
        return html(reply, toNote(language, personWords[language].ended, brand));
      }
      if (action === "request-erasure") {
        await requestOnPage(own, link, req);
        return redirect({}, "erasure");
      }
      return redirect({ saved: await answer(own, link, req) }, "saved");
    },
  );
}

/** Deactivates the link of a form, by default the page's own. Returns whether the page still has its link. */
async function endOnPage(
  own: OpenLink["own"],
  link: Link,
  req: FastifyRequest & { body: AnswerIn },
): Promise<boolean> {
  const { actor, id: requestId, body } = req;
  const { link: ended = link.id } = body;
  await writeData(own, (tx) =>
    endLinks(
      toCtx({ tx, actor, now: own.now(), requestId }),
      link,
      ended === "all" ? undefined : ended,
    ),
  );
  return ended !== "all" && ended !== link.id;
}

/** Stores a request for erasure, and mails the owners. Without their mail, the request is in the project's list. */
async function requestOnPage(own: OpenLink["own"], link: Link, req: FastifyRequest): Promise<void> {
  const { actor, id: requestId } = req;
  const request = await writeData(own, (tx) =>
    requestErasure(toCtx({ tx, actor, now: own.now(), requestId }), link),
  );
  // Anybody can create tokens and their requests: the others are in the list that the mail leads to.
  if (!request || !(await isFirstRequestWithin(own.data, request, REQUEST_MAIL_MS))) return;
  await mailRequest(own, request).catch((err: unknown) => {
    req.log.error({ err, projectId: link.projectId }, "mail about an erasure request not queued");
  });
}

/** Records the answer of a form, and returns the record's id. */
function answer(
  app: OpenLink["own"],
  link: Link,
  req: FastifyRequest & { body: AnswerIn },
): Promise<string> {
  const { headers, body } = req;
  const sender = toSender(headers, false, app.regions.findRegion(req));
  const { do: action, identifier, vendor, consent: consentId } = body;
  if (action === "undo" && consentId !== undefined)
    return undoOnPage(app, link, { sender, consentId });
  if (action === "undo" || identifier === undefined)
    throw new Fault("invalid", "The form contains no answer.");
  const vendors = vendor === undefined ? undefined : [vendor];
  return answerOnPage(app, link, { sender, identifier, vendors, accept: action === "accept" });
}

/** The proof bundle of a record of the link's token, and the dependencies that read it. */
async function openBundle(
  app: PageApp,
  req: FastifyRequest & { params: { projectId: string; link: string; consentId: string } },
) {
  const { link, own } = await openLink(app, req);
  const caller = { scope: toScope(req.actor), token: link.token };
  const bundle = await getProofBundle(own, req.params.consentId, caller);
  // Another project may have the same token.
  if (bundle.consent.record.projectId !== link.projectId) throw none();
  return { bundle, own };
}

function registerReceipts(http: Http, app: PageApp): void {
  http.get(
    paths.personData,
    {
      schema: { ...hidden, params: LinkParams },
      config: { log: "failures" },
      exposeHeadRoute: false,
    },
    async (req, reply) => {
      const { link, own } = await openLink(app, req);
      const data = await readData(own, link);
      void reply.header("content-disposition", 'attachment; filename="my-data.json"');
      return reply.type("application/json").send(JSON.stringify(data, undefined, 2));
    },
  );
  http.get(
    paths.personCheck,
    { schema: { ...hidden, params: CheckParams }, config: { log: "failures" } },
    async (req, reply) => {
      const { projectId, link, consentId } = req.params;
      const json = hrefOf("", paths.personReceipt, { projectId, link, consentId, format: "json" });
      const page = hrefOf("", paths.personPage, { projectId, link });
      void reply.header("vary", "Accept-Language");
      const language = languageOf(req);
      const { bundle } = await openBundle(app, req);
      const brand = await findBrand(app.db, projectId);
      void reply.headers(toPageHeaders(brand));
      return html(reply, await toCheckPage(bundle, { language, json, page, brand }));
    },
  );
  http.get(
    paths.personReceipt,
    {
      schema: { ...hidden, params: ReceiptParams },
      config: { log: "failures" },
      exposeHeadRoute: false,
    },
    async (req, reply) => {
      const { consentId, format, projectId } = req.params;
      const { bundle, own } = await openBundle(app, req);
      const share = toPdfShare(req.actor, projectId);
      const bytes = await renderProof(own, bundle, { format, language: languageOf(req), share });
      const name = `receipt-${consentId.toLowerCase()}.${format}`;
      void reply.header("content-disposition", `attachment; filename="${name}"`);
      return reply.type(contentTypes[format]).send(bytes);
    },
  );
}

const notes: Partial<Record<FaultKind, "gone" | "busy" | "invalid">> = {
  "not-found": "gone",
  "too-many": "busy",
  busy: "busy",
  invalid: "invalid",
  "too-large": "invalid",
  "unsupported-type": "invalid",
};

/** Sends a page for errors that a person can act on or wait for; rethrows all others. */
function answerFault(error: unknown, req: FastifyRequest, reply: FastifyReply): FastifyReply {
  const language = languageOf(req);
  // The page may have had the headers of a brand, whose style the note does not have.
  void reply.headers(toPageHeaders());
  if (error instanceof Pending) {
    const seconds = error.retryAfterSeconds;
    void reply.code(202).headers({ "retry-after": seconds, refresh: seconds });
    return html(reply, toNote(language, personWords[language].waiting));
  }
  const kind = toFaultKind(error);
  const note = kind && notes[kind];
  if (!kind || !note) throw error;
  if (note === "busy") void reply.header("retry-after", 60);
  void reply.code(problems[kind].status);
  return html(reply, toNote(language, personWords[language][note]));
}
