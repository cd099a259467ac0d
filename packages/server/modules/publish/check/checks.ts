import { readText } from "@avow/contract/json";
import { hrefOf, paths } from "@avow/contract/urls";
import { Fault } from "../../../platform/errors.ts";
import { PaymentsError } from "../../../platform/payments/payments.ts";
import { findSubscription } from "../../../platform/payments/store.ts";
import { findTier, toTier } from "../../billing/billing.ts";
import type { Plan } from "../../billing/plans.ts";
import { getDocument, getProject } from "../../vault/documents/access.ts";
import { type Check, checkContent, isForceable } from "./rules/rules.ts";
import { siteOf } from "./checking.ts";
import { type Content, parseContent } from "@avow/contract/published";
import { assertWithinLimits, listOverLimits } from "../content/limits.ts";
import { listFileFields, listPictureFields } from "../content/picture-fields.ts";
import type { ConfigurationResult, PublishResults } from "../selection/selection.ts";
import { locate } from "./holding.ts";
import type { Outcome, Publishing } from "../publications/publishing.ts";
import type { JobRow } from "../publications/store.ts";

type StepServices = Pick<Publishing, "db" | "plans" | "payments" | "now" | "config">;
const system = { kind: "system" } as const;
/** Maximum number of errors in the message of a job; the check itself lists more. */
const ERRORS_SHOWN = 3;

/** Whether the project's plan allows a content before its pictures are made, which only make it larger. */
export async function isWithinPlan(
  app: StepServices,
  job: JobRow,
  content: Content,
): Promise<boolean> {
  const plan = await findPlan(app, await getOrganizationId(app, job));
  return listOverLimits(content, plan).length === 0;
}

async function findPlan(app: StepServices, organizationId: string | null): Promise<Plan> {
  const { plan } = await findTier(app.db, { plans: app.plans, organizationId, now: app.now() });
  return plan;
}

/**
 * Step 2: checks the file against the limits of the project's tier and the rules of the publish check. Errors of
 * the project stop a publication to production unless an owner forces it; staging allows them. Configurations with
 * errors are held back already: they stop a strict publication, and one that has nothing else to publish.
 * @throws Fault impossible, with the limits or errors and what to do
 */
export async function checkLimits(app: StepServices, job: JobRow): Promise<Outcome> {
  const { organization_id: organizationId, body } = await getOwnProject(app, job);
  const text = contentOf(job);
  const content = parseContent(text);
  const within = assertWithinLimits(text, await findPlan(app, organizationId));
  assertPicturesPublished(content);
  const check = checkContent(content, siteOf(app, body));
  const found = `${within} ${sumUp(app, job, check)}`;
  const errors = listOwnErrors(job, content, check);
  const isOverridable = job.forced || job.environment !== "production";
  const refused = [...(isOverridable ? [] : errors), ...listRefused(job.results, job.strict)];
  if (refused.length > 0) throw new Fault("impossible", toRefusal(app, job, refused));
  if (errors.length === 0 || job.environment !== "production") return { message: found };
  const overridden = {
    errors: errors.length,
    rules: [...new Set(errors.map(({ rule }) => rule))],
    ...(job.force_reason === null ? {} : { reason: job.force_reason }),
  };
  return {
    message: `${found} An owner publishes despite the errors. The version records this.`,
    change: async () => ({ overridden }),
  };
}

interface RefusedFinding {
  rule: string;
  path: string;
  message: string;
  fix: string;
}

/** The errors of the project and of the configurations that the job publishes; what stays live is not checked again. */
function listOwnErrors(
  { results }: JobRow,
  content: Content,
  { findings }: Check,
): RefusedFinding[] {
  const own = results && new Set([...results.published, ...results.unchanged].map(toIdentifier));
  return findings.filter(({ severity, path }) => {
    const located = locate(content, path);
    return severity === "error" && (!own || !located || own.has(located.identifier));
  });
}

/** The findings that held configurations back, if they stop the whole job (wire section 9). */
function listRefused(results: PublishResults | null, isStrict: boolean): RefusedFinding[] {
  if (!results) return [];
  const { published, unchanged, heldBack } = results;
  if (!isStrict && published.length + unchanged.length > 0) return [];
  return heldBack.flatMap(({ collection, identifier, findings }) =>
    findings.map((one) => ({ ...one, path: `${collection} ${identifier}${one.path}` })),
  );
}

