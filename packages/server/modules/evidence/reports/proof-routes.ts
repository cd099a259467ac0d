import type { FastifyReply } from "fastify";
import { Type } from "typebox";
import { hrefOf, paths } from "@avow/contract/urls";
import { toScope } from "../../../kernel/actor.ts";
import { CursorQueryIn } from "../../../http/lists/cursors.ts";
import type { Http } from "../../../http/http.ts";
import { PendingOut } from "../../../http/errors/pending.ts";
import { type Unplaced, planesOf, within } from "../../../platform/db/buckets/buckets.ts";
import { isDatabaseUnavailable } from "../../../platform/db/open.ts";
import { Fault } from "../../../platform/errors.ts";
import { negotiate } from "../../../http/files/negotiation.ts";
import type { Misses } from "../../../platform/queues/misses.ts";
import { Token } from "@avow/contract/consents";
import { type Caller, getConsistency, getProofBundle } from "../proofs/bundle.ts";
import { ProofsOut } from "./audit-package/select/schema.ts";
import {
  type ProofFormat,
  type FormatsApp,
  contentTypes,
  proofFormats,
  renderProof,
} from "./formats.ts";
import { toPdfShare } from "./pdf/maker.ts";
import { listProofs } from "../proofs/proofs.ts";
import type { EvidenceApp } from "../proofs/prover.ts";
import { ConsistencyIn, ConsistencyOut, ProofBundleOut, languages } from "../log/schema.ts";

const id = Type.String({ maxLength: 64 });
const ProofQueryIn = Type.Object({
  token: Type.Optional(
    Type.String({
      maxLength: 256,
      description: "The visitor's token, instead of an access token.",
    }),
  ),
  format: Type.Optional(
    Type.Enum([...proofFormats], {
      description: "For links in browsers. Takes precedence over `Accept`.",
    }),
  ),
  language: Type.Optional(
    Type.Enum([...languages], { description: "Language of the PDF. Default: the record's." }),
  ),
});

const byType = new Map<string, ProofFormat>(
  proofFormats.map((format) => [contentTypes[format], format]),
);

export type ProofsApp = Unplaced<EvidenceApp & FormatsApp> & { publicUrl: string; misses: Misses };

/** Registers the routes of proofs (specification, Evidence). */
export function registerProofRoutes(http: Http, app: ProofsApp): void {
  registerProof(http, app);
  registerProofList(http, app);
  registerConsistency(http, app);
}

const UNAVAILABLE =
  "A database server that may have this consent does not respond at the moment. Try again later.";

function registerProof(http: Http, app: ProofsApp): void {
  http.get(
    paths.proof,
    {
      schema: {
        tags: ["app"],
        operationId: "getProof",
        summary: "Get the proof of a consent",
        description:
          "Self-contained: it can be verified without this service. For the visitor with the token, or a user who may read the project's consents. A consent is in the log about a second after it was collected; until then this is 202 with `Retry-After`. The JSON is the format to verify; the PDF is for people, with the JSON attached; the JSON-LD has the fields of ISO/IEC TS 27560 in W3C DPV.",
        params: Type.Object({ consentId: id }),
        querystring: ProofQueryIn,
        response: { 200: ProofBundleOut, 202: PendingOut },
      },
      config: { cors: "any", streamed: Object.values(contentTypes).slice(1) },
      // The length of the other formats is unknown until they are made.
      exposeHeadRoute: false,
    },
    async (req, reply) => {
      const { token, language, format: requested } = req.query;
      const accepted = negotiate(req, reply, byType);
      const format = requested ?? accepted ?? "json";
      void reply.header("cache-control", "private, no-store");
      const caller = { scope: toScope(req.actor), token };
      const read = () => findProofBundle(app, req.params.consentId, caller);
      const bundle = token === undefined ? await read() : await app.misses.lookUp(req.ip, read);
      const share = toPdfShare(req.actor, bundle.consent.record.projectId);
      const own = await within(app, bundle.consent.record.projectId);
      const bytes = await renderProof(own, bundle, { format, language, share });
      const { consentId } = req.params;
      const toHref = (other: ProofFormat) =>
        hrefOf(app.publicUrl, paths.proof, { consentId }, { token, format: other });
      return sendProof(reply, bytes, { format, consentId: consentId.toLowerCase(), toHref });
    },
  );
}

