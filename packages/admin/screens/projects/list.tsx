import { useEffect, useState } from "preact/hooks";
import { diffPublications } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { readGroupNames } from "../../data/projects/groups.ts";
import { readNames } from "../../data/projects/organizations.ts";
import { type ShownProject, toHost } from "../../data/projects/project.ts";
import {
  type AuditedProject,
  projectOrders,
  readProjectsPage,
} from "../../data/projects/projects.ts";
import { useSavedChoice } from "../../data/saved-choice.ts";
import { readWaiting } from "../../data/projects/publishing.ts";
import { type Visits, readVisits, toProjectState } from "../../data/projects/project-state.ts";
import { type Addition, readAdditions } from "../../data/projects/additions.ts";
import { type LoadResult, useLoad } from "../../data/use-load.ts";
import { toInstant, toNumber, toPercent } from "../../browser/format.ts";
import { toHref } from "../../browser/router.ts";
import { Choice } from "../../ui/forms/form.tsx";
import { SearchField } from "../../ui/forms/search-field.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Page } from "../../ui/page.tsx";
import { Pager, usePage } from "../../ui/pager.tsx";
import { Ago, Badge, Empty } from "../../ui/parts.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { Sparkline } from "../../ui/sparkline.tsx";
import { StateBadge } from "../project/state-badge.tsx";
import { Additions } from "./additions.tsx";
import { GroupsDialog } from "./groups.tsx";
import { OfferedProjects } from "./offered.tsx";
import { publishingWords } from "../../words/publishing/words.ts";
import { sitesWords } from "../../words/sites/words.ts";
import { words } from "../../words/words.ts";

/** Page size: small, because the changes of each project are loaded. */
const PER_PAGE = 12;
const FILTER_AFTER_MS = 200;

/** The user's projects. */
export default function Projects() {
  const { projects } = words.value;
  const sites = sitesWords.value;
  const [page, setPage] = usePage();
  const [sort, setSort] = useSavedChoice("projects-order", projectOrders);
  const [typed, setTyped] = useState("");
  // A short list needs no filter.
  const [isLong, setLong] = useState(false);
  const text = useSettled(typed.trim());
  const [group, setGroup] = useState("");
  const [isGrouping, setGrouping] = useState(false);
  const groups = useLoad(readGroupNames, []);
  const groupNames = groups.state === "ready" ? groups.value : [];
  const loaded = useLoad(async () => {
    const [found, additions] = await Promise.all([
      readProjectsPage({ page, perPage: PER_PAGE, sort, text, group }),
      readAdditions(),
    ]);
    if (text === "" && group === "") setLong(found.total > PER_PAGE);
    const isOwned = found.all.some((one) => one.organizationId !== null);
    return { ...found, additions, names: isOwned ? await readNames() : new Map() };
  }, [page, sort, text, group]);
  const isEmpty =
    loaded.state === "ready" && loaded.value.total === 0 && text === "" && group === "";
  const create = (
    <a class="button primary" href={toHref("/projects/new")}>
      <Icon name="plus" />
      {projects.create}
    </a>
  );
  return (
    <Page title={projects.title} lead={projects.lead} actions={!isEmpty && create}>
      {(isLong || groupNames.length > 0) && (
        <div class="list-controls">
          <SearchField
            label={projects.filter}
            value={typed}
            onValue={(value) => {
              setTyped(value);
              setPage(1);
            }}
          />
          {groupNames.length > 0 && (
            <Choice
              name="group"
              label={sites.groups.filter}
              value={group}
              options={[["", sites.groups.all], ...groupNames.map((name) => [name, name] as const)]}
              onChange={(value) => {
                setGroup(value);
                setPage(1);
              }}
            />
          )}
          <Choice
            name="order"
            label={projects.order}
            value={sort}
            options={projectOrders.map((one) => [one, projects.orders[one]])}
            onChange={(value) => {
              setSort(projectOrders.find((one) => one === value) ?? projectOrders[0]);
              setPage(1);
            }}
          />
        </div>
      )}
      <LoadView of={loaded} lines={6}>
        {({ all, audited, total, names, additions }) => (
          <>
            <OfferedProjects />
            <Additions all={additions} onLeave={loaded.reload} />
            {total === 0 && (text !== "" || group !== "") ? (
              <p class="soft" role="status">
                {group === "" ? projects.noMatch(text) : sites.groups.noMatch}
              </p>
            ) : total === 0 ? (
              <Empty icon="globe" title={projects.emptyTitle} text={projects.empty}>
                {create}
              </Empty>
            ) : (
              <>
                <Table projects={all} audited={audited} names={names} additions={additions} />
                <Pager page={page} perPage={PER_PAGE} total={total} onPage={setPage} />
                {all.length > 0 && (
                  <p class="list-actions">
                    <button type="button" class="button" onClick={() => setGrouping(true)}>
                      {sites.groups.edit}
                    </button>
                  </p>
                )}
              </>
            )}
          </>
        )}
      </LoadView>
      {isGrouping && (
        <GroupsDialog
          filter={{ text, group }}
          onChanged={() => {
            groups.reload();
            loaded.reload();
          }}
          onClose={() => setGrouping(false)}
        />
      )}
    </Page>
  );
}

/** A text once it has not changed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), FILTER_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

interface TableProps {
  projects: readonly ShownProject[];
  audited: readonly AuditedProject[];
  /** The names of organizations. */
  names: ReadonlyMap<string, string>;
  additions: readonly Addition[];
}

