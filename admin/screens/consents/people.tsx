import { listAccepted, listTokens } from "../../api/interface.ts";
import { send } from "../../api/send.ts";
import { type Offers, toLocal } from "../../data/consents.ts";
import { type Cursors, useCursor } from "../../data/use-cursor.ts";
import { useLoad } from "../../data/use-load.ts";
import { toNumber } from "../../format.ts";
import { go, parameters, toHref } from "../../router.ts";
import { CursorPager } from "../../ui/cursor-pager.tsx";
import { Choice, Field, Form } from "../../ui/form.tsx";
import { Ago, Empty } from "../../ui/parts.tsx";
import { Shown } from "../../ui/shown.tsx";
import { consentWords } from "../../words/consents/words.ts";
import { toSearch, toTokenPlace } from "./places.ts";

const LIMIT = 25;

/** One line of the list: a token, and what is known of it. */
interface Person {
  token: string;
  since: string;
  lastSeenAt?: string;
  consents?: number;
}

interface Found {
  people: readonly Person[];
  next: string | undefined;
}

/** Tokens by how they begin, or those that accept something, now or at an instant. */
export function People({ projectId, offers }: { projectId: string; offers: Offers }) {
  const said = consentWords.value;
  const asked = parameters.value;
  const item = asked.get("item") ?? "";
  const keys = [projectId, asked.toString()];
  const cursors = useCursor(keys);
  const loaded = useLoad(() => find(projectId, asked, cursors.cursor), [...keys, cursors.cursor]);
  return (
    <>
      <Search offers={offers} />
      <Shown of={loaded} lines={8}>
        {(found) =>
          found.people.length === 0 && cursors.isFirst ? (
            <Empty icon="people" title={said.emptyTitle} text={said.noPeople} />
          ) : (
            <Table projectId={projectId} isAccepted={item !== ""} cursors={cursors} {...found} />
          )
        }
      </Shown>
    </>
  );
}

async function find(
  projectId: string,
  asked: URLSearchParams,
  cursor: string | undefined,
): Promise<Found> {
  const page = { limit: LIMIT, ...(cursor === undefined ? {} : { cursor }) };
  const identifier = asked.get("item") ?? "";
  const at = asked.get("at");
  if (identifier !== "") {
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
  const said = consentWords.value;
  const asked = parameters.value;
  return (
    <div class="card search">
      <Form
        submit={said.search}
        onSubmit={async ({ q = "", item = "", at = "" }) => {
          const instant = at === "" ? "" : new Date(at).toISOString();
          go(toSearch({ view: "people", q, item, at: instant }), { replace: true });
        }}
      >
        <Field name="q" label={said.prefix} value={asked.get("q") ?? ""} isCode />
        <Choice
          name="item"
          label={said.accepting}
          value={asked.get("item") ?? ""}
          options={[
            ["", said.nobodySaid],
            ...offers.all.map(({ identifier, name }) => [identifier, name] as const),
          ]}
        />
        <Field name="at" type="datetime-local" label={said.asOf} value={toLocal(asked.get("at"))} />
      </Form>
    </div>
  );
}

interface TableProps extends Found {
  projectId: string;
  isAccepted: boolean;
  cursors: Cursors;
}

function Table({ projectId, people, next, isAccepted, cursors }: TableProps) {
  const said = consentWords.value;
  return (
    <>
      <div class="table-card">
        <table class="stacked">
          <thead>
            <tr>
              <th scope="col">{said.token}</th>
              {!isAccepted && <th scope="col">{said.records}</th>}
              <th scope="col">{isAccepted ? said.since : said.first}</th>
              {!isAccepted && <th scope="col">{said.last}</th>}
            </tr>
          </thead>
          <tbody>
            {people.map(({ token, since, lastSeenAt, consents }) => (
              <tr key={token}>
                <th scope="row" class="narrow-cell">
                  <a class="row-link code cut" href={toHref(toTokenPlace(projectId, token))}>
                    {token}
                  </a>
                </th>
                {consents !== undefined && <td data-label={said.records}>{toNumber(consents)}</td>}
                <td data-label={isAccepted ? said.since : said.first}>
                  <Ago at={since} />
                </td>
                {lastSeenAt !== undefined && (
                  <td data-label={said.last}>
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
