import { useEffect, useState } from "preact/hooks";
import { startScan } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { readGroupNames } from "../../data/projects/groups.ts";
import { readNames } from "../../data/projects/organizations.ts";
import { type ShownProject, toHost } from "../../data/projects/project.ts";
import {
  createAuditedReader,
  createReader,
  readProjectsPage,
  toProjectOrder,
} from "../../data/projects/projects.ts";
import { type Addition, readAdditions } from "../../data/projects/additions.ts";
import { type VisitsOf, useVisits } from "../../data/projects/use-visits.ts";
import { type LoadResult, useLoad } from "../../data/use-load.ts";
import { toDay } from "../../browser/format.ts";
import { toHref } from "../../browser/router.ts";
import { Choice } from "../../ui/forms/form.tsx";
import { SearchField } from "../../ui/forms/search-field.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Page } from "../../ui/page.tsx";
import { Pager } from "../../ui/pager.tsx";
import { Badge, Empty } from "../../ui/parts.tsx";
import { DataTable } from "../../ui/table/data-table.tsx";
import { NoResults } from "../../ui/table/no-results.tsx";
import { notifyEach, runEach } from "../../ui/table/run-each.ts";
import type { Column } from "../../ui/table/table.tsx";
import { type TableView, useTableView } from "../../ui/table/table-view.ts";
import { sitesWords } from "../../words/sites/words.ts";
import { words } from "../../words/words.ts";
import { Additions } from "./additions.tsx";
import {
  ChangesCell,
  type ListedProject,
  ProjectCell,
  RateCell,
  StateCell,
  toPlan,
} from "./cells.tsx";
import { GroupsDialog } from "./groups.tsx";
import { OfferedProjects } from "./offered.tsx";

/** Page size: small, because the changes of each project are loaded. */
const PER_PAGE = 12;
const FILTER_AFTER_MS = 200;

interface ProjectList {
  rows: readonly ListedProject[];
  total: number;
  additions: readonly Addition[];
  /** The names of organizations. */
  names: ReadonlyMap<string, string>;
}

/** The user's projects. */
export default function Projects() {
  const { projects } = words.value;
  const view = useTableView({ name: "projects", sort: "-updatedAt" });
  const { page, sort } = view;
  const text = view.query.get("q") ?? "";
  const group = view.query.get("group") ?? "";
  const [grouped, setGrouped] = useState<readonly ShownProject[]>();
  const groups = useLoad(readGroupNames, []);
  const groupNames = groups.state === "ready" ? groups.value : [];
  const [readers, setReaders] = useState(createReaders);
  const loaded = useLoad(async (): Promise<ProjectList> => {
    const [found, additions] = await Promise.all([
      readProjectsPage({
        page,
        perPage: PER_PAGE,
        sort: toProjectOrder(sort),
        text,
        group,
        readAudited: readers.readAudited,
      }),
      readers.readAdditions(),
    ]);
    const isOwned = found.all.some((one) => one.organizationId !== null);
    const names = isOwned ? await readers.readNames() : new Map<string, string>();
    return { rows: toRows(found, additions), total: found.total, additions, names };
  }, [page, sort, text, group, readers]);
  const total = loaded.state === "ready" ? loaded.value.total : undefined;
  // A short list needs no filter.
  const isFiltered = text !== "" || group !== "";
  const [isLong, setLong] = useState(isFiltered);
  useEffect(() => {
    if (!isFiltered && total !== undefined) setLong(total > PER_PAGE);
  }, [isFiltered, total]);
  const isEmpty = total === 0 && !isFiltered;
  const create = (
    <a class="button primary" href={toHref("/projects/new")}>
      <Icon name="plus" />
      {projects.create}
    </a>
  );
  return (
    <Page title={projects.title} lead={projects.lead} actions={!isEmpty && create}>
      <OfferedProjects />
      {loaded.state === "ready" && (
        <Additions all={loaded.value.additions} onLeave={() => setReaders(createReaders)} />
      )}
      <DataTable
        caption={projects.title}
        view={view}
        columns={useColumns(loaded, view.columns)}
        loaded={loaded}
        toRows={({ rows }) => rows}
        toKey={({ id }) => id}
        toName={({ title }) => title}
        orders={[
          ["-updatedAt", projects.orders["-updatedAt"]],
          ["-createdAt", projects.orders["-createdAt"]],
          ["title", projects.orders.title],
        ]}
        actions={[
          { label: projects.scan, accepts: isMember, run: scanAll },
          {
            label: sitesWords.value.groups.edit,
            accepts: isMember,
            run: (rows) => setGrouped(rows.filter(isMember)),
          },
        ]}
        isShort={isEmpty}
        lines={6}
        filters={
          <>
            {isLong && <TitleFilter view={view} />}
            {groupNames.length > 0 && <GroupFilter view={view} names={groupNames} />}
          </>
        }
        empty={() =>
          !isFiltered ? (
            <Empty icon="globe" title={projects.emptyTitle} text={projects.empty}>
              {create}
            </Empty>
          ) : (
            <NoResults
              text={group === "" ? projects.noMatch(text) : sitesWords.value.groups.noMatch}
              view={view}
              filters={["q", "group"]}
            />
          )
        }
        below={(list) => (
          <Pager page={page} perPage={PER_PAGE} total={list.total} onPage={view.setPage} />
        )}
      />
      {grouped && (
        <GroupsDialog
          projects={grouped}
          onChanged={() => {
            groups.reload();
            loaded.reload();
          }}
          onClose={() => setGrouped(undefined)}
        />
      )}
    </Page>
  );
}