function Table({ projects: all, audited, names, additions }: TableProps) {
  const { projects } = words.value;
  // A request to a project would show the user to its members, so the list makes none.
  const unopened = new Set<string | null>(additions.map(({ id }) => id));
  // Auditors do not see which organization a project belongs to.
  const auditsUnopened = additions.some(({ collection }) => collection === "organizations");
  return (
    <div class="table-card">
      <table class="stacked">
        <thead>
          <tr>
            <th scope="col">{projects.one}</th>
            <th scope="col">{projects.state}</th>
            <th scope="col">{projects.rate}</th>
            <th scope="col">{projects.tier}</th>
            <th scope="col">{projects.changes}</th>
          </tr>
        </thead>
        <tbody>
          {all.map((project) => (
            <Row
              key={project.id}
              project={project}
              names={names}
              isUnopened={unopened.has(project.id) || unopened.has(project.organizationId)}
            />
          ))}
          {audited.map((project) => (
            <AuditedRow
              key={project.id}
              project={project}
              isUnopened={unopened.has(project.id) || auditsUnopened}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  project: ShownProject;
  names: ReadonlyMap<string, string>;
  isUnopened: boolean;
}

function Row({ project, names, isUnopened }: RowProps) {
  const { projects } = words.value;
  const { id, title, site, plan, publishedAt, organizationId } = project;
  const visits = useLoad(
    async () => (isUnopened ? undefined : await readVisits(id)),
    [id, isUnopened],
  );
  // Users with a role on the project alone cannot see its organization.
  const belongsTo = organizationId === null ? undefined : names.get(organizationId);
  return (
    <tr>
      <th scope="row">
        <a class="row-link" href={toHref(`/projects/${id}`)}>
          {title}
        </a>
        <span class="soft cut">{toHost(site)}</span>
        {belongsTo !== undefined && (
          <a class="of" href={toHref(`/organizations/${organizationId}`)}>
            <Icon name="building" />
            {belongsTo}
          </a>
        )}
        {project.groups.length > 0 && (
          <ul class="tags" aria-label={sitesWords.value.groups.title}>
            {project.groups.map((name) => (
              <li key={name}>
                <Badge>{name}</Badge>
              </li>
            ))}
          </ul>
        )}
      </th>
      <td data-label={projects.state}>
        {!project.isLive ? (
          <StateBadge state="unpublished" />
        ) : visits.state === "ready" && visits.value ? (
          <StateBadge state={toProjectState(project, visits.value)} />
        ) : (
          <None />
        )}
        <Published at={publishedAt} />
      </td>
      <td data-label={projects.rate}>
        <Rate visits={visits} />
      </td>
      <td data-label={projects.tier}>
        <Badge>{plan === "free" ? projects.free : toCapital(plan)}</Badge>
      </td>
      <td data-label={projects.changes}>{isUnopened ? <None /> : <Changes project={project} />}</td>
    </tr>
  );
}

/** The title of a plan from its name, without loading the list of plans. */
function toCapital(plan: string): string {
  return plan.charAt(0).toUpperCase() + plan.slice(1);
}

/** An audited project; auditors see neither its plan nor its changes. */
function AuditedRow({
  project: { id, title, site, publishedAt },
  isUnopened,
}: {
  project: AuditedProject;
  isUnopened: boolean;
}) {
  const { projects, team } = words.value;
  const visits = useLoad(
    async () => (isUnopened ? undefined : await readVisits(id)),
    [id, isUnopened],
  );
  return (
    <tr>
      <th scope="row">
        <a class="row-link" href={toHref(`/projects/${id}`)}>
          {title}
        </a>
        <span class="soft cut">{toHost(site)}</span>
      </th>
      <td data-label={projects.state}>
        <Published at={publishedAt} />
      </td>
      <td data-label={projects.rate}>
        <Rate visits={visits} />
      </td>
      <td data-label={projects.tier}>
        <Badge>{team.roles.auditor}</Badge>
      </td>
      <td data-label={projects.changes}>
        <None />
      </td>
    </tr>
  );
}

function None() {
  return <span class="soft">–</span>;
}

function Published({ at }: { at: string | undefined }) {
  if (at === undefined) return null;
  return (
    <span class="soft under">
      {words.value.projects.published} <Ago at={at} />
    </span>
  );
}

/** The acceptance rate of the last 30 days. */
function Rate({ visits }: { visits: LoadResult<Visits | undefined> }) {
  const { projects } = words.value;
  if (visits.state === "loading") return <span class="soft">…</span>;
  if (visits.state === "failed" || !visits.value) return <None />;
  const { rate, lastRate = 0, days, answered } = visits.value;
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

/** The number of unpublished changes. */
function Changes({ project: { id, publishedAt } }: { project: ShownProject }) {
  const loaded = useLoad(async () => {
    const path = { projectId: id, from: "live", to: "next" };
    const [[next], diff] = await Promise.all([
      readWaiting(id),
      publishedAt === undefined ? undefined : send(diffPublications, { path }),
    ]);
    return { count: diff?.count, next: next?.publishAt };
  }, [id]);
  if (loaded.state === "loading") return <span class="soft">…</span>;
  // An unpublished project has no version to compare with.
  if (loaded.state === "failed") return <span class="soft">–</span>;
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
