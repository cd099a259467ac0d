import type { Scope } from "../../kernel/actor.ts";
import type { Page, PageQuery } from "../../kernel/page.ts";
import { rolesFor } from "../../kernel/rights.ts";
import { Fault } from "../../platform/errors.ts";
import { type Assessment, assessProject } from "../publish/check/assessing.ts";
import type { Change } from "../publish/changes/changes.ts";
import type { Drafting } from "../publish/publications/reading.ts";
import { type DocumentRow, type ProjectRow, getProject } from "../vault/documents/access.ts";
import { toTitle } from "../vault/documents/documents.ts";
import {
  type StoredRow,
  getTemplate,
  listStoredRows,
  planUpdate,
  templateIdOf,
} from "../vault/documents/inheriting.ts";
import { findBodyFaults } from "../vault/documents/vault.ts";
import type { PlannedDocument, SitePlan } from "../vault/inheritance/plan.ts";
import type { TemplatesApp } from "./ports.ts";
import { listSiteRows } from "./sites-store.ts";

/** Maximum number of each kind of entry in a report. */
const LISTED_MAX = 20;

/** The effect of bringing a site up to its template and publishing it. */
export interface SiteReport {
  projectId: string;
  title: string;
  /** `unchanged`: nothing to do. `blocked`: the publish check would stop it. `skipped`: no right to publish it. */
  result: "changes" | "unchanged" | "blocked" | "skipped";
  /** Why the site is blocked or skipped. */
  message: string | null;
  /** Documents that the template changes; at most 20. */
  documents: { id: string; name: string; resource: string; change: DocumentChange }[];
  /** Open fields that the site has a value of its own for. */
  overrides: number;
  /** Overrides that end, since the template has locked their fields. */
  dropped: string[];
  /** Number of changes of what visitors get, those of the site's own drafts included. */
  count: number;
  /** The first 20; those that ask for more come first. */
  changes: Pick<Change, "class" | "message" | "asks">[];
  /** The people that the changes ask. */
  asks: Change["asks"];
  /** Tokens that have accepted what is asked again, counted up to 100,000. */
  tokens: number;
  /** Configurations that stay at their live version, with the first finding of each. */
  heldBack: { name: string; reason: string }[];
}
type DocumentChange = "created" | "updated" | "removed";

type ReportServices = Pick<TemplatesApp, "checks"> & Parameters<typeof assessProject>[0];

interface ReportedSite {
  templateId: string;
  id: string;
  title: string;
  /** The documents of the template, if the caller has read them. */
  template?: readonly StoredRow[];
}

/**
 * The report of a site, computed without writing. `user` publishes it.
 * @throws Error of the service only; an error of the site is in the report
 */
export async function reportSite(
  app: ReportServices,
  user: Scope,
  { templateId, id, title, template }: ReportedSite,
): Promise<SiteReport> {
  const empty = toEmptyReport(id, title);
  try {
    const site = await getProject(app.db, user, id, "publish");
    if (templateIdOf(site) !== templateId)
      return { ...empty, result: "skipped", message: "The site no longer follows the template." };
    const now = app.now();
    const plan = await planUpdate(app.db, { siteId: id, templateId, now, template });
    const known = { ...empty, title: toTitle(site), ...toPlanned(plan) };
    const invalid = plan.documents.find(({ resource, body }) => hasFaults(app, resource, body));
    if (invalid) return { ...known, result: "blocked", message: toInvalid(app, invalid) };
    const assessment = await assessProject(app, site, toDrafting(plan, site, now));
    return { ...known, ...toAssessed(plan, site, assessment) };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const isRight = error.kind === "not-found" || error.kind === "forbidden";
    return { ...empty, result: isRight ? "skipped" : "blocked", message: error.message };
  }
}

function toEmptyReport(projectId: string, title: string): SiteReport {
  return {
    projectId,
    title,
    result: "unchanged",
    message: null,
    documents: [],
    overrides: 0,
    dropped: [],
    count: 0,
    changes: [],
    asks: "nobody",
    tokens: 0,
    heldBack: [],
  };
}

