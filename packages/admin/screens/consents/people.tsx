import { listAccepted, listByStatus, listTokens } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { type Offers, toLocal } from "../../data/consents.ts";
import { useState } from "preact/hooks";
import { type Cursors, useCursor } from "../../data/use-cursor.ts";
import { useLoad } from "../../data/use-load.ts";
import { toNumber } from "../../browser/format.ts";
import { go, parameters, toHref } from "../../browser/router.ts";
import { CursorPager } from "../../ui/cursor-pager.tsx";
import { Choice, Field, Form } from "../../ui/forms/form.tsx";
import { Ago, Empty } from "../../ui/parts.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { consentWords } from "../../words/consents/words.ts";
import { toSearch, toTokenPath } from "./paths.ts";

const LIMIT = 25;
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
  const asked = parameters.value;
  const keys = [projectId, asked.toString()];
  const cursors = useCursor(keys);
  const loaded = useLoad(() => find(projectId, asked, cursors.cursor), [...keys, cursors.cursor]);
  return (
    <>
      <Search offers={offers} />
      <LoadView of={loaded} lines={8}>
        {(found) =>
          found.people.length === 0 && cursors.isFirst && found.next === undefined ? (
            <Empty icon="people" title={texts.emptyTitle} text={texts.noPeople} />
          ) : (
            <Table
              projectId={projectId}
              isByStatus={toStatus(asked) !== undefined}
              cursors={cursors}
              {...found}
            />
          )
        }
      </LoadView>
    </>
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

function Search({ offers }: { offers: Offers }) {
  const texts = consentWords.value;
  const asked = parameters.value;
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
          const more = status === undefined ? { q } : { status, item, at: instant };
          go(toSearch({ view: "people", ...more }), { replace: true });
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

interface TableProps extends PeoplePage {
  projectId: string;
  /** Whether the list is by status: rows then have the start of that status. */
  isByStatus: boolean;
  cursors: Cursors;
}

function Table({ projectId, people, next, isByStatus, cursors }: TableProps) {
  const texts = consentWords.value;
  return (
    <>
      {people.length === 0 && next !== undefined && <p class="note">{texts.moreHere}</p>}
      <div class="table-card">
        <table class="stacked">
          <thead>
            <tr>
              <th scope="col">{texts.token}</th>
              {!isByStatus && <th scope="col">{texts.records}</th>}
              <th scope="col">{isByStatus ? texts.since : texts.first}</th>
              {!isByStatus && <th scope="col">{texts.last}</th>}
            </tr>
          </thead>
          <tbody>
            {people.map(({ token, since, lastSeenAt, consents }) => (
              <tr key={token}>
                <th scope="row" class="narrow-cell">
                  <a class="row-link code cut" href={toHref(toTokenPath(projectId, token))}>
                    {token}
                  </a>
                </th>
                {consents !== undefined && <td data-label={texts.records}>{toNumber(consents)}</td>}
                <td data-label={isByStatus ? texts.since : texts.first}>
                  <Ago at={since} />
                </td>
                {lastSeenAt !== undefined && (
                  <td data-label={texts.last}>
                    <Ago at={lastSeenAt} />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <CursorPager cursors={cursors} next={next} />
    </>
  );
}