/**
 * The proof of a consent, whose project the request does not name: looks in one bucket after another.
 * @throws Fault busy if no other bucket has it while one is unavailable
 */
async function findProofBundle(
  app: ProofsApp,
  consentId: string,
  caller: Caller,
): Promise<ProofBundleOut> {
  let none: Fault | undefined;
  let lost: Fault | undefined;
  for (const { data } of app.buckets.list())
    try {
      return await getProofBundle({ ...app, data }, consentId, caller);
    } catch (cause) {
      if (isDatabaseUnavailable(cause)) lost ??= new Fault("busy", UNAVAILABLE, { cause });
      else if (cause instanceof Fault && cause.kind === "not-found") none ??= cause;
      else throw cause;
    }
  throw lost ?? none ?? new Error("There is no bucket.");
}

function registerProofList(http: Http, app: ProofsApp): void {
  const { publicUrl } = app;
  http.get(
    paths.proofs,
    {
      schema: {
        tags: ["app"],
        operationId: "listProofs",
        summary: "List the proofs of a token",
        description:
          "Newest first. `dossier` is the address of the audit package with all of them.",
        querystring: Type.Interface([CursorQueryIn], { projectId: id, token: Token }),
        response: { 200: ProofsOut },
      },
    },
    async (req) => {
      const { projectId, token, limit, cursor } = req.query;
      const planes = await planesOf(app, projectId);
      const page = await listProofs(planes, toScope(req.actor), {
        projectId,
        token,
        limit,
        cursor,
      });
      const hrefAt = (here: string | undefined) =>
        hrefOf(publicUrl, paths.proofs, {}, { projectId, token, limit, cursor: here });
      return {
        items: page.items.map(({ consentId, createdAt, leaf }) => ({
          consentId,
          createdAt: createdAt.toISOString(),
          leaf,
          links:
            leaf === null
              ? {}
              : { proof: hrefOf(publicUrl, paths.proof, { consentId }, { token }) },
        })),
        // Not in `links`, so that crawlers of links do not request an archive for every token.
        dossier: hrefOf(publicUrl, paths.dossier, { projectId }, { token }),
        links: {
          self: hrefAt(cursor),
          ...(page.next === undefined ? {} : { next: hrefAt(page.next) }),
          token: hrefOf(publicUrl, paths.clientConsents, { id: projectId, token }),
          consistency: hrefOf(publicUrl, paths.consistency, { projectId }),
          checkpoint: publicUrl + paths.checkpoint,
          verifier: publicUrl + paths.verifier,
        },
      };
    },
  );
}

function registerConsistency(http: Http, app: ProofsApp): void {
  http.get(
    paths.consistency,
    {
      schema: {
        tags: ["app"],
        operationId: "getConsistency",
        summary: "Prove that nothing was rewritten between two trees of the log",
        description: "One log contains the commitments of all projects and no personal data.",
        params: Type.Object({ projectId: id }),
        querystring: ConsistencyIn,
        response: { 200: ConsistencyOut, 202: PendingOut },
      },
      config: { cors: "any" },
    },
    async (req) => {
      const planes = await planesOf(app, req.params.projectId);
      return getConsistency(planes, { ...req.params, ...req.query });
    },
  );
}

/** Sends a proof with a file name, and links to the other formats in a header: the bundle itself has none. */
function sendProof(
  reply: FastifyReply,
  bytes: Buffer,
  given: { format: ProofFormat; consentId: string; toHref: (other: ProofFormat) => string },
): FastifyReply {
  const { format, consentId, toHref } = given;
  const links = proofFormats
    .filter((other) => other !== format)
    .map((other) => `<${toHref(other)}>; rel="alternate"; type="${contentTypes[other]}"`);
  void reply.headers({
    link: links.join(", "),
    "content-disposition": `${format === "pdf" ? "inline" : "attachment"}; filename="proof-${consentId}.${format}"`,
  });
  const type = format === "json" ? `${contentTypes.json}; charset=utf-8` : contentTypes[format];
  return reply.type(type).send(bytes);
}
