import { listAuditTrail } from "@avow/client/operations";
import { send, sendFile } from "../../api/send.ts";
import { toStart } from "../../data/consents.ts";
import { saveFile } from "../../data/save.ts";
import { useCursor } from "../../data/use-cursor.ts";
import { useLoad } from "../../data/use-load.ts";
import { toInstant } from "../../browser/format.ts";
import { go, parameters } from "../../browser/router.ts";
import { CursorPager } from "../../ui/cursor-pager.tsx";
import { Field, Form } from "../../ui/forms/form.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty } from "../../ui/parts.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { trailWords } from "../../words/trail/words.ts";
import { toSearch } from "../consents/paths.ts";

const LIMIT = 50;

type Trail = Awaited<ReturnType<typeof readTrail>>;
type Entry = Trail["items"][number];

/** The audit trail of a project, newest first, for owners and auditors. */
export default function Audit({ projectId = "" }: { projectId?: string }) {
  const { audit } = trailWords.value;
  const asked = parameters.value;
  const keys = [projectId, asked.toString()];
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
      <div class="found">
        {!isRefused && <Search />}
        <LoadView of={loaded} lines={8}>
          {({ items, links }) => (
            <>
              {items.length === 0 ? (
                <Empty icon="book" title={audit.emptyTitle} text={audit.empty} />
              ) : (
                <Table items={items} />
              )}
              <CursorPager cursors={cursors} next={links.next} />
              {items.length > 0 && <Form submit={audit.download} isPlain onSubmit={download} />}
            </>
          )}
        </LoadView>
      </div>
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

function Search() {
  const { audit } = trailWords.value;
  const asked = parameters.value;
  return (
    <div class="card search">
      <Form
        submit={audit.search}
        onSubmit={async (given) => go(toSearch(given), { replace: true })}
      >
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

function Table({ items }: { items: readonly Entry[] }) {
  const { audit } = trailWords.value;
  return (
    <div class="table-card">
      <table class="stacked trail">
        <thead>
          <tr>
            <th scope="col">{audit.what}</th>
            <th scope="col">{audit.who}</th>
            <th scope="col">{audit.where}</th>
            <th scope="col">{audit.when}</th>
          </tr>
        </thead>
        <tbody>
          {items.map((entry) => (
            <Row key={entry.id} entry={entry} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ entry: { event, actor, network, at, details, documentId } }: { entry: Entry }) {
  const { audit } = trailWords.value;
  const lines = Object.entries(details).map(([name, value]) => `${name}: ${toText(value)}`);
  return (
    <tr>
      <th scope="row">
        <span class="code">{event}</span>
        {(lines.length > 0 || documentId !== undefined) && (
          <details class="soft">
            <summary>{audit.details}</summary>
            {documentId !== undefined && <p class="code">{documentId}</p>}
            {lines.map((line) => (
              <p key={line} class="code">
                {line}
              </p>
            ))}
          </details>
        )}
      </th>
      <td data-label={audit.who}>
        <div>
          {actor.displayName ?? (actor.tokenId === undefined ? audit.service : audit.somebody)}
          <span class="soft kind">{actor.email ?? actor.id}</span>
        </div>
      </td>
      <td data-label={audit.where} class="code">
        {network ?? "–"}
      </td>
      <td data-label={audit.when}>
        <time dateTime={at}>{toInstant(at)}</time>
      </td>
    </tr>
  );
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
