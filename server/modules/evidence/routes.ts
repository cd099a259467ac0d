import { Type } from "typebox";
import { paths } from "../../paths.ts";
import { toScope } from "../../platform/actor.ts";
import type { Http } from "../../platform/http/http.ts";
import { type EvidenceApp, getConsistency, getProofBundle } from "./bundle.ts";
import { ConsistencyIn, ConsistencyOut, ProofBundleOut } from "./schema.ts";

const id = Type.String({ maxLength: 64 });
const ProofQueryIn = Type.Object({
  token: Type.Optional(
    Type.String({ maxLength: 256, description: "The visitor's own, in place of an access token." }),
  ),
});

/** Registers the proofs of consents (issue of evidence; specification, Evidence). */
export function registerProofRoutes(http: Http, app: EvidenceApp): void {
  http.get(
    paths.proof,
    {
      schema: {
        tags: ["app"],
        operationId: "getProof",
        summary: "Read the proof of a consent",
        description:
          "Everything that is needed to check it without this service: for the visitor with the token, or a user who may read the project's consents. A consent is in the log about a second after it was collected; until then there is none (404).",
        params: Type.Object({ consentId: id }),
        querystring: ProofQueryIn,
        response: { 200: ProofBundleOut },
      },
      config: { access: "optional", cors: "any" },
    },
    async (req, reply) => {
      const { token } = req.query;
      void reply.header("cache-control", "private, no-store");
      return getProofBundle(app, req.params.consentId, { scope: toScope(req.actor), token });
    },
  );
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
      config: { access: "public", cors: "any" },
    },
    async (req) => getConsistency(app.db, { ...req.params, ...req.query }),
  );
}
