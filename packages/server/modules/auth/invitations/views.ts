import { hrefOf, paths } from "@avow/contract/urls";
import { toAddressHint } from "../../../platform/mail/address-hint.ts";
import type { AcceptedOut, InvitationItemOut, InvitationOut, InvitedOut } from "./schema.ts";
import type { InvitationDetails, SentInvitation } from "./invitations.ts";
import type { InvitationTarget } from "./ports.ts";
import type { Invitation } from "./store.ts";
import type { Role } from "../users/schema.ts";

export function toInvitedOut({
  id,
  token,
  expiresAt,
  isMailed,
  isBound,
}: SentInvitation): InvitedOut {
  const invitationToken = { value: token, expiration: expiresAt.toISOString() };
  return { id, boundToAddress: isBound, invitationToken, mailed: isMailed };
}

function toTarget(invitation: Invitation): InvitationTarget {
  const collection = invitation.collection as InvitationTarget["collection"];
  return { collection, id: invitation.document_id };
}

export function toInvitationItemOut(
  invitation: Invitation & { inviter: string },
  publicUrl: string,
): InvitationItemOut {
  return {
    ...toCommonFields(invitation),
    links: { self: hrefOf(publicUrl, paths.invitation, { token: invitation.id }) },
  };
}

function toCommonFields(invitation: Invitation & { inviter: string }) {
  return {
    id: invitation.id,
    email: invitation.email,
    boundToAddress: invitation.is_bound,
    displayName: invitation.display_name,
    role: invitation.role as Role,
    invitedBy: { displayName: invitation.inviter },
    createdAt: invitation.created_at.toISOString(),
    expiration: invitation.expires_at.toISOString(),
  };
}

export function toInvitationOut(invitation: InvitationDetails, publicUrl: string): InvitationOut {
  return {
    ...toCommonFields(invitation),
    email: invitation.is_bound ? null : invitation.email,
    addressHint: toAddressHint(invitation.email),
    data: { ...toTarget(invitation), title: invitation.title },
    ...(invitation.brand && { brand: toBrand(invitation.brand) }),
    links: {
      signup: hrefOf(publicUrl, paths.signup, {}),
      signin: hrefOf(publicUrl, paths.signin, {}),
    },
  };
}

function toBrand({ name, logo, color }: NonNullable<InvitationDetails["brand"]>) {
  return {
    name,
    ...(logo !== undefined && { logo }),
    ...(color !== undefined && { color }),
  };
}

export function toAcceptedOut(invitation: Invitation, publicUrl: string): AcceptedOut {
  const data = toTarget(invitation);
  const params = { resource: data.collection, documentId: data.id };
  return {
    success: true,
    role: invitation.role as Role,
    data,
    links: {
      document: hrefOf(publicUrl, paths.document, params),
      user: hrefOf(publicUrl, paths.me, {}),
    },
  };
}
