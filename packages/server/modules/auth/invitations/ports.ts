import type { Config } from "../../../config/config.ts";
import type { Scope } from "../../../kernel/actor.ts";
import type { Ctx } from "../../../kernel/ctx.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";
import type { RateLimiter } from "../limits/rate-limiter.ts";
import type { LetterBrand } from "../mails/letters.ts";
import type { Outbox } from "../mails/outbox.ts";
import type { Role } from "../users/schema.ts";

/** The document that an invitation is for. */
export interface InvitationTarget {
  collection: "projects" | "organizations";
  id: string;
}

/** The vault's verbs that invitations need. */
interface InvitationTargets {
  /** The title of a document, for a user who may grant rights on it. @throws Fault not-found, forbidden */
  getTitle(db: Db | Tx, scope: Scope, target: InvitationTarget): Promise<string>;
  /**
   * Grants the user a further role on behalf of the inviter.
   * @throws Fault not-found when the document was deleted, or the inviter has lost the right to invite
   */
  addMember(
    ctx: Ctx,
    member: InvitationTarget & { userId: string; role: Role; invitedBy: string },
  ): Promise<void>;
}

/** Dependencies of the routes of invitations. */
export interface InvitationsApp {
  db: Db;
  now: () => Date;
  publicUrl: string;
  config: { mail: Pick<Config["mail"], "rightsByEmail"> };
  invitationTargets: InvitationTargets;
  /** Whether invitations are bound to the invited address if the inviter does not choose. */
  isBoundByDefault: boolean;
  /** The brand of the organization that a document is or belongs to. */
  findBrand: (
    db: Db | Tx,
    documentId: string,
  ) => Promise<(LetterBrand & { logo?: string }) | undefined>;
  limiter: RateLimiter;
  outbox: Outbox;
}
