import { diffPublications } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { type ShownProject, toHost } from "../../data/projects/project.ts";
import type { AuditedProject } from "../../data/projects/projects.ts";
import { type Visits, toProjectState } from "../../data/projects/project-state.ts";
import { readWaiting } from "../../data/projects/publishing.ts";
import { useLoad } from "../../data/use-load.ts";
import { toInstant, toNumber, toPercent } from "../../browser/format.ts";
import { toHref } from "../../browser/router.ts";
import { Icon } from "../../ui/icons.tsx";
import { Ago, Badge } from "../../ui/parts.tsx";
import { Sparkline } from "../../ui/sparkline.tsx";
import { publishingWords } from "../../words/publishing/words.ts";
import { sitesWords } from "../../words/sites/words.ts";
import { words } from "../../words/words.ts";
import { StateBadge } from "../project/state-badge.tsx";

/** A project as a row of the list. Auditors see neither its plan nor its changes. */
export type ListedProject = { isUnopened: boolean } & (
  | ({ role: "member" } & ShownProject)
  | ({ role: "auditor" } & AuditedProject)
);

/** Undefined: still loading; null: not readable. */
type LoadedVisits = Visits | null | undefined;

function None() {
  return <span class="soft">–</span>;
}

function Loading() {
  return <span class="soft">…</span>;
}

export function ProjectCell({ row, owner }: { row: ListedProject; owner: string | undefined }) {
  return (
    <>
      <a class="row-link" href={toHref(`/projects/${row.id}`)}>
        {row.title}
      </a>
      <span class="soft cut">{toHost(row.site)}</span>
      {row.role === "member" && <TemplateBadge project={row} />}
      {row.role === "member" && owner !== undefined && (
        <a class="of" href={toHref(`/organizations/${row.organizationId}`)}>
          <Icon name="building" />
          {owner}
        </a>
      )}
      {row.role === "member" && row.groups.length > 0 && (
        <ul class="tags" aria-label={sitesWords.value.groups.title}>
          {row.groups.map((name) => (
            <li key={name}>
              <Badge>{name}</Badge>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Marks a template, and a site of one. */
function TemplateBadge({ project: { isTemplate, templateId } }: { project: ShownProject }) {
  const { template, siteOfTemplate } = words.value.projects;
  if (isTemplate) return <Badge tone="good">{template}</Badge>;
  return templateId === undefined ? null : <Badge>{siteOfTemplate}</Badge>;
}

export function StateCell({ row, visits }: { row: ListedProject; visits: LoadedVisits }) {
  return (
    <>
      {row.role === "auditor" ? null : !row.isLive ? (
        <StateBadge state="unpublished" />
      ) : visits ? (
        <StateBadge state={toProjectState(row, visits)} />
      ) : visits === null ? (
        <None />
      ) : (
        <Loading />
      )}
      {row.publishedAt !== undefined && (
        <span class="soft under">
          {words.value.projects.published} <Ago at={row.publishedAt} />
        </span>
      )}
    </>
  );
}

/** The acceptance rate of the last 30 days. */
export function RateCell({ row, visits }: { row: ListedProject; visits: LoadedVisits }) {
  const { projects } = words.value;
  if (row.isUnopened || visits === null) return <None />;
  if (visits === undefined) return <Loading />;
  const { rate, lastRate = 0, days, answered } = visits;
  if (rate === undefined) return <span class="soft">{projects.noAnswers}</span>;
  return (
    <span class="rate" title={projects.answers(toNumber(answered))}>
      <Sparkline values={days} />
      <span>
        {toPercent(rate)}
        <span class="soft under">{projects.lastDay(toPercent(lastRate))}</span>
      </span>
    </span>
  );
}

/** The name of a plan, without loading the list of plans, or the role of an auditor. */
export function toPlan(row: ListedProject): string {
  const { projects, team } = words.value;
  if (row.role === "auditor") return team.roles.auditor;
  return row.plan === "free" ? projects.free : row.plan.charAt(0).toUpperCase() + row.plan.slice(1);
}

/** The number of unpublished changes, and the next scheduled publication. */
export function ChangesCell({ row }: { row: ListedProject }) {
  return row.isUnopened || row.role === "auditor" ? <None /> : <Changes project={row} />;
}

function Changes({ project: { id, publishedAt } }: { project: ShownProject }) {
  const loaded = useLoad(async () => {
    const path = { projectId: id, from: "live", to: "next" };
    const [[next], diff] = await Promise.all([
      readWaiting(id),
      publishedAt === undefined ? undefined : send(diffPublications, { path }),
    ]);
    return { count: diff?.count, next: next?.publishAt };
  }, [id]);
  if (loaded.state === "loading") return <Loading />;
  // An unpublished project has no version to compare with.
  if (loaded.state === "failed") return <None />;
  const { count, next } = loaded.value;
  return (
    <>
      <Count count={count} />
      {next !== undefined && (
        <span class="soft under">{publishingWords.value.schedule.on(toInstant(next))}</span>
      )}
    </>
  );
}

/** The number of changes; undefined if nothing was published. */
function Count({ count }: { count: number | undefined }) {
  const { projects } = words.value;
  if (count === undefined) return <span class="soft">{projects.firstPublication}</span>;
  if (count === 0) return <span class="soft">{projects.upToDate}</span>;
  return <Badge tone="warn">{projects.unpublished(count)}</Badge>;
}
