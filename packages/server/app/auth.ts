import type { EvidenceOptions } from "./evidence.ts";
import type { Secrets } from "../config/config.ts";
import type { Http } from "../http/http.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { notifyAdded } from "../modules/auth/invitations/additions.ts";
import { countOffer, mailOffer } from "../modules/auth/invitations/offers.ts";
import type { HandoverApp } from "../modules/publish/handover/mail-snippet.ts";
import { openRateLimiter } from "../modules/auth/limits/rate-limiter.ts";
import { openSigninAttempts } from "../modules/auth/limits/signin-attempts.ts";
import { openOutbox, startOutbox } from "../modules/auth/mails/outbox.ts";
import { openPasswordPolicy } from "../modules/auth/passwords/policy.ts";
import { startResets } from "../modules/auth/passwords/resets.ts";
import { registerAuthRoutes } from "../modules/auth/routes.ts";
import type { Plans } from "../modules/billing/plans.ts";
import { assertOwnersRemain } from "../modules/vault/members/last-owners.ts";
import {
  type NewMember,
  addMember,
  getTitle,
  isVisible,
} from "../modules/vault/members/members.ts";
import { findBrand } from "../modules/vault/brands/brands.ts";
import type { Lookups, MemberMails } from "../modules/vault/documents/vault.ts";
import { type TransferMails, deleteTransfersToAddress } from "../modules/vault/transfers/offers.ts";
import { removeWebhooks } from "../modules/webhooks/endpoints/endpoints.ts";
import { type Passwords, openPasswords } from "../platform/crypto/passwords.ts";
import { openSealer } from "../platform/crypto/sealing.ts";
import type { Mails } from "../platform/mail/mail.ts";
import { openProvider } from "../platform/providers/open.ts";

/** Opens the auth module: its routes, the rate limits shared by all nodes, and the encrypted outbox of mails. */
export async function openAuth(
  opened: AsyncDisposableStack,
  http: Http,
  shared: Pick<EvidenceOptions, "db" | "now" | "config" | "log" | "jobs"> & {
    mails: Mails;
    mailCounts: { sent: number; failed: number };
    secrets: Secrets;
    secret: Buffer;
    publicUrl: string;
    plans: Plans;
    passwords?: Passwords;
    processes: number;
  },
) {
  const { secret, secrets, now, config } = shared;
  const limiter = openRateLimiter({ ...shared, signupsPerHourMax: config.signupsPerHourMax });
  const providers = (secrets.providers ?? []).map((settings) => openProvider({ settings, now }));
  const sealer = openSealer(secret, "mails");
  await startOutbox({ ...shared, sealer, counts: shared.mailCounts });
  const outbox = openOutbox({ ...shared, sealer, findBrand });
  await startResets({ ...shared, sealer, outbox });
  registerAuthRoutes(http, {
    ...shared,
    sealer,
    factorSealer: openSealer(secret, "second factors"),
    outbox,
    passwords: shared.passwords ?? (await openPasswords({ processes: shared.processes })),
    policy: opened.use(await openPasswordPolicy(config)),
    limiter,
    attempts: openSigninAttempts({ ...shared, limiter }),
    invitationTargets: {
      getTitle,
      addMember: (ctx: Ctx, member: NewMember) => addMember(ctx, shared.plans, member),
    },
    findBrand,
    isBoundByDefault: providers.some((provider) => provider.isOfOrganization),
    accountDeletion: {
      assertOwnersRemain,
      removeWebhooks,
      deleteTransfersTo: (ctx, email) => deleteTransfersToAddress(ctx.tx, email),
    },
    keyProjects: { isVisible },
    providers: new Map(providers.map((provider) => [provider.name, provider])),
  });
  // Rate limit of failed look-ups by id or e-mail address, which reveal who has an account.
  const lookups: Lookups = {
    find: ({ by, now: at }, look) =>
      limiter.countFailure({ limit: "look-ups by user", key: [by], now: at }, look),
  };
  const memberMails: MemberMails = {
    postAdded: (ctx, member) => notifyAdded(ctx, { ...shared, limiter, outbox }, member),
  };
  const transferMails: TransferMails = {
    postOffer: (ctx, offer) => mailOffer(ctx, { limiter, outbox }, offer),
    countOffer: (offer) => countOffer({ limiter }, offer),
  };
  const tryCountMail: HandoverApp["tryCountMail"] = async (tx, { userId, address, now: at }) =>
    (await limiter.tryCount({ limit: "snippets by user", key: [userId], now: at }, tx)) !==
      undefined &&
    (await limiter.tryCount({ limit: "snippets to address", key: [address], now: at }, tx)) !==
      undefined;
  return { outbox, lookups, memberMails, transferMails, tryCountMail };
}
