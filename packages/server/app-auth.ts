import type { EvidenceOptions } from "./app-evidence.ts";
import type { Secrets } from "./config/config.ts";
import { openAsks } from "./modules/auth/asks.ts";
import { openSignups } from "./modules/auth/signups.ts";
import { openAttempts } from "./modules/auth/attempts.ts";
import { openOutbox, startOutbox } from "./modules/auth/mails/outbox.ts";
import { openPasswordPolicy } from "./modules/auth/password-policy.ts";
import { openLookups } from "./modules/auth/lookups.ts";
import { startResets } from "./modules/auth/resets.ts";
import { registerAuthRoutes } from "./modules/auth/routes.ts";
import type { Plans } from "./modules/billing/plans.ts";
import { type NewMember, addMember, getTitle, isVisible } from "./modules/vault/members.ts";
import { assertOwnersRemain } from "./modules/vault/leaving.ts";
import { removeWebhooks } from "./modules/webhooks/endpoints/endpoints.ts";
import type { Ctx } from "./kernel/ctx.ts";
import type { Http } from "./http/http.ts";
import type { Mails } from "./platform/mail/mail.ts";
import { type Passwords, openPasswords } from "./platform/crypto/passwords.ts";
import { openProvider } from "./platform/providers/open.ts";
import { openSealer } from "./platform/crypto/sealing.ts";

/** Identities: their routes, limits that hold on all nodes, and the outbox of mails, which wait sealed in a queue. */
export async function openAuth(
  opened: AsyncDisposableStack,
  http: Http,
  shared: Pick<EvidenceOptions, "db" | "now" | "config" | "log" | "jobs"> & {
    mails: Mails;
    secrets: Secrets;
    secret: Buffer;
    publicUrl: string;
    plans: Plans;
    passwords?: Passwords;
  },
) {
  const { secret, secrets, now } = shared;
  const providers = (secrets.providers ?? []).map((settings) => openProvider({ settings, now }));
  const sealer = openSealer(secret, "mails");
  await startOutbox({ ...shared, sealer });
  const outbox = openOutbox({ ...shared, sealer });
  await startResets({ ...shared, sealer, outbox });
  registerAuthRoutes(http, {
    ...shared,
    sealer,
    factorSealer: openSealer(secret, "second factors"),
    outbox,
    passwords: shared.passwords ?? (await openPasswords()),
    policy: opened.use(await openPasswordPolicy(shared.config)),
    attempts: openAttempts(shared),
    asks: openAsks(shared),
    signups: openSignups({ ...shared, perHourMax: shared.config.signupsPerHourMax }),
    invitedTo: {
      getTitle,
      addMember: (ctx: Ctx, member: NewMember) => addMember(ctx, shared.plans, member),
    },
    leaving: { assertOwnersRemain, removeWebhooks },
    keyProjects: { isVisible },
    providers: new Map(providers.map((provider) => [provider.name, provider])),
  });
  return { outbox, lookups: openLookups(shared) };
}
