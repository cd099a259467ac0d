import { paths } from "@avow/contract/urls";
import { Type } from "typebox";
import type { Http } from "../../../http/http.ts";
import { negotiateLanguage } from "../../../http/files/negotiation.ts";
import { PageQueryIn, answerPage } from "../../../http/lists/pages.ts";
import { answerWrite } from "../../../http/write.ts";
import { toScope } from "../../../kernel/actor.ts";
import { toLoginName } from "../../../kernel/logins.ts";
import { assertNoFaults } from "../../../platform/errors.ts";
import { mailLanguages } from "../../../platform/mail/languages.ts";
import { isMailAddress } from "../../../platform/mail/mail.ts";
import { getCaller } from "../users/users.ts";
import { BODY_BYTES_MAX } from "../users/schema.ts";
import { acceptInvitation, getInvitation, invite, withdrawInvitation } from "./invitations.ts";
import type { InvitationsApp } from "./ports.ts";
import {
  AcceptedOut,
  InvitationIn,
  InvitationItemOut,
  InvitationOut,
  InvitationParams,
  InvitationTargetIn,
  InvitedOut,
} from "./schema.ts";
import { listInvitations } from "./store.ts";
import { toAcceptedOut, toInvitationItemOut, toInvitationOut, toInvitedOut } from "./views.ts";

const InvitationsQueryIn = Type.Object({
  ...Type.Omit(PageQueryIn, ["sort"]).properties,
  ...InvitationTargetIn.properties,
});
const secret = () => ({ "cache-control": "no-store" });

/** Invitations to projects and organizations (wire section 1). */
export function registerInvitationRoutes(http: Http, app: InvitationsApp): void {
  const { db, now, limiter, publicUrl } = app;
  const tags = ["auth"];
  http.get(
    paths.invitations,
    {
      schema: {
        tags,
        summary: "List the pending invitations to a project or an organization, newest first",
        operationId: "listInvitations",
        description: "For owners of the project or organization.",
        querystring: InvitationsQueryIn,
        response: { 200: Type.Array(InvitationItemOut) },
      },
    },
    async (req, reply) => {
      const { collection, id, ...query } = req.query;
      await app.invitationTargets.getTitle(db, toScope(req.actor), { collection, id });
      const page = await listInvitations(db, { ...query, documentId: id, now: now() });
      const items = page.items.map((item) => toInvitationItemOut(item, publicUrl));
      return answerPage({ req, reply, publicUrl }, query, { items, total: page.total });
    },
  );
  http.post(
    paths.invitations,
    {
      bodyLimit: BODY_BYTES_MAX,
      schema: {
        tags,
        summary: "Invite a person to a project or an organization by mail",
        operationId: "invite",
        description:
          "The invited person accepts with any account that has the token, or, if it is bound to the address, only with one that has confirmed it.",
        body: InvitationIn,
        response: { 200: InvitedOut },
      },
    },
    async (req, reply) => {
      const { email, displayName, role = "viewer", data: target } = req.body;
      const isBound = req.body.boundToAddress ?? app.isBoundByDefault;
      const { userId } = getCaller(req.actor);
      if (!isMailAddress(email))
        assertNoFaults([{ path: "/email", message: "must be an e-mail address" }]);
      const language = negotiateLanguage(req, mailLanguages);
      // Counted only for users who may invite; others get their own error.
      await app.invitationTargets.getTitle(db, toScope(req.actor), target);
      const at = now();
      await limiter.count({ limit: "invitations by user", key: [userId], now: at });
      const key = [userId, toLoginName(email)];
      await limiter.count({ limit: "invitations by user to address", key, now: at });
      const given = { email, displayName, role, target, isBound, language };
      return answerWrite({ db, now, req, reply, headers: secret }, async (ctx) =>
        toInvitedOut(await invite(ctx, app, given)),
      );
    },
  );
  http.get(
    paths.invitation,
    {
      schema: {
        tags,
        summary: "Get the document and the role of an invitation",
        operationId: "getInvitation",
        description: "Anyone with the token can read it.",
        params: InvitationParams,
        response: { 200: InvitationOut },
      },
    },
    async (req, reply) => {
      const invitation = await getInvitation(db, app, { token: req.params.token, now: now() });
      void reply.headers(secret());
      return toInvitationOut(invitation, publicUrl);
    },
  );
  http.post(
    paths.invitation,
    {
      schema: {
        tags,
        summary: "Accept an invitation as the signed-in user",
        operationId: "acceptInvitation",
        description:
          "Adds the role if the inviter may still give it. 403 for an invitation that is bound to an address, unless the user has confirmed that address.",
        params: InvitationParams,
        response: { 200: AcceptedOut },
      },
    },
    (req, reply) =>
      answerWrite({ db, now, req, reply, headers: secret }, async (ctx) =>
        toAcceptedOut(await acceptInvitation(ctx, app, req.params.token), publicUrl),
      ),
  );
  http.delete(
    paths.invitation,
    {
      schema: {
        tags,
        summary: "Withdraw an invitation, by its token or its id",
        operationId: "withdrawInvitation",
        description: "The link stops working.",
        params: InvitationParams,
        response: { 204: Type.Null() },
      },
    },
    (req, reply) =>
      answerWrite({ db, now, req, reply, status: 204 }, async (ctx) => {
        await withdrawInvitation(ctx, app, req.params.token);
        return null;
      }),
  );
}
