import { findBrand } from "../brands/brands.ts";
import { listMembers } from "../members/holders.ts";
import { hrefOf, paths, withHost } from "@avow/contract/urls";
import type { Scope } from "../../../kernel/actor.ts";
import type { Ctx } from "../../../kernel/ctx.ts";
import { recordEvent } from "../../../kernel/events/events.ts";
import { newDocumentId } from "../../../kernel/ids.ts";
import type { Page, PageQuery } from "../../../kernel/page.ts";
import { type UserCard, findUserById, isSameAddress } from "../../../kernel/users-store.ts";
import { hashToken, newOneTimeToken } from "../../../platform/crypto/tokens.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";
import { Fault, rejectField } from "../../../platform/errors.ts";
import type { MailLanguage } from "../../../platform/mail/languages.ts";
import { getDocument, lockForChange } from "../documents/access.ts";
import { toTitle } from "../documents/documents.ts";
import { assertOrganizationOwner } from "../documents/organization-owners.ts";
import { type DocumentRow, findDocument } from "../documents/store.ts";
import type { VaultApp } from "../documents/vault.ts";
import { configurationResources } from "../schemas/resources.ts";
import { type TransferFiles, findSharedContents } from "./contents.ts";
import {
  type TransferRow,
  deleteTransferOf,
  findTransfer,
  listTransfersTo,
  replaceTransfer,
} from "./transfers-store.ts";

/** The part of the store that other modules may use. */
export { deleteExpiredTransfers, deleteTransfersToAddress } from "./transfers-store.ts";

const TRANSFER_MS = 7 * 86_400_000;

/** Mails about transfers. */
export interface TransferMails {
  /** Mails an offer, unless too many went to the address; returns whether it is sent. */
  postOffer(
    ctx: Ctx,
    offer: {
      to: string;
      offererId: string;
      title: string;
      url: string;
      language: MailLanguage;
      projectId: string;
    },
  ): Promise<boolean>;
  /** Counts an offer of a user to an address. @throws Fault too-many */
  countOffer(offer: { userId: string; to: string; now: Date }): Promise<void>;
}

/** The dependencies of transfers, in addition to the vault's. */
export interface TransfersApp extends VaultApp {
  transferMails: TransferMails;
  transferFiles: TransferFiles;
  /** Ends the review links of a project, which the recipient has not created. */
  revokeReviewLinks(ctx: Ctx, projectId: string): Promise<void>;
}

/** The recipient of an offer: a person, or the owners of an organization. */
export type Recipient = { email: string } | { organizationId: string };

/** A new offer. `token` is returned once. */
export interface SentTransfer {
  transfer: TransferRow;
  token: string | undefined;
  isMailed: boolean;
}

/**
 * Offers a project to another organization, in place of an earlier offer.
 * @throws Fault not-found, forbidden (only owners of the project and of its organization may offer it, and with mails only
 *   those with a confirmed address), impossible (an unknown organization, or the project's own)
 */
export async function offerTransfer(
  ctx: Ctx,
  app: TransfersApp,
  { id, to, language }: { id: string; to: Recipient; language: MailLanguage },
): Promise<SentTransfer> {
  const userId = toUserId(ctx);
  const project = await lockForChange(ctx, { resource: "projects", id });
  await assertOrganizationOwner(ctx.tx, ctx.scope, { of: project, needs: "can offer it" });
  const user = await findUserById(ctx.tx, userId);
  const isKnown = user?.isConfirmed === true || user?.email === null;
  if (needsConfirmedAddress(app) && !isKnown)
    throw new Fault("forbidden", "Confirm your e-mail address before you offer a project.");
  if ("organizationId" in to) await assertRecipient(ctx, project, to.organizationId);
  const secret = "email" in to ? newOneTimeToken() : undefined;
  const transfer: TransferRow = {
    id: newDocumentId(ctx.now),
    project_id: id,
    email: "email" in to ? to.email : null,
    organization_id: "email" in to ? null : to.organizationId,
    offered_by: userId,
    created_at: ctx.now,
    expires_at: new Date(ctx.now.getTime() + TRANSFER_MS),
  };
  await replaceTransfer(ctx.tx, { ...transfer, hash: secret?.hash ?? null });
  await recordTransfer(ctx, "transfer.offered", transfer);
  if (!secret || !("email" in to)) return { transfer, token: undefined, isMailed: false };
  const base = withHost(app.publicUrl, (await findBrand(ctx.tx, id))?.host);
  const url = hrefOf(base, paths.adminTransfer, {}, { token: secret.token });
  const title = toTitle(project);
  const mail = { to: to.email, offererId: userId, title, url, language, projectId: id };
  const isMailed = await app.transferMails.postOffer(ctx, mail);
  return { transfer, token: secret.token, isMailed };
}

