import { paths } from "@avow/contract/urls";
import { Type } from "typebox";
import { negotiateLanguage } from "../../../http/files/negotiation.ts";
import type { Http } from "../../../http/http.ts";
import { answerPage } from "../../../http/lists/pages.ts";
import { answerWrite } from "../../../http/write.ts";
import { toScope } from "../../../kernel/actor.ts";
import { rejectField } from "../../../platform/errors.ts";
import { mailLanguages } from "../../../platform/mail/languages.ts";
import { isMailAddress } from "../../../platform/mail/mail.ts";
import { getDocument } from "../documents/access.ts";
import { documentHref } from "../documents/documents.ts";
import { DocumentParams } from "../documents/document-routes.ts";
import { acceptTransfer } from "./accept.ts";
import {
  type Recipient,
  type TransfersApp,
  declineTransfer,
  getTransfer,
  getTransferOf,
  listOffers,
  needsConfirmedAddress,
  offerTransfer,
  revokeTransfer,
} from "./offers.ts";
import {
  AcceptedTransferOut,
  OfferedTransferOut,
  OffersQuery,
  SentTransferOut,
  TransferAcceptIn,
  TransferIn,
  TransferOut,
  TransferParams,
  toOfferedTransferOut,
  toSentTransferOut,
  toTransferOut,
} from "./schema.ts";

const tags = ["vault"];
const secret = () => ({ "cache-control": "no-store" });

/** Registers the offer of a project to another organization, for its owners and for its recipients. */
export function registerTransferRoutes(http: Http, app: TransfersApp): void {
  registerOwnerRoutes(http, app);
  registerRecipientRoutes(http, app);
}

function registerOwnerRoutes(http: Http, app: TransfersApp): void {
  const { db, now, publicUrl } = app;
  http.post(
    paths.projectTransfer,
    {
      schema: {
        tags,
        operationId: "offerProject",
        summary: "Offer a project to another organization",
        description:
          "For owners of the project and of its organization. A person gets a link by mail; an organization's owners find the offer in their list. It replaces an earlier offer and ends after seven days.",
        params: DocumentParams,
        body: TransferIn,
        response: { 201: SentTransferOut },
      },
    },
    async (req, reply) => {
      const id = req.params.documentId;
      const language = negotiateLanguage(req, mailLanguages);
      const scope = toScope(req.actor);
      // Counted only for users who may offer the project; others get their own error.
      await getDocument(db, scope, { resource: "projects", id });
      const to = toRecipient(req.body);
      if ("email" in to && scope.kind === "user")
        await app.transferMails.countOffer({ userId: scope.userId, to: to.email, now: now() });
      const write = { db, now, req, reply, status: 201, headers: secret, isSecret: true };
      return answerWrite(write, async (ctx) =>
        toSentTransferOut(await offerTransfer(ctx, app, { id, to, language }), publicUrl),
      );
    },
  );
  http.get(
    paths.projectTransfer,
    {
      schema: {
        tags,
        operationId: "getProjectOffer",
        summary: "Get the pending offer of a project",
        description: "For owners of the project. 404 without an offer.",
        params: DocumentParams,
        response: { 200: TransferOut },
      },
    },
    async (req) => {
      const id = req.params.documentId;
      const found = await getTransferOf(db, toScope(req.actor), { id, now: now() });
      return toTransferOut(found, publicUrl);
    },
  );
  http.delete(
    paths.projectTransfer,
    {
      schema: {
        tags,
        operationId: "revokeProjectOffer",
        summary: "Revoke the pending offer of a project",
        description: "Its link stops working.",
        params: DocumentParams,
        response: { 204: Type.Null() },
      },
    },
    (req, reply) =>
      answerWrite({ db, now, req, reply, status: 204 }, async (ctx) => {
        await revokeTransfer(ctx, req.params.documentId);
        return null;
      }),
  );
}

function toRecipient({
  email,
  organizationId,
}: {
  email?: string;
  organizationId?: string;
}): Recipient {
  if (email !== undefined && organizationId === undefined) {
    if (!isMailAddress(email)) rejectField("/email", "must be an e-mail address", "invalid");
    return { email };
  }
  if (organizationId !== undefined && email === undefined) return { organizationId };
  return rejectField("/email", "or organizationId is required, but not both", "invalid");
}

function registerRecipientRoutes(http: Http, app: TransfersApp): void {
  const { db, now, publicUrl } = app;
  const isBound = needsConfirmedAddress(app);
  http.get(
    paths.transfers,
    {
      schema: {
        tags,
        operationId: "listOfferedProjects",
        summary: "List the projects that are offered to you, newest first",
        description: "Offers to your confirmed e-mail address, and to organizations that you own.",
        querystring: OffersQuery,
        response: { 200: Type.Array(OfferedTransferOut) },
      },
    },
    async (req, reply) => {
      const page = await listOffers(app, toScope(req.actor), { ...req.query, now: now() });
      const items = page.items.map((one) => toOfferedTransferOut(one, { isBound }));
      return answerPage({ req, reply, publicUrl }, req.query, { ...page, items });
    },
  );
  http.get(
    paths.transfer,
    {
      schema: {
        tags,
        operationId: "getOfferedProject",
        summary: "Get the offer of a link",
        description: "Anyone with the token can read it.",
        params: TransferParams,
        response: { 200: OfferedTransferOut },
      },
    },
    async (req, reply) => {
      const details = await getTransfer(app, { token: req.params.token, now: now() });
      void reply.headers(secret());
      return toOfferedTransferOut(details, { isBound });
    },
  );
  http.post(
    paths.transfer,
    {
      schema: {
        tags,
        operationId: "acceptOfferedProject",
        summary: "Accept an offered project into an organization that you own",
        description:
          "The project moves with its configurations, consents and proofs. Its members and those of the old organization lose access; shared vendors and files are copied.",
        params: TransferParams,
        body: TransferAcceptIn,
        response: { 200: AcceptedTransferOut },
      },
    },
    (req, reply) =>
      answerWrite({ db, now, req, reply, headers: secret }, async (ctx) => {
        const { organizationId } = req.body;
        const given = { tokenOrId: req.params.token, organizationId };
        const project = await acceptTransfer(ctx, app, given);
        const organization = { resource: "organizations", id: organizationId };
        return {
          projectId: project.id,
          organizationId,
          links: {
            project: documentHref(publicUrl, project),
            organization: documentHref(publicUrl, organization),
          },
        };
      }),
  );
  http.delete(
    paths.transfer,
    {
      schema: {
        tags,
        operationId: "declineOfferedProject",
        summary: "Decline an offered project",
        description: "Its link stops working.",
        params: TransferParams,
        response: { 204: Type.Null() },
      },
    },
    (req, reply) =>
      answerWrite({ db, now, req, reply, status: 204 }, async (ctx) => {
        await declineTransfer(ctx, app, req.params.token);
        return null;
      }),
  );
}
