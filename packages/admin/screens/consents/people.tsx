import { listAccepted, listByStatus, listTokens } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { type Offers, toLocal } from "../../data/consents.ts";
import { useState } from "preact/hooks";
import { useCursor } from "../../data/use-cursor.ts";
import { useLoad } from "../../data/use-load.ts";
import { toNumber } from "../../browser/format.ts";
import { CursorPager } from "../../ui/cursor-pager.tsx";
import { Choice, Field, Form } from "../../ui/forms/form.tsx";
import { Ago } from "../../ui/parts.tsx";
import { NoResults } from "../../ui/table/no-results.tsx";
import { DataTable } from "../../ui/table/data-table.tsx";
import type { Column } from "../../ui/table/table.tsx";
import { type TableView, useTableView } from "../../ui/table/table-view.ts";
import { consentWords } from "../../words/consents/words.ts";
import { NoAnswers } from "./answers.tsx";
import { tokenColumn } from "./token-column.tsx";

const LIMIT = 25;
const filters = ["q", "status", "item", "at"] as const;
const statuses = ["accepted", "partly", "refused", "withdrawn", "expired"] as const;
type Status = (typeof statuses)[number];

/** The status of the query; with a configuration and no status: accepted. */
function toStatus(asked: URLSearchParams): Status | undefined {
  const given = asked.get("status") ?? (asked.has("item") ? "accepted" : null);
  return statuses.find((one) => one === given);
}

/** A row of the list. */
interface Person {
  token: string;
  since: string;
  lastSeenAt?: string;
  consents?: number;
}

interface PeoplePage {
  people: readonly Person[];
  next: string | undefined;
}

/** Tokens by prefix, or by consent status; accepted ones also as of an instant. */
export function People({ projectId, offers }: { projectId: string; offers: Offers }) {
  const texts = consentWords.value;
  const view = useTableView({ name: "people", privateParameters: ["q"] });
  const asked = view.query;
  const keys = [projectId, ...filters.map((one) => asked.get(one))];
  const cursors = useCursor(keys);
  const loaded = useLoad(() => find(projectId, asked, cursors.cursor), [...keys, cursors.cursor]);
  return (
    <DataTable
      caption={texts.tabs.people}
      view={view}
      columns={toColumns(projectId, toStatus(asked) !== undefined)}
      loaded={loaded}
      toRows={({ people }) => people}
      toKey={({ token }) => token}
      toName={({ token }) => token}
      search={<Search offers={offers} view={view} />}
      empty={({ next }) =>
        !cursors.isFirst || next !== undefined ? (
          <p class="note">{texts.moreHere}</p>
        ) : filters.some((one) => asked.has(one)) ? (
          <NoResults text={texts.noPeople} view={view} filters={filters} />
        ) : (
          <NoAnswers projectId={projectId} />
        )
      }
      below={({ next }) => <CursorPager cursors={cursors} next={next} />}
    />
  );
}

async function find(
  projectId: string,
  asked: URLSearchParams,
  cursor: string | undefined,
): Promise<PeoplePage> {
  const page = { limit: LIMIT, ...(cursor === undefined ? {} : { cursor }) };
  const identifier = asked.get("item") ?? "";
  const at = asked.get("at");
  const status = toStatus(asked);
  if (status !== undefined && status !== "accepted") {
    const path = { id: projectId, status, identifier };
    const { items, links } = await send(listByStatus, { path, query: page });
    return { people: items, next: links.next };
  }
  if (status === "accepted") {
    const path = { id: projectId, identifier };
    const query = { ...page, ...(at === null ? {} : { at }) };
    const { items, links } = await send(listAccepted, { path, query });
    return { people: items, next: links.next };
  }
  const q = asked.get("q") ?? "";
  const path = { id: projectId };
  const { items, links } = await send(listTokens, { path, query: { ...page, q } });
  const people = items.map(({ firstSeenAt, ...rest }) => ({ ...rest, since: firstSeenAt }));
  return { people, next: links.next };
}

function Search({ offers, view }: { offers: Offers; view: TableView }) {
  const texts = consentWords.value;
  const asked = view.query;
  const [status, setStatus] = useState(toStatus(asked));
  // Configurations without vendors cannot be accepted in part.
  const items = offers.all.filter(
    ({ identifier }) =>
      status !== "partly" || offers.all.some((one) => one.identifier.startsWith(`${identifier}/`)),
  );
  return (
    <div class="card search">
      <Form
        submit={texts.search}
        onSubmit={async ({ q = "", item = "", at = "" }) => {
          const instant = at === "" ? "" : new Date(at).toISOString();
          const none = { q: "", status: "", item: "", at: "" };
          const given = status === undefined ? { q } : { status, item, at: instant };
          view.setFilters({ ...none, ...given });
        }}
      >
        {items.length > 0 && (
          <Choice
            name="status"
            label={texts.status}
            value={status ?? ""}
            onChange={(chosen) => setStatus(statuses.find((one) => one === chosen))}
            options={[
              ["", texts.anyStatus],
              ...statuses.map(
                (one) => [one, one === "partly" ? texts.partly : texts.statuses[one]] as const,
              ),
            ]}
          />
        )}
        {status === undefined ? (
          <Field name="q" label={texts.prefix} value={asked.get("q") ?? ""} isCode />
        ) : (
          <Choice
            name="item"
            label={texts.ofWhat}
            value={asked.get("item") ?? ""}
            options={items.map(({ identifier, name }) => [identifier, name] as const)}
          />
        )}
        {status === "accepted" && (
          <Field
            name="at"
            type="datetime-local"
            label={texts.asOf}
            value={toLocal(asked.get("at"))}
          />
        )}
      </Form>
    </div>
  );
}

/** By status, rows have the start of that status. */
function toColumns(projectId: string, isByStatus: boolean): readonly Column<Person>[] {
  const texts = consentWords.value;
  const since: Column<Person> = {
    id: "since",
    title: isByStatus ? texts.since : texts.first,
    text: (person) => person.since,
    cell: (person) => <Ago at={person.since} />,
  };
  if (isByStatus) return [tokenColumn(projectId), since];
  return [
    tokenColumn(projectId),
    {
      id: "records",
      title: texts.records,
      text: ({ consents }) => (consents === undefined ? "" : toNumber(consents)),
    },
    since,
    {
      id: "last",
      title: texts.last,
      text: ({ lastSeenAt }) => lastSeenAt ?? "",
      cell: ({ lastSeenAt }) => lastSeenAt !== undefined && <Ago at={lastSeenAt} />,
    },
  ];
}