async function assertRecipient(ctx: Ctx, project: DocumentRow, id: string): Promise<void> {
  const scope: Scope = { kind: "system" };
  const found = await findDocument(ctx.tx, scope, { resource: "organizations", id });
  const message = !found
    ? "names no organization"
    : id === project.organization_id
      ? "already has the project"
      : undefined;
  if (message !== undefined) rejectField("/organizationId", message);
}

/** The pending offer of a project, for its owners. @throws Fault not-found (also without an offer), forbidden */
export async function getTransferOf(
  db: Db,
  scope: Scope,
  { id, now }: { id: string; now: Date },
): Promise<TransferRow> {
  await getDocument(db, scope, { resource: "projects", id });
  const found = await findTransfer(db, { projectId: id }, { now });
  if (!found) throw new Fault("not-found", "The project is not offered to anybody.");
  return found;
}

/** Revokes the pending offer of a project. @throws Fault as `getTransferOf` */
export async function revokeTransfer(ctx: Ctx, id: string): Promise<void> {
  await lockForChange(ctx, { resource: "projects", id });
  const found = await findTransfer(ctx.tx, { projectId: id }, { now: ctx.now });
  if (!found) throw new Fault("not-found", "The project is not offered to anybody.");
  await deleteTransferOf(ctx.tx, id);
  await recordTransfer(ctx, "transfer.revoked", found);
}

/** Declines an offer as its recipient. @throws Fault as `takeTransfer` */
export async function declineTransfer(
  ctx: Ctx,
  app: TransfersApp,
  tokenOrId: string,
): Promise<void> {
  const found = await lockTransfer(ctx, app, tokenOrId);
  await deleteTransferOf(ctx.tx, found.project_id);
  await recordTransfer(ctx, "transfer.declined", found);
}

/**
 * The pending offer of a link, or with an id for its recipient, locked until the transaction ends.
 * @throws Fault not-found when it is unknown, used, expired or for somebody else; forbidden for the link of an offer to an
 *   address that the user has not confirmed, where the service sends mails
 */
export async function lockTransfer(
  ctx: Ctx,
  app: TransfersApp,
  tokenOrId: string,
): Promise<TransferRow> {
  const options = { now: ctx.now, isLocked: true };
  const user = await findUserById(ctx.tx, toUserId(ctx));
  const linked = await findTransfer(ctx.tx, { hash: hashToken(tokenOrId) }, options);
  if (linked) {
    if (needsConfirmedAddress(app) && !isAddressee(linked, user))
      throw new Fault(
        "forbidden",
        "This offer is for the owner of another e-mail address. Sign in with the account that has it, and confirm the address.",
      );
    return linked;
  }
  const found = await findTransfer(ctx.tx, { id: tokenOrId }, options);
  if (!found) throw toUnknown();
  if (found.organization_id === null) {
    if (!isAddressee(found, user)) throw toUnknown();
    return found;
  }
  const organization = { resource: "organizations", id: found.organization_id };
  const held = await findDocument(ctx.tx, ctx.scope, organization);
  if (!held?.roles.includes("owner")) throw toUnknown();
  return found;
}

/** Whether a user has confirmed the address of an offer. */
function isAddressee({ email }: TransferRow, user: UserCard | undefined): boolean {
  if (email === null || !user || user.email === null) return false;
  return user.isConfirmed && isSameAddress(user.email, email);
}

/** An offer as its recipient sees it before accepting. */
export interface TransferDetails {
  transfer: TransferRow;
  title: string;
  websiteURL: string;
  offerer: string;
  organization: { id: string; name: string } | undefined;
  /** The contents, and what happens to things of the earlier owner. */
  contents: { configurations: number; sharedVendors: number; files: number; members: number };
}

