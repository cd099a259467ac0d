import { Type } from "typebox";
import { hrefOf, paths } from "@avow/contract/urls";
import { Token } from "@avow/contract/consents";
import { toScope } from "../../../kernel/actor.ts";
import { CursorQueryIn, cursorListOf } from "../../../http/lists/cursors.ts";
import type { Http } from "../../../http/http.ts";
import { answerDataWrite, answerWrite } from "../../../http/write.ts";
import { planesOf, within } from "../../../platform/db/buckets/buckets.ts";
import {
  type ErasureProposal,
  listErasureProposals,
  rejectErasure,
} from "../../consents/erase/proposals.ts";
import { hasErasureRule, setErasureRule } from "../../consents/erase/rule.ts";
import { assertReadable } from "../../consents/commitments/recorded.ts";
import { ErasureOut } from "../log/schema.ts";
import { type ErasureRoutes, toErasureOut } from "./erasure-out.ts";
import { ErasureProposalOut, ErasureRuleOut } from "./proposal-schema.ts";
import { confirmErasure } from "./second-person.ts";

const tags = ["client"];
const id = Type.String({ maxLength: 64 });
const Project = Type.Object({ id });
const Proposal = Type.Object({ id, proposalId: id });

/** Registers the second person's confirmation of erasures: the project's rule, and its proposals. */
export function registerProposalRoutes(http: Http, app: ErasureRoutes): void {
  registerRule(http, app);
  registerDecisions(http, app);
  http.get(
    paths.erasureProposals,
    {
      schema: {
        tags,
        operationId: "listErasureProposals",
        summary: "List the erasures that wait for a second person",
        description:
          "Proposed erasures that nobody has confirmed or rejected, oldest first. They expire after 14 days.",
        params: Project,
        querystring: Type.Interface([CursorQueryIn], { token: Type.Optional(Token) }),
        response: { 200: cursorListOf(ErasureProposalOut) },
      },
    },
    async (req) => {
      const { id: projectId } = req.params;
      const { token, limit, cursor } = req.query;
      const query = { projectId, token, limit, cursor, now: app.now() };
      const planes = await planesOf(app, projectId);
      const page = await listErasureProposals(planes, toScope(req.actor), query);
      const hrefAt = (here: string | undefined) =>
        hrefOf(
          app.publicUrl,
          paths.erasureProposals,
          { id: projectId },
          { token, limit, cursor: here },
        );
      return {
        items: page.items.map((proposal) => toProposalOut(proposal, app.publicUrl)),
        links: {
          self: hrefAt(cursor),
          ...(page.next === undefined ? {} : { next: hrefAt(page.next) }),
        },
      };
    },
  );
}

function registerRule(http: Http, app: ErasureRoutes): void {
  http.get(
    paths.erasureRule,
    {
      schema: {
        tags,
        operationId: "getErasureRule",
        summary: "Get the project's rule for erasures",
        description: "Whether an erasure needs the approval of a second person.",
        params: Project,
        response: { 200: ErasureRuleOut },
      },
    },
    async (req) => {
      await assertReadable(app.db, toScope(req.actor), req.params.id);
      return { needsSecondPerson: await hasErasureRule(app.db, req.params.id) };
    },
  );
  http.put(
    paths.erasureRule,
    {
      schema: {
        tags,
        operationId: "setErasureRule",
        summary: "Change the project's rule for erasures",
        description:
          "With `needsSecondPerson`, erasing a token proposes it (202) until another owner confirms. The project needs two owners. Switched off, later erasures run at once; open proposals stay.",
        params: Project,
        body: ErasureRuleOut,
        response: { 200: ErasureRuleOut },
      },
    },
    async (req, reply) => {
      const { needsSecondPerson } = req.body;
      await answerWrite({ ...app, req, reply }, (ctx) =>
        setErasureRule(ctx, { projectId: req.params.id, needsSecondPerson }),
      );
      return { needsSecondPerson };
    },
  );
}

function registerDecisions(http: Http, app: ErasureRoutes): void {
  http.post(
    paths.erasureConfirmation,
    {
      schema: {
        tags,
        operationId: "confirmErasure",
        summary: "Confirm a proposed erasure",
        description:
          "Erases the token. An owner confirms it in a session: neither the user who proposed it nor an API key can.",
        params: Proposal,
        response: { 200: ErasureOut },
      },
    },
    async (req, reply) => {
      const { id: projectId, proposalId } = req.params;
      await assertReadable(app.db, toScope(req.actor), projectId);
      const own = await within(app, projectId);
      const erasure = await answerDataWrite({ ...own, req, reply }, (ctx) =>
        confirmErasure(ctx, { projectId, id: proposalId }),
      );
      return toErasureOut(erasure, app.publicUrl);
    },
  );
  http.delete(
    paths.erasureProposal,
    {
      schema: {
        tags,
        operationId: "rejectErasure",
        summary: "Reject a proposed erasure",
        description:
          "Closes the proposal without an erasure. The user who proposed it can withdraw it so.",
        params: Proposal,
        response: { 204: Type.Null() },
      },
    },
    async (req, reply) => {
      const { id: projectId, proposalId } = req.params;
      await assertReadable(app.db, toScope(req.actor), projectId);
      const own = await within(app, projectId);
      await answerDataWrite({ ...own, req, reply, status: 204 }, (ctx) =>
        rejectErasure(ctx, { projectId, id: proposalId }),
      );
      return null;
    },
  );
}

export function toProposalOut(proposal: ErasureProposal, publicUrl: string): ErasureProposalOut {
  const { id: proposalId, projectId, token, proposedBy, dueAt } = proposal;
  return {
    id: proposalId,
    projectId,
    token,
    proposedBy,
    proposedAt: proposal.proposedAt.toISOString(),
    expiresAt: proposal.expiresAt.toISOString(),
    ...(dueAt ? { dueAt: dueAt.toISOString() } : {}),
    links: {
      self: hrefOf(publicUrl, paths.erasureProposal, { id: projectId, proposalId }),
      confirmation: hrefOf(publicUrl, paths.erasureConfirmation, { id: projectId, proposalId }),
      consents: hrefOf(publicUrl, paths.clientConsents, { id: projectId, token }),
      project: hrefOf(publicUrl, paths.clientProject, { id: projectId }),
    },
  };
}
