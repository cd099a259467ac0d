import { type Consent, listConsents } from "@avow/client/operations";
import { sendWhole } from "../../api/send.ts";
import { type Offers, toAnswer, toStart } from "../../data/consents.ts";
import { useLoad } from "../../data/use-load.ts";
import { go, parameters, toHref } from "../../browser/router.ts";
import { Choice, Field, Form } from "../../ui/forms/form.tsx";
import { Pager, usePage } from "../../ui/pager.tsx";
import { Ago, Badge, Empty } from "../../ui/parts.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { consentWords } from "../../words/consents/words.ts";
import { toSearch, toTokenPath } from "./paths.ts";

const PER_PAGE = 25;
const tones = { accepted: "good", partly: "warn", refused: "bad" } as const;

interface AnswersProps {
  projectId: string;
  offers: Offers;
}

/** Single answers, newest first, filtered by the query parameters. */
export function Answers({ projectId, offers }: AnswersProps) {
  const texts = consentWords.value;
  const asked = parameters.value;
  const [page, setPage] = usePage();
  const loaded = useLoad(async () => {
    const item = offers.all.find(({ identifier }) => identifier === asked.get("item"));
    const accept = { yes: true, no: false }[asked.get("answer") ?? ""];
    const { body, headers } = await sendWhole(listConsents, {
      path: { projectId },
      query: {
        page,
        perPage: PER_PAGE,
        ...(asked.get("token") ? { token: asked.get("token") ?? "" } : {}),
        ...(item ? { collection: item.collection as "cookies", identifier: item.identifier } : {}),
        ...(accept === undefined ? {} : { accept }),
        ...toSpan(asked),
      },
    });
    return { records: body, total: Number(headers.get("x-total-count")) };
  }, [projectId, page, asked.toString()]);
  return (
    <>
      <Search
        offers={offers}
        onSearch={(given) => {
          setPage(1);
          go(toSearch(given), { replace: true });
        }}
      />
      <LoadView of={loaded} lines={8}>
        {({ records, total }) =>
          total === 0 ? (
            <Empty icon="people" title={texts.emptyTitle} text={texts.empty} />
          ) : (
            <>
              <Records projectId={projectId} offers={offers} records={records} />
              <Pager page={page} perPage={PER_PAGE} total={total} onPage={setPage} />
            </>
          )
        }
      </LoadView>
    </>
  );
}

function toSpan(asked: URLSearchParams): { start?: string; end?: string } {
  const start = toStart(asked.get("from"));
  // The last day is included.
  const end = toStart(asked.get("to"), 1);
  return { ...(start ? { start } : {}), ...(end ? { end } : {}) };
}

function Search({
  offers,
  onSearch,
}: {
  offers: Offers;
  onSearch: (given: Readonly<Record<string, string>>) => void;
}) {
  const texts = consentWords.value;
  const asked = parameters.value;
  const whole = offers.all.filter(({ identifier }) => !identifier.includes("/"));
  return (
    <div class="card search">
      <Form submit={texts.search} onSubmit={async (given) => onSearch(given)}>
        <Field name="token" label={texts.token} value={asked.get("token") ?? ""} isCode />
        <Choice
          name="item"
          label={texts.item}
          value={asked.get("item") ?? ""}
          options={[
            ["", texts.anything],
            ...whole.map((one) => [one.identifier, one.name] as const),
          ]}
        />
        <Choice
          name="answer"
          label={texts.answer}
          value={asked.get("answer") ?? ""}
          options={[
            ["", texts.any],
            ["yes", texts.answers.accepted],
            ["no", texts.answers.refused],
          ]}
        />
        <Field name="from" type="date" label={texts.from} value={asked.get("from") ?? ""} />
        <Field name="to" type="date" label={texts.to} value={asked.get("to") ?? ""} />
      </Form>
    </div>
  );
}

function Records({ projectId, offers, records }: AnswersProps & { records: readonly Consent[] }) {
  const texts = consentWords.value;
  return (
    <div class="table-card">
      <table class="stacked">
        <thead>
          <tr>
            <th scope="col">{texts.token}</th>
            <th scope="col">{texts.what}</th>
            <th scope="col">{texts.answer}</th>
            <th scope="col">{texts.when}</th>
          </tr>
        </thead>
        <tbody>
          {records.map((record) => (
            <tr key={record.consentId}>
              <th scope="row" class="narrow-cell">
                <a class="row-link code cut" href={toHref(toTokenPath(projectId, record.token))}>
                  {record.token}
                </a>
              </th>
              <td data-label={texts.what}>{offers.nameOf(record.identifier)}</td>
              <td data-label={texts.answer}>
                <AnswerBadge record={record} />
              </td>
              <td data-label={texts.when}>
                <Ago at={record.createdAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The kind of a record's answer. */
export function AnswerBadge({ record }: { record: Consent }) {
  const answer = toAnswer(record);
  return <Badge tone={tones[answer]}>{consentWords.value.answers[answer]}</Badge>;
}