/** The offer of a link. @throws Fault not-found when it is unknown, used or expired */
export async function getTransfer(
  app: TransfersApp,
  { token, now }: { token: string; now: Date },
): Promise<TransferDetails> {
  const found = await findTransfer(app.db, { hash: hashToken(token) }, { now });
  if (!found) throw toUnknown();
  return readDetails(app.db, app, found);
}

/**
 * One page of the pending offers to a user's confirmed address and to organizations that they own, newest first. Leaves out
 * offers whose sender has lost the right to make them, and those of projects that have become too large to move.
 */
export async function listOffers(
  app: TransfersApp,
  scope: Scope,
  query: PageQuery & { now: Date },
): Promise<Page<TransferDetails>> {
  const userId = scope.kind === "user" ? scope.userId : "";
  const user = await findUserById(app.db, userId);
  const email = user?.isConfirmed ? user.email : null;
  const { items: transfers, total } = await listTransfersTo(app.db, { ...query, userId, email });
  const items: TransferDetails[] = [];
  // One after the other, since each reads all documents of its project.
  for (const transfer of transfers) {
    const details = await readDetails(app.db, app, transfer).catch(ignoreEnded);
    if (details) items.push(details);
  }
  return { items, total };
}

function ignoreEnded(error: unknown): undefined {
  const isEnded =
    error instanceof Fault && (error.kind === "not-found" || error.kind === "impossible");
  if (!isEnded) throw error;
}

/**
 * Reads what a recipient has to know.
 * @throws Fault not-found when the offerer has lost the right to offer the project, impossible when it is too large to move
 */
async function readDetails(
  db: Db | Tx,
  app: TransfersApp,
  transfer: TransferRow,
): Promise<TransferDetails> {
  const project = await getOfferedProject(db, transfer);
  const offerer = await findUserById(db, transfer.offered_by);
  const system: Scope = { kind: "system" };
  const id = transfer.organization_id;
  const held =
    id === null ? undefined : await findDocument(db, system, { resource: "organizations", id });
  const shared = await findSharedContents(db, app.transferFiles, project.id);
  const { websiteURL } = project.body;
  return {
    transfer,
    title: toTitle(project),
    websiteURL: typeof websiteURL === "string" ? websiteURL : "",
    offerer: offerer?.displayName ?? "",
    organization: held && { id: held.row.id, name: toTitle(held.row) },
    contents: {
      configurations: shared.own.filter(({ resource }) =>
        configurationResources.some((name) => name === resource),
      ).length,
      sharedVendors: shared.vendors.length,
      files: shared.fileIds.length,
      members: (await listMembers(db, [project.id])).get(project.id)?.length ?? 0,
    },
  };
}

/** The project of an offer, if the offerer may still give it away. @throws Fault not-found */
export async function getOfferedProject(
  db: Db | Tx,
  { project_id: id, offered_by: userId }: TransferRow,
): Promise<DocumentRow> {
  const scope: Scope = { kind: "user", userId };
  const held = await findDocument(db, scope, { resource: "projects", id });
  if (!held?.roles.includes("owner")) throw toUnknown();
  try {
    await assertOrganizationOwner(db, scope, { of: held.row, needs: "can offer it" });
  } catch (error) {
    if (error instanceof Fault && error.kind === "forbidden") throw toUnknown();
    throw error;
  }
  return held.row;
}

export function needsConfirmedAddress({ config }: Pick<TransfersApp, "config">): boolean {
  return config.mail.rightsByEmail === "confirmed";
}

export function toUserId({ actor }: Ctx): string {
  // The table of rights admits sessions of users only.
  if (actor.kind !== "user") throw new Error("a transfer needs a user");
  return actor.userId;
}

function toUnknown(): Fault {
  return new Fault("not-found", "This offer is unknown, used or expired.");
}

export async function recordTransfer(
  ctx: Ctx,
  name: `transfer.${"offered" | "revoked" | "accepted" | "declined"}`,
  { id, project_id: projectId, organization_id: organizationId }: TransferRow,
): Promise<void> {
  const data = { transferId: id, ...(organizationId !== null && { organizationId }) };
  await recordEvent(ctx, { name, projectId, documentId: projectId, data });
}