function toIdentifier({ identifier }: ConfigurationResult): string {
  return identifier;
}

/** An asset id without a published copy means that the plan did not allow the content before and was changed since. */
function assertPicturesPublished(content: Content): void {
  if (listPictureFields(content).length + listFileFields(content).length === 0) return;
  throw new Fault(
    "impossible",
    "The plan changed while the project was being published. Publish again.",
  );
}

function sumUp(app: StepServices, job: JobRow, { errors, warnings }: Check): string {
  if (errors + warnings === 0) return "The publish check has no findings.";
  return `The publish check finds ${toCount(errors, "error")} and ${toCount(warnings, "warning")}: ${toCheckHref(app, job)}.`;
}

function toRefusal(app: StepServices, job: JobRow, errors: readonly RefusedFinding[]): string {
  const shown = errors
    .slice(0, ERRORS_SHOWN)
    .map(({ rule, path, message, fix }) => `${message} ${fix} (${rule} at ${path || "/"})`);
  const more = errors.length > shown.length ? ` And ${errors.length - shown.length} more.` : "";
  const canForce = errors.every(({ rule }) => isForceable(rule));
  const force = canForce ? ', or let an owner publish with "force": true' : "";
  return `The publish check finds ${toCount(errors.length, "error")}: ${shown.join(" ")}${more} Full list: ${toCheckHref(app, job)}. Fix the errors and publish again${force}. The live version stays live.`;
}

function toCheckHref({ config }: StepServices, { project_id: projectId }: JobRow): string {
  return hrefOf(config.http.publicUrl, paths.publishCheck, { projectId });
}

function toCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Step 3: checks that the project's organization, if any, still exists. */
export async function checkOrganization(app: StepServices, job: JobRow): Promise<Outcome> {
  const id = await getOrganizationId(app, job);
  if (id === null) return { message: "No organization: free tier." };
  try {
    const access = { resource: "organizations", id, right: "read" } as const;
    const { body } = await getDocument(app.db, system, access);
    return { message: `Organization ${readText(body["name"]) ?? id}.` };
  } catch (error) {
    if (!(error instanceof Fault) || error.kind !== "not-found") throw error;
    const what = "The project's organization no longer exists. Attach the project to another one";
    throw new Fault("impossible", `${what}, or to none, and publish again.`, { cause: error });
  }
}

/**
 * Step 4: gets the current subscription from the payment provider, since our own table may be outdated, and
 * checks the file against it again.
 */
export async function checkSubscription(app: StepServices, job: JobRow): Promise<Outcome> {
  const organizationId = await getOrganizationId(app, job);
  const { subscription, source } = await findLatest(app, organizationId);
  const { plan, status } = toTier(app.plans, subscription, app.now());
  assertWithinLimits(contentOf(job), plan);
  if (status === "none") return { message: "No subscription: free tier." };
  return { message: `Plan ${plan.title}; the subscription is ${status} (${source}).` };
}

/** The current subscription, or its last known state while the provider does not respond. */
async function findLatest(app: StepServices, organizationId: string | null) {
  const { provider } = app.payments;
  if (organizationId === null) return { subscription: undefined, source: provider };
  try {
    const subscription = await app.payments.findSubscription(organizationId);
    return { subscription, source: provider };
  } catch (error) {
    if (!(error instanceof PaymentsError) || !error.isUnavailable) throw error;
    const subscription = await findSubscription(app.db, organizationId);
    const since = subscription ? `, as known since ${subscription.updatedAt.toISOString()}` : "";
    return { subscription, source: `${provider} does not respond${since}` };
  }
}

/** The content that the step `bundle` has built. */
export function contentOf(job: JobRow): string {
  if (job.content === null) throw new Error(`publish job ${job.id} has no content`);
  return job.content;
}

async function getOrganizationId(app: StepServices, job: JobRow): Promise<string | null> {
  return (await getOwnProject(app, job)).organization_id;
}

function getOwnProject(app: StepServices, job: JobRow) {
  return getProject(app.db, system, job.project_id);
}
