import type { Scope } from "../../../kernel/actor.ts";
import { readByProject } from "../../../platform/db/buckets/buckets.ts";
import { listDocuments, rolesThatAllow } from "../../vault/documents/access.ts";
import { type Counts, noCounts } from "./counts.ts";
import { sumSites } from "./sites-store.ts";
import type { StatsApp } from "./stats.ts";

/** The counts of a project in a period, and in the equally long one before it. */
interface Site {
  projectId: string;
  title: string;
  counts: Counts;
  before: Counts;
}

export interface SitesStats {
  /** UTC days. */
  from: Date;
  to: Date;
  /** Most answers first. */
  sites: Site[];
  /** Whether the scope sees more projects than were compared. */
  isPartial: boolean;
}

const DAY_MS = 86_400_000;
/** Limit of compared projects: the oldest ones. */
const SITES_MAX = 200;

/** Compares the projects that the scope sees, of one organization or group or of all, by their last whole `days` UTC days. */
export async function getSitesStats(
  { db, buckets, now }: StatsApp,
  scope: Scope,
  {
    organization,
    group,
    days,
  }: { organization: string | undefined; group: string | undefined; days: number },
): Promise<SitesStats> {
  const { items, total } = await listDocuments(db, scope, {
    resource: "projects",
    held: rolesThatAllow(scope),
    jsonpath: [
      ...(organization === undefined ? [] : [`$.organizationId == "${organization}"`]),
      ...(group === undefined ? [] : [`$.groups == ${JSON.stringify(group)}`]),
    ],
    columns: [],
    sort: [],
    page: 1,
    perPage: SITES_MAX,
  });
  const to = new Date(Math.floor(now().getTime() / DAY_MS) * DAY_MS);
  const [from, first] = [1, 2].map((times) => new Date(to.getTime() - times * days * DAY_MS)) as [
    Date,
    Date,
  ];
  const keys = items.map(({ id: projectId }) => ({ projectId }));
  const rows = await readByProject(buckets, keys, (data, own) =>
    sumSites(data, {
      from: first,
      middle: from,
      to,
      projectIds: own.map(({ projectId }) => projectId),
    }),
  );
  const countsOf = (projectId: string, isBefore: boolean): Counts => {
    const row = rows.find((one) => one.projectId === projectId && one.isBefore === isBefore);
    if (!row) return { ...noCounts };
    const { shown, accepted, partly, refused, displayed } = row;
    return {
      shown,
      accepted,
      partly,
      refused,
      displayed,
      ignored: Math.max(0, shown - displayed),
    };
  };
  const sites = items.map(({ id, body }): Site => {
    const { title } = body as { title?: string };
    return {
      projectId: id,
      title: title ?? id,
      counts: countsOf(id, false),
      before: countsOf(id, true),
    };
  });
  return {
    from,
    to,
    sites: sites.toSorted((a, b) => sizeOf(b) - sizeOf(a)),
    isPartial: total > items.length,
  };
}

/** The number of answers of projects in a period of UTC days, by project. */
export async function listAnswerTotals(
  { buckets }: Pick<StatsApp, "buckets">,
  { projectIds, from, to }: { projectIds: readonly string[]; from: Date; to: Date },
): Promise<Map<string, number>> {
  const keys = projectIds.map((projectId) => ({ projectId }));
  const rows = await readByProject(buckets, keys, (data, own) =>
    sumSites(data, { from, middle: from, to, projectIds: own.map(({ projectId }) => projectId) }),
  );
  return new Map(
    rows.map(({ projectId, accepted, partly, refused }) => [
      projectId,
      accepted + partly + refused,
    ]),
  );
}

function sizeOf({ counts: { accepted, partly, refused } }: Site): number {
  return accepted + partly + refused;
}
