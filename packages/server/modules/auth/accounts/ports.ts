import type { Ctx } from "../../../kernel/ctx.ts";
import type { InstanceApp } from "../instance/ports.ts";
import type { InvitationsApp } from "../invitations/ports.ts";
import type { PasswordsApp } from "../passwords/ports.ts";

/** The verbs of other modules for an account that is deleted. */
interface AccountDeletion {
  /** Locks the documents of which the user is the only owner. @throws Fault conflict with those that would have no owner */
  assertOwnersRemain(ctx: Ctx): Promise<void>;
  /** Deletes the user's webhooks, which send what the user may see to other addresses. */
  removeWebhooks(ctx: Ctx): Promise<void>;
  /** Deletes the offers of projects to the user's confirmed address. */
  deleteTransfersTo(ctx: Ctx, email: string): Promise<void>;
}

/** Dependencies of the routes of accounts. */
export interface AccountsApp extends InstanceApp, InvitationsApp, PasswordsApp {
  config: InstanceApp["config"] & InvitationsApp["config"] & PasswordsApp["config"];
  accountDeletion: AccountDeletion;
}
