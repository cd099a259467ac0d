// avow set-plan: sets the plan of an organization, for services without a payment provider (wire section 8, the manual
// provider).
import { parseOptions, readChoice } from "@avow/cli/arguments";
import { UsageError } from "@avow/cli/errors";
import { pino } from "pino";
import { parseInstants } from "@avow/contract/instants";
import { loadConfig } from "../config/config.ts";
import { setSubscription } from "../modules/billing/billing.ts";
import { type Plans, toPlans } from "../modules/billing/plans.ts";
import { toCtx } from "../kernel/ctx.ts";
import { openDatabase } from "../platform/db/open.ts";
import { inTransaction } from "../platform/db/transaction.ts";
import { openAddress } from "@avow/postgres/address";
import { documentIdPattern } from "../kernel/ids.ts";
import { type SubscriptionStatus, subscriptionStatuses } from "../platform/payments/payments.ts";

interface Subscription {
  organizationId: string;
  plan: string;
  status: SubscriptionStatus;
  currentPeriodEnd: Date | null;
}

const log = pino({ level: "warn" }, pino.destination({ fd: 2, sync: true }));

/** Runs `avow set-plan`; returns the exit status. */
export async function runPlan(args: string[]): Promise<number> {
  const { config, secrets } = loadConfig();
  const plans = toPlans(config);
  const parsed = parseOptions(args, toHelp(plans), {
    status: { type: "string" },
    until: { type: "string" },
  });
  if (!parsed) return 0;
  const subscription = toSubscription(parsed);
  await using database = await openAddress({ ...config, ...secrets, log });
  await setPlan(database.url, plans, subscription);
  const { organizationId, plan, status, currentPeriodEnd } = subscription;
  const until = currentPeriodEnd ? ` until ${currentPeriodEnd.toISOString()}` : "";
  console.log(`Organization ${organizationId}: ${plan}, ${status}${until}`);
  return 0;
}

function toSubscription({
  positionals,
  values,
}: {
  positionals: string[];
  values: { status?: string; until?: string };
}): Subscription {
  const [organizationId = "", plan = "", ...more] = positionals;
  if (!plan || more.length > 0) throw new UsageError("Give an organization's id and a plan.");
  if (!documentIdPattern.test(organizationId))
    throw new UsageError(`${organizationId} is not an id: 24 lower-case hexadecimal characters.`);
  const status = readChoice("status", values.status ?? "active", subscriptionStatuses);
  return { organizationId, plan, status, currentPeriodEnd: toEnd(values.until) };
}

function toEnd(text: string | undefined): Date | null {
  if (text === undefined) return null;
  const end = parseInstants(text)?.last;
  if (!end) throw new UsageError(`--until: expected a day such as 2027-12-31, got ${text}.`);
  return end;
}

async function setPlan(url: string, plans: Plans, subscription: Subscription): Promise<void> {
  const db = openDatabase({ url, poolMax: 1, queueMax: 1, log });
  try {
    const actor = { kind: "system", name: "operator" } as const;
    await inTransaction(db, (tx) =>
      setSubscription(
        toCtx({ tx, actor, now: new Date(), requestId: undefined }),
        { plans },
        subscription,
      ),
    );
  } finally {
    await db.destroy();
  }
}

function toHelp(plans: Plans): string {
  return [
    "Usage: avow set-plan ORGANIZATION_ID PLAN [--status STATUS] [--until DATE]",
    "",
    "Sets an organization's plan.",
    "",
    `  PLAN            one of ${[...plans.byName.keys()].join(", ")}`,
    `  --status STATUS one of ${subscriptionStatuses.join(", ")}; default: active`,
    "  --until DATE    the last day that is paid for, such as 2027-12-31; default: no end.",
    "                  BILLING_GRACE_DAYS (14) later the organization falls back to the free plan.",
    "",
    "Works on DATABASE_URL, or else on the embedded database in DATA_DIR (default ./data),",
    "whether the service is running or not.",
    "",
  ].join("\n");
}
