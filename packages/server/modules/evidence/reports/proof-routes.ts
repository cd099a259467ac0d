import type { FastifyReply } from "fastify";
import { Type } from "typebox";
import { hrefOf, paths } from "@avow/contract/urls";
import { toScope } from "../../../kernel/actor.ts";
import { CursorQueryIn } from "../../../http/lists/cursors.ts";
import type { Http } from "../../../http/http.ts";
import { negotiate } from "../../../http/files/negotiation.ts";
import { Token } from "@avow/contract/consents";
import { getConsistency, getProofBundle } from "../proofs/bundle.ts";
import { ProofsOut } from "./audit-package/select/schema.ts";
import { type Form, type FormsApp, formTypes, forms, toForm } from "./forms.ts";
import { toPdfShare } from "./pdf/maker.ts";
import { listProofs } from "../proofs/proofs.ts";
import type { EvidenceApp } from "../proofs/prover.ts";
import { ConsistencyIn, ConsistencyOut, ProofBundleOut, languages } from "../log/schema.ts";

const id = Type.String({ maxLength: 64 });
const ProofQueryIn = Type.Object({
  token: Type.Optional(
    Type.String({ maxLength: 256, description: "The visitor's own, in place of an access token." }),
  ),
  format: Type.Optional(
    Type.Enum([...forms], { description: "For links that people follow; before `Accept`." }),
  ),
  language: Type.Optional(
    Type.Enum([...languages], { description: "Of the PDF; by default the record's." }),
  ),
});

const byType = new Map<string, Form>(forms.map((form) => [formTypes[form], form]));

/** What the routes of proofs need. */
export type ProofsApp = EvidenceApp & FormsApp & { publicUrl: string };

/** Registers the proofs of consents (issue of evidence; specification, Evidence). */
export function registerProofRoutes(http: Http, app: ProofsApp): void {
  registerProof(http, app);
  registerProofList(http, app);
  registerConsistency(http, app);
}

function registerProof(http: Http, app: ProofsApp): void {
  http.get(
    paths.proof,
    {
      schema: {
        tags: ["app"],
        operationId: "getProof",
        summary: "Read the proof of a consent",
        description:
          "Everything that is needed to check it without this service: for the visitor with the token, or a user who may read the project's consents. A consent is in the log about a second after it was collected; until then it is 503 with `Retry-After`. As JSON it is what is verified; as a PDF it is for people, with the JSON attached; as JSON-LD it has the fields of ISO/IEC TS 27560 in W3C DPV.",
        params: Type.Object({ consentId: id }),
        querystring: ProofQueryIn,
        response: { 200: ProofBundleOut },
      },
      config: { cors: "any", streamed: Object.values(formTypes).slice(1) },
      // The other forms would have to be made to be measured.
      exposeHeadRoute: false,
    },
    async (req, reply) => {
      const { token, language, format } = req.query;
      const liked = negotiate(req, reply, byType);
      const form = format ?? liked ?? "json";
      void reply.header("cache-control", "private, no-store");
      const caller = { scope: toScope(req.actor), token };
      const bundle = await getProofBundle(app, req.params.consentId, caller);
      const share = toPdfShare(req.actor, bundle.consent.record.projectId);
      const bytes = await toForm(app, bundle, { form, language, share });
      const { consentId } = req.params;
      const toHref = (other: Form) =>
        hrefOf(app.publicUrl, paths.proof, { consentId }, { token, format: other });
      return answerForm(reply, bytes, { form, consentId: consentId.toLowerCase(), toHref });
    },
  );
}

function registerProofList(http: Http, { db, publicUrl }: ProofsApp): void {
  http.get(
    paths.proofs,
    {
      schema: {
        tags: ["app"],
        operationId: "listProofs",
        summary: "List the proofs of a token",
        description: "Newest first. `dossier` is where the archive of all of them is made.",
        querystring: Type.Interface([CursorQueryIn], { projectId: id, token: Token }),
        response: { 200: ProofsOut },
      },
    },
    async (req) => {
      const { projectId, token, limit, cursor } = req.query;
      const page = await listProofs(db, toScope(req.actor), { projectId, token, limit, cursor });
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
        // Whoever follows every link would have an archive made for every token.
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
        description: "One log holds the commitments of every project, and nothing personal.",
        params: Type.Object({ projectId: id }),
        querystring: ConsistencyIn,
        response: { 200: ConsistencyOut },
      },
      config: { cors: "any" },
    },
    async (req) => getConsistency(app.db, { ...req.params, ...req.query }),
  );
}

/** Answers with a name to save the form under, and where the others are: the bundle has no links. */
function answerForm(
  reply: FastifyReply,
  bytes: Buffer,
  told: { form: Form; consentId: string; toHref: (other: Form) => string },
): FastifyReply {
  const { form, consentId, toHref } = told;
  const links = forms
    .filter((other) => other !== form)
    .map((other) => `<${toHref(other)}>; rel="alternate"; type="${formTypes[other]}"`);
  void reply.headers({
    link: links.join(", "),
    "content-disposition": `${form === "pdf" ? "inline" : "attachment"}; filename="proof-${consentId}.${form}"`,
  });
  const type = form === "json" ? `${formTypes.json}; charset=utf-8` : formTypes[form];
  return reply.type(type).send(bytes);
}
