import { hrefOf, paths } from "../../paths.ts";
import { Fault } from "../../platform/errors.ts";
import { findTier, toTier } from "../billing/billing.ts";
import { getDocument, getProject } from "../vault/access.ts";
import { type Check, checkContent } from "./check/check.ts";
import { hostsOf } from "./checking.ts";
import type { Content } from "./content.ts";
import { assertWithinLimits } from "./limits.ts";
import type { Publishing } from "./publishing.ts";
import type { JobRow } from "./store.ts";

type Checked = Pick<Publishing, "db" | "plans" | "payments" | "now" | "config">;
const system = { kind: "system" } as const;

/** Step 2: the file against what the project's tier allows. */
export async function checkLimits(app: Checked, job: JobRow): Promise<string> {
  const { organization_id: organizationId, body } = await getOwnProject(app, job);
  const { plan } = await findTier(app.db, { plans: app.plans, organizationId, now: app.now() });
  const text = contentOf(job);
  const hosts = hostsOf(app, body["websiteURL"]);
  return `${assertWithinLimits(text, plan)} ${sumUpCheck(app, job, checkContent(JSON.parse(text) as Content, hosts))}`;
}

function sumUpCheck(app: Checked, job: JobRow, { errors, warnings }: Check): string {
  const where = hrefOf(app.config.http.publicUrl, paths.publishCheck, {
    projectId: job.project_id,
  });
  if (errors + warnings === 0) return "The publish check finds nothing.";
  return `The publish check finds ${toCount(errors, "error")} and ${toCount(warnings, "warning")}: ${where}.`;
}

function toCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Step 3: whether an organization is attached to the project, and still there. */
export async function checkOrganization(app: Checked, job: JobRow): Promise<string> {
  const id = await getOrganizationId(app, job);
  if (id === null) return "No organization: free tier.";
  try {
    const access = { resource: "organizations", id, right: "read" } as const;
    const { body } = await getDocument(app.db, system, access);
    return `Organization ${typeof body["name"] === "string" ? body["name"] : id}.`;
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
export async function checkSubscription(app: Checked, job: JobRow): Promise<string> {
  const organizationId = await getOrganizationId(app, job);
  const subscription =
    organizationId === null ? undefined : await app.payments.findSubscription(organizationId);
  const { plan, status } = toTier(app.plans, subscription, app.now());
  assertWithinLimits(contentOf(job), plan);
  if (status === "none") return "No subscription: free tier.";
  return `Plan ${plan.title}; the subscription is ${status} (${app.payments.provider}).`;
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
  return getProject(app.db, system, job.project_id, "read");
}
