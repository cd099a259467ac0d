import { listAuditTrail } from "@avow/client/operations";
import { send, sendFile } from "../../api/send.ts";
import { toStart } from "../../data/consents.ts";
import { saveFile } from "../../data/save.ts";
import { useCursor } from "../../data/use-cursor.ts";
import { useLoad } from "../../data/use-load.ts";
import { toInstant } from "../../browser/format.ts";
import { CursorPager } from "../../ui/cursor-pager.tsx";
import { Field, Form } from "../../ui/forms/form.tsx";
import { Page } from "../../ui/page.tsx";
import { NoResults } from "../../ui/table/no-results.tsx";
import { DataTable } from "../../ui/table/data-table.tsx";
import type { Column } from "../../ui/table/table.tsx";
import { type TableView, useTableView } from "../../ui/table/table-view.ts";
import { trailWords } from "../../words/trail/words.ts";

const LIMIT = 50;
const filters = ["event", "from", "to"] as const;

type Trail = Awaited<ReturnType<typeof readTrail>>;
type Entry = Trail["items"][number];

/** The audit trail of a project, newest first, for owners and auditors. */
export default function Audit({ projectId = "" }: { projectId?: string }) {
  const { audit } = trailWords.value;
  const view = useTableView({ name: "audit" });
  const asked = view.query;
  const keys = [projectId, ...filters.map((one) => asked.get(one))];
  const cursors = useCursor(keys);
  const query = toQuery(projectId, asked);
  const loaded = useLoad(
    () => readTrail({ ...query, ...(cursors.cursor ? { cursor: cursors.cursor } : {}) }),
    [...keys, cursors.cursor],
  );
  const isRefused = loaded.state === "failed" && loaded.problem.kind === "forbidden";
  const download = async (): Promise<void> => {
    // No timeout: the export may be of any size.
    const { signal } = new AbortController();
    const answer = await sendFile(
      listAuditTrail,
      { query },
      { headers: { accept: "text/csv" }, signal },
    );
    saveFile(await answer.blob(), `audit-${projectId}.csv`);
  };
  return (
    <Page title={audit.title} lead={audit.lead}>
      <DataTable
        caption={audit.title}
        view={view}
        columns={toColumns()}
        loaded={loaded}
        toRows={({ items }) => items}
        toKey={({ id }) => id}
        toName={({ event, at }) => `${event} ${toInstant(at)}`}
        isShort={isRefused}
        search={!isRefused && <Search view={view} />}
        empty={() => <NoResults text={audit.empty} view={view} filters={filters} />}
        below={({ items, links }) => (
          <>
            <CursorPager cursors={cursors} next={links.next} />
            {items.length > 0 && <Form submit={audit.download} isPlain onSubmit={download} />}
          </>
        )}
      />
    </Page>
  );
}

interface AuditQuery {
  projectId: string;
  event?: string;
  from?: string;
  to?: string;
  cursor?: string;
}

function readTrail(query: AuditQuery) {
  return send(listAuditTrail, { query: { ...query, limit: LIMIT } });
}

function toQuery(projectId: string, asked: URLSearchParams): AuditQuery {
  const event = asked.get("event") ?? "";
  const from = toStart(asked.get("from"));
  const to = toStart(asked.get("to"), 1);
  return {
    projectId,
    ...(event === "" ? {} : { event }),
    ...(from ? { from } : {}),
    ...(to ? { to } : {}),
  };
}

function Search({ view }: { view: TableView }) {
  const { audit } = trailWords.value;
  const asked = view.query;
  return (
    <div class="card search">
      <Form submit={audit.search} onSubmit={async (given) => view.setFilters(given)}>
        <Field
          name="event"
          label={audit.event}
          placeholder="project.updated"
          value={asked.get("event") ?? ""}
          maxLength={64}
          isCode
        />
        <Field name="from" type="date" label={audit.from} value={asked.get("from") ?? ""} />
        <Field name="to" type="date" label={audit.to} value={asked.get("to") ?? ""} />
      </Form>
    </div>
  );
}

function toColumns(): readonly Column<Entry>[] {
  const { audit } = trailWords.value;
  return [
    {
      id: "event",
      title: audit.what,
      text: ({ event }) => event,
      cell: (entry) => <Event entry={entry} />,
    },
    {
      id: "who",
      title: audit.who,
      text: (entry) => `${toActor(entry)} ${entry.actor.email ?? entry.actor.id}`,
      cell: (entry) => (
        <div>
          {toActor(entry)}
          <span class="soft kind">{entry.actor.email ?? entry.actor.id}</span>
        </div>
      ),
    },
    { id: "where", title: audit.where, text: ({ network }) => network ?? "–", isCode: true },
    {
      id: "when",
      title: audit.when,
      text: ({ at }) => at,
      cell: ({ at }) => <time dateTime={at}>{toInstant(at)}</time>,
    },
  ];
}

/** The name of the user. */
function toActor({ actor }: Entry): string {
  const { audit } = trailWords.value;
  return actor.displayName ?? (actor.tokenId === undefined ? audit.service : audit.somebody);
}

function Event({ entry: { event, details, documentId } }: { entry: Entry }) {
  const lines = Object.entries(details).map(([name, value]) => `${name}: ${toText(value)}`);
  return (
    <>
      <span class="code">{event}</span>
      {(lines.length > 0 || documentId !== undefined) && (
        <details class="soft">
          <summary>{trailWords.value.audit.details}</summary>
          {documentId !== undefined && <p class="code">{documentId}</p>}
          {lines.map((line) => (
            <p key={line} class="code">
              {line}
            </p>
          ))}
        </details>
      )}
    </>
  );
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
