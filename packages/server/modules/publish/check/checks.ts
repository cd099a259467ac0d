import { readText } from "@avow/contract/json";
import { hrefOf, paths } from "@avow/contract/urls";
import { Fault } from "../../../platform/errors.ts";
import { PaymentsError } from "../../../platform/payments/payments.ts";
import { findSubscription } from "../../../platform/payments/store.ts";
import { findTier, toTier } from "../../billing/billing.ts";
import type { Plan } from "../../billing/plans.ts";
import { getDocument, getProject } from "../../vault/documents/access.ts";
import { type Check, checkContent } from "./rules/rules.ts";
import { siteOf } from "./checking.ts";
import { type Content, parseContent } from "@avow/contract/published";
import { assertWithinLimits, listOverLimits } from "../content/limits.ts";
import { listFileFields, listPictureFields } from "../content/picture-fields.ts";
import type { Outcome, Publishing } from "../publications/publishing.ts";
import type { JobRow } from "../publications/store.ts";

type Checked = Pick<Publishing, "db" | "plans" | "payments" | "now" | "config">;
const system = { kind: "system" } as const;
/** In the message of a job; the check itself tells all. */
const ERRORS_TOLD = 3;

/** Whether the project's plan allows a content as it is before its pictures are made, which only add to it. */
export async function isWithinPlan(app: Checked, job: JobRow, content: Content): Promise<boolean> {
  const plan = await findPlan(app, await getOrganizationId(app, job));
  return listOverLimits(content, plan).length === 0;
}

async function findPlan(app: Checked, organizationId: string | null): Promise<Plan> {
  const { plan } = await findTier(app.db, { plans: app.plans, organizationId, now: app.now() });
  return plan;
}

/**
 * Step 2: the file against what the project's tier allows, and what the publish check says of it. Its
 * errors stop what would go live, unless an owner forces it; staging is there to be looked at.
 * @throws Fault impossible, with what is over or wrong and what to do
 */
export async function checkLimits(app: Checked, job: JobRow): Promise<Outcome> {
  const { organization_id: organizationId, body } = await getOwnProject(app, job);
  const text = contentOf(job);
  const content = parseContent(text);
  const within = assertWithinLimits(text, await findPlan(app, organizationId));
  assertPictured(content);
  const check = checkContent(content, siteOf(app, body));
  const found = `${within} ${sumUp(app, job, check)}`;
  if (check.errors === 0 || job.environment !== "production") return { message: found };
  if (!job.forced) throw new Fault("impossible", toRefusal(app, job, check));
  const rules = check.findings.filter(({ severity }) => severity === "error");
  const overridden = {
    errors: check.errors,
    rules: [...new Set(rules.map(({ rule }) => rule))],
    ...(job.force_reason === null ? {} : { reason: job.force_reason }),
  };
  return {
    message: `${found} An owner publishes in spite of the errors, which is kept with the version.`,
    change: async () => ({ overridden }),
  };
}

/** Nothing is published with an id for a picture: that is what a plan was not to allow, which has changed since. */
function assertPictured(content: Content): void {
  if (listPictureFields(content).length + listFileFields(content).length === 0) return;
  throw new Fault("impossible", "The plan was changed while this was published. Publish again.");
}

function sumUp(app: Checked, job: JobRow, { errors, warnings }: Check): string {
  if (errors + warnings === 0) return "The publish check finds nothing.";
  return `The publish check finds ${toCount(errors, "error")} and ${toCount(warnings, "warning")}: ${toCheckHref(app, job)}.`;
}

function toRefusal(app: Checked, job: JobRow, { findings, errors }: Check): string {
  const told = findings
    .filter(({ severity }) => severity === "error")
    .slice(0, ERRORS_TOLD)
    .map(({ rule, path, message, fix }) => `${message} ${fix} (${rule} at ${path || "/"})`);
  const more = errors > told.length ? ` And ${errors - told.length} more.` : "";
  return `The publish check finds ${toCount(errors, "error")}: ${told.join(" ")}${more} All of them: ${toCheckHref(app, job)}. Mend what is wrong and publish again, or let an owner publish with "force": true. What is live stays live.`;
}

function toCheckHref({ config }: Checked, { project_id: projectId }: JobRow): string {
  return hrefOf(config.http.publicUrl, paths.publishCheck, { projectId });
}

function toCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Step 3: whether an organization is attached to the project, and still there. */
export async function checkOrganization(app: Checked, job: JobRow): Promise<Outcome> {
  const id = await getOrganizationId(app, job);
  if (id === null) return { message: "No organization: free tier." };
  try {
    const access = { resource: "organizations", id, right: "read" } as const;
    const { body } = await getDocument(app.db, system, access);
    return { message: `Organization ${readText(body["name"]) ?? id}.` };
  } catch (error) {
    if (!(error instanceof Fault) || error.kind !== "not-found") throw error;
    const what = "The project's organization is no longer there. Attach the project to another one";
    throw new Fault("impossible", `${what}, or to none, and publish again.`, { cause: error });
  }
}

/**
 * Step 4: the subscription as the payment provider has it now, and the file against it once more:
 * our own table may be behind.
 */
export async function checkSubscription(app: Checked, job: JobRow): Promise<Outcome> {
  const organizationId = await getOrganizationId(app, job);
  const { subscription, source } = await findLatest(app, organizationId);
  const { plan, status } = toTier(app.plans, subscription, app.now());
  assertWithinLimits(contentOf(job), plan);
  if (status === "none") return { message: "No subscription: free tier." };
  return { message: `Plan ${plan.title}; the subscription is ${status} (${source}).` };
}

/** A provider that does not answer holds up nobody: what was last known of the subscription counts meanwhile. */
async function findLatest(app: Checked, organizationId: string | null) {
  const { provider } = app.payments;
  if (organizationId === null) return { subscription: undefined, source: provider };
  try {
    const subscription = await app.payments.findSubscription(organizationId);
    return { subscription, source: provider };
  } catch (error) {
    if (!(error instanceof PaymentsError) || !error.isAway) throw error;
    const subscription = await findSubscription(app.db, organizationId);
    const since = subscription ? `, as known since ${subscription.updatedAt.toISOString()}` : "";
    return { subscription, source: `${provider} does not answer${since}` };
  }
}

/** What the step bundle left for the later ones. */
export function contentOf(job: JobRow): string {
  if (job.content === null) throw new Error(`publish job ${job.id} has no content`);
  return job.content;
}

async function getOrganizationId(app: Checked, job: JobRow): Promise<string | null> {
  return (await getOwnProject(app, job)).organization_id;
}

function getOwnProject(app: Checked, job: JobRow) {
  return getProject(app.db, system, job.project_id);
}