function toPlanned({ documents, removed }: SitePlan) {
  const changed = documents.flatMap(({ kind, id, resource, body }) =>
    kind === "unchanged" ? [] : [{ id, resource, name: toTitle({ id, body }), change: kind }],
  );
  const gone = removed.map(({ id, resource, body }) => ({
    id,
    resource,
    name: toTitle({ id, body }),
    change: "removed" as const,
  }));
  return {
    documents: [...changed, ...gone].slice(0, LISTED_MAX),
    overrides: documents.reduce((sum, one) => sum + one.overrides.length, 0),
    dropped: documents.flatMap(({ dropped }) => dropped).slice(0, LISTED_MAX),
  };
}

function hasFaults(app: ReportServices, resource: string, body: PlannedDocument["body"]): boolean {
  return findBodyFaults(app, resource, body).length > 0;
}

function toInvalid(app: ReportServices, { id, resource, body }: PlannedDocument): string {
  const [fault] = findBodyFaults(app, resource, body);
  return `The site's own values are not valid in “${toTitle({ id, body })}” of the template: ${fault?.path ?? ""} ${fault?.message ?? ""}.`;
}

function toAssessed(plan: SitePlan, site: ProjectRow, assessment: Assessment) {
  const { changes, asksAgain, heldBack, blocked, findings } = assessment;
  const asks = (["again", "first"] as const).find((kind) =>
    changes.changes.some((change) => change.asks === kind),
  );
  const isSame = site.live_version !== null && changes.count === 0 && plan.isCurrent;
  const error = findings.find(({ severity }) => severity === "error");
  return {
    result: blocked ? ("blocked" as const) : isSame ? ("unchanged" as const) : ("changes" as const),
    message: blocked && error ? `${error.message} ${error.fix}` : null,
    count: changes.count,
    changes: changes.changes
      .slice(0, LISTED_MAX)
      .map(({ class: kind, message, asks: asked }) => ({ class: kind, message, asks: asked })),
    asks: asksAgain.count > 0 ? ("again" as const) : (asks ?? ("nobody" as const)),
    tokens: asksAgain.tokens,
    heldBack: heldBack.slice(0, LISTED_MAX).map(({ name, reason }) => ({ name, reason })),
  };
}

/** Puts the planned documents in the place of the stored ones. */
function toDrafting(plan: SitePlan, site: ProjectRow, now: Date): Drafting {
  const planned = new Map(plan.documents.map((one) => [one.id, one]));
  const removed = new Set(plan.removed.map(({ id }) => id));
  const toDrafted = <R extends DocumentRow>(row: R): R => {
    const body = planned.get(row.id)?.body;
    return body ? { ...row, body } : row;
  };
  const created = plan.documents
    .filter(({ kind }) => kind === "created")
    .map(({ id, resource, body }): DocumentRow => {
      const own = { id, resource, body, project_id: site.id, version: 1 };
      return { ...site, ...own, created_at: now, live_version: null, published_at: null };
    });
  return {
    toDrafted,
    toDraftedList: (rows) => [
      ...rows.filter(({ id }) => !removed.has(id)).map((row) => toDrafted(row)),
      ...created,
    ],
  };
}

/**
 * One page of the report of a template's sites, in the order of their titles. Writes nothing.
 * @throws Fault not-found (the project, or no template), forbidden
 */
export async function reportSites(
  app: ReportServices,
  scope: Scope,
  query: PageQuery & { templateId: string },
): Promise<Page<SiteReport>> {
  const { templateId } = query;
  await getTemplate(app.db, scope, templateId);
  const { items: sites, total } = await listSiteRows(app.db, scope, query);
  const user = scope.kind === "user" ? { ...scope, roles: rolesFor("publish") } : scope;
  const template = await listStoredRows(app.db, templateId);
  const items: SiteReport[] = [];
  for (const { id, title, roles } of sites) {
    const shown = { templateId, id, title: roles.length > 0 ? title : id, template };
    items.push(await reportSite(app, user, shown));
  }
  return { items, total };
}
