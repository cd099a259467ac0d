import type { Scope } from "../../../kernel/actor.ts";
import { Fault } from "../../../platform/errors.ts";
import { findTier } from "../../billing/billing.ts";
import { type ProjectRow, getProject } from "../../vault/documents/access.ts";
import { type Check, checkContent } from "./rules/rules.ts";
import type { Finding, Site } from "./rules/finding.ts";
import type { Project } from "@avow/contract/configuration";
import { type Content, listNames } from "@avow/contract/published";
import { toCanonical } from "../content/content.ts";
import { assertWithinLimits } from "../content/limits.ts";
import type { AsksAgain } from "../publications/materiality.ts";
import { type ReadServices, findNextAsksAgain, readNext } from "./next.ts";
import type { Publishing } from "../publications/publishing.ts";
import { type ContentSource, findLiveContent } from "../publications/reading.ts";
import type { HeldBack } from "../selection/selection.ts";
import { withHeldBack } from "../selection/composed.ts";
import { listHeldBack, locate } from "./holding.ts";

export type CheckServices = ReadServices & Pick<Publishing, "plans">;

/** The findings about a content that would be published, and the configurations that would be held back. */
export interface HoldingCheck extends Check {
  heldBack: HeldBack[];
  /** Whether nothing would be published. */
  blocked: boolean;
}

/**
 * Checks the current state of a project against the rules and its plan, lists the configurations that would be
 * held back, and counts the re-consents that publishing all of it would cause. Publishes nothing (wire section 3).
 * @throws Fault not-found, impossible when no content can be built
 */
export async function checkProject(
  app: CheckServices,
  scope: Scope,
  projectId: string,
): Promise<HoldingCheck & { asksAgain: AsksAgain }> {
  const project = await getProject(app.db, scope, projectId);
  const source = await readNext(app, { projectId, environment: "production" });
  return {
    ...(await checkHolding(app, project, source)),
    asksAgain: await findNextAsksAgain(app, projectId, source.content),
  };
}

/** Checks a content, and lists the configurations that would be held back if it were published to production. */
export async function checkHolding(
  app: CheckServices,
  project: ProjectRow,
  { content, versions }: Pick<ContentSource, "content" | "versions">,
): Promise<HoldingCheck> {
  const target = { projectId: project.id, environment: "production" } as const;
  const live = await findLiveContent(app.db, target, content);
  const heldBack = listHeldBack({
    content,
    live,
    versions,
    selection: null,
    site: siteOf(app, project.body),
    holdsForceable: true,
  });
  const found = await checkNext(app, project, content);
  const held = new Set(heldBack.map(({ identifier }) => identifier));
  const rest = await checkNext(app, project, withHeldBack(content, live, held));
  const count = listNames.reduce((sum, list) => sum + content[list].length, 0);
  const blocked =
    (heldBack.length > 0 && heldBack.length === count) ||
    rest.findings.some(
      ({ severity, path }) => severity === "error" && locate(content, path) === undefined,
    );
  return { ...found, heldBack, blocked };
}

/** Checks a content of a project against the rules and the limits of its plan. */
export async function checkNext(
  app: CheckServices,
  project: ProjectRow,
  content: Content,
): Promise<Check> {
  const organizationId = project.organization_id;
  const { plan } = await findTier(app.db, { plans: app.plans, organizationId, now: app.now() });
  const found = checkContent(content, siteOf(app, project.body));
  const limits = findOverLimits(content, plan);
  return {
    ...found,
    findings: [...limits, ...found.findings],
    errors: found.errors + limits.length,
  };
}

/** The hosts that a page of the project's website contacts anyway, and the website's languages. */
export function siteOf(
  { config }: Pick<CheckServices, "config">,
  { websiteURL, locales = [] }: Project,
): Site {
  const own = [config.http.publicUrl, config.cdnUrl, websiteURL];
  return {
    hosts: new Set(own.flatMap((url) => (URL.canParse(url) ? new URL(url).host : []))),
    locales,
  };
}

function findOverLimits(
  content: Content,
  plan: Parameters<typeof assertWithinLimits>[1],
): Finding[] {
  try {
    assertWithinLimits(toCanonical(content), plan);
    return [];
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return [
      {
        rule: "plan",
        severity: "error",
        source: "the plan of the project's organization",
        path: "",
        message: error.message,
        fix: "Change the project or its plan.",
        about: [],
      },
    ];
  }
}
