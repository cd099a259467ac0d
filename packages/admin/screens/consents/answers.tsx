import { type Consent, listConsents } from "@avow/client/operations";
import { sendWhole } from "../../api/send.ts";
import { type Offers, toAnswer, toStart } from "../../data/consents.ts";
import { useLoad } from "../../data/use-load.ts";
import { toInstant } from "../../browser/format.ts";
import { toHref } from "../../browser/router.ts";
import { Choice, Field, Form } from "../../ui/forms/form.tsx";
import { Pager } from "../../ui/pager.tsx";
import { Ago, Badge, Empty } from "../../ui/parts.tsx";
import { NoResults } from "../../ui/table/no-results.tsx";
import { DataTable } from "../../ui/table/data-table.tsx";
import type { Column } from "../../ui/table/table.tsx";
import { type TableView, useTableView } from "../../ui/table/table-view.ts";
import { consentWords } from "../../words/consents/words.ts";
import { tokenColumn } from "./token-column.tsx";

const PER_PAGE = 25;
const filters = ["token", "item", "answer", "from", "to"] as const;
const tones = { accepted: "good", partly: "warn", refused: "bad" } as const;

interface AnswersProps {
  projectId: string;
  offers: Offers;
}

/** Single answers, newest first, filtered by the query parameters. */
export function Answers({ projectId, offers }: AnswersProps) {
  const texts = consentWords.value;
  const view = useTableView({
    name: "answers",
    sort: "-createdAt",
    privateParameters: ["token"],
  });
  const { query: asked, page } = view;
  const sort = view.sort === "createdAt" ? "createdAt" : "-createdAt";
  const loaded = useLoad(async () => {
    const item = offers.all.find(({ identifier }) => identifier === asked.get("item"));
    const accept = { yes: true, no: false }[asked.get("answer") ?? ""];
    const { body, headers } = await sendWhole(listConsents, {
      path: { projectId },
      query: {
        page,
        perPage: PER_PAGE,
        sort,
        ...(asked.get("token") ? { token: asked.get("token") ?? "" } : {}),
        ...(item ? { collection: item.collection as "cookies", identifier: item.identifier } : {}),
        ...(accept === undefined ? {} : { accept }),
        ...toSpan(asked),
      },
    });
    return { records: body, total: Number(headers.get("x-total-count")) };
  }, [projectId, page, sort, ...filters.map((one) => asked.get(one))]);
  return (
    <DataTable
      caption={texts.tabs.answers}
      view={view}
      columns={toColumns({ projectId, offers })}
      loaded={loaded}
      toRows={({ records }) => records}
      toKey={({ consentId }) => consentId}
      toName={({ token, createdAt }) => `${token} ${toInstant(createdAt)}`}
      search={<Search offers={offers} view={view} />}
      empty={() =>
        filters.some((one) => asked.has(one)) ? (
          <NoResults text={texts.empty} view={view} filters={filters} />
        ) : (
          <NoAnswers projectId={projectId} />
        )
      }
      below={({ total }) => (
        <Pager page={page} perPage={PER_PAGE} total={total} onPage={view.setPage} />
      )}
    />
  );
}

/** Explains where answers come from. */
export function NoAnswers({ projectId }: { projectId: string }) {
  const texts = consentWords.value;
  return (
    <Empty icon="people" title={texts.noneTitle} text={texts.none}>
      <a class="button" href={toHref(`/projects/${projectId}`)}>
        {texts.setUp}
      </a>
    </Empty>
  );
}

function toSpan(asked: URLSearchParams): { start?: string; end?: string } {
  const start = toStart(asked.get("from"));
  // The last day is included.
  const end = toStart(asked.get("to"), 1);
  return { ...(start ? { start } : {}), ...(end ? { end } : {}) };
}

function Search({ offers, view }: { offers: Offers; view: TableView }) {
  const texts = consentWords.value;
  const asked = view.query;
  const whole = offers.all.filter(({ identifier }) => !identifier.includes("/"));
  return (
    <div class="card search">
      <Form submit={texts.search} onSubmit={async (given) => view.setFilters(given)}>
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

function toColumns({ projectId, offers }: AnswersProps): readonly Column<Consent>[] {
  const texts = consentWords.value;
  return [
    tokenColumn(projectId),
    {
      id: "what",
      title: texts.what,
      text: ({ identifier }) => offers.nameOf(identifier),
    },
    {
      id: "answer",
      title: texts.answer,
      text: (record) => texts.answers[toAnswer(record)],
      cell: (record) => <AnswerBadge record={record} />,
    },
    {
      id: "createdAt",
      title: texts.when,
      order: "service",
      text: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => <Ago at={createdAt} />,
    },
    {
      id: "page",
      title: texts.person.page,
      isOptional: true,
      text: ({ url }) => url ?? "–",
      cell: ({ url }) => <span class="cut">{url ?? "–"}</span>,
    },
    {
      id: "id",
      title: texts.id,
      isOptional: true,
      isCode: true,
      text: ({ consentId }) => consentId,
    },
  ];
}

/** The kind of a record's answer. */
export function AnswerBadge({ record }: { record: Consent }) {
  const answer = toAnswer(record);
  return <Badge tone={tones[answer]}>{consentWords.value.answers[answer]}</Badge>;
}