/** Reads what does not depend on the page, the order and the filters, once. */
function createReaders() {
  return {
    readAudited: createAuditedReader(),
    readAdditions: createReader(readAdditions),
    readNames: createReader(() => readNames()),
  };
}

/** The projects of a page. A request to an unopened one would show the user to its members, so that the list makes none. */
function toRows(
  { all, audited }: Awaited<ReturnType<typeof readProjectsPage>>,
  additions: readonly Addition[],
): readonly ListedProject[] {
  const unopened = new Set<string | null>(additions.map(({ id }) => id));
  // Auditors do not see which organization a project belongs to.
  const auditsUnopened = additions.some(({ collection }) => collection === "organizations");
  return [
    ...all.map((one) => ({
      ...one,
      role: "member" as const,
      isUnopened: unopened.has(one.id) || unopened.has(one.organizationId),
    })),
    ...audited.map((one) => ({
      ...one,
      role: "auditor" as const,
      isUnopened: unopened.has(one.id) || auditsUnopened,
    })),
  ];
}

function useColumns(
  loaded: LoadResult<ProjectList>,
  shown: readonly string[] | undefined,
): readonly Column<ListedProject>[] {
  const { projects } = words.value;
  const { rows, names } =
    loaded.state === "ready" ? loaded.value : { rows: [], names: new Map<string, string>() };
  const showsVisits = ["state", "rate"].some((id) => shown?.includes(id) ?? true);
  const visits: VisitsOf = useVisits(
    showsVisits ? rows.flatMap(({ id, isUnopened }) => (isUnopened ? [] : id)) : [],
  );
  return [
    {
      id: "title",
      title: projects.one,
      order: "service",
      text: ({ title }) => title,
      cell: (row) => (
        <ProjectCell
          row={row}
          // Users with a role on the project alone cannot see its organization.
          owner={row.role === "member" ? names.get(row.organizationId ?? "") : undefined}
        />
      ),
    },
    {
      id: "state",
      title: projects.state,
      cell: (row) => <StateCell row={row} visits={row.isUnopened ? null : visits.get(row.id)} />,
    },
    {
      id: "rate",
      title: projects.rate,
      cell: (row) => <RateCell row={row} visits={visits.get(row.id)} />,
    },
    {
      id: "plan",
      title: projects.tier,
      text: toPlan,
      cell: (row) => <Badge>{toPlan(row)}</Badge>,
    },
    { id: "changes", title: projects.changes, cell: (row) => <ChangesCell row={row} /> },
    {
      id: "site",
      title: projects.site,
      isOptional: true,
      text: ({ site }) => toHost(site),
    },
    {
      id: "createdAt",
      title: projects.created,
      isOptional: true,
      order: "service",
      text: (row) => (row.role === "member" ? toDay(row.createdAt) : "–"),
    },
    {
      id: "updatedAt",
      title: projects.updated,
      isOptional: true,
      order: "service",
      text: (row) => (row.role === "member" ? toDay(row.updatedAt) : "–"),
    },
  ];
}

/** Whether the user sees a project in another role than that of an auditor, who changes nothing. */
function isMember(row: ListedProject): row is ListedProject & { role: "member" } {
  return row.role === "member";
}

/** Starts a scan of each website, one after the other. */
async function scanAll(rows: readonly ListedProject[]): Promise<void> {
  const result = await runEach(rows, ({ id }) => send(startScan, { path: { projectId: id } }));
  notifyEach(result, words.peek().projects.scansStarted(rows.length));
}

/** Filters while typing, after a pause. */
function TitleFilter({ view }: { view: TableView }) {
  const text = view.query.get("q") ?? "";
  const [typed, setTyped] = useState(text);
  useEffect(() => {
    const next = typed.trim();
    if (next === text) return undefined;
    const timer = setTimeout(() => view.setFilters({ q: next }), FILTER_AFTER_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  // The filter was cleared, or changed with the address.
  useEffect(() => {
    if (typed.trim() !== text) setTyped(text);
  }, [text]);
  return <SearchField label={words.value.projects.filter} value={typed} onValue={setTyped} />;
}

function GroupFilter({ view, names }: { view: TableView; names: readonly string[] }) {
  const texts = sitesWords.value.groups;
  return (
    <Choice
      name="group"
      label={texts.filter}
      value={view.query.get("group") ?? ""}
      options={[["", texts.all], ...names.map((name) => [name, name] as const)]}
      onChange={(group) => view.setFilters({ group })}
    />
  );
}
