import { useState } from "preact/hooks";
import { type Statistics, getStatistics } from "@avow/client/operations";
import { send, toAddress } from "../../api/send.ts";
import { useLoad } from "../../data/use-load.ts";
import { toInstant, toNumber } from "../../browser/format.ts";
import { go, parameters } from "../../browser/router.ts";
import { Choice } from "../../ui/forms/form.tsx";
import { Page } from "../../ui/page.tsx";
import { Card, Empty } from "../../ui/parts.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { statisticsWords } from "../../words/statistics/words.ts";
import { toSearch } from "../consents/paths.ts";
import { Chart } from "./chart.tsx";
import {
  type CountName,
  GroupTable,
  TimeTable,
  countNames,
  toAnswered,
  toCount,
  toKeyName,
} from "./tables.tsx";

const DAY_MS = 86_400_000;
const SPAN = "30";
/** Maximum number of lines that can be distinguished. */
const LINES_MAX = 6;
const groups = ["configuration", "step", "language", "device"] as const;
type Group = (typeof groups)[number];

/** The requested period in the browser's time zone. */
interface StatisticsQuery {
  from: string;
  by: "day" | "hour";
  tz: string;
}

/** The statistics of a project: displays and answers over time and by group. */
export default function StatisticsScreen({ projectId = "" }: { projectId?: string }) {
  const said = statisticsWords.value;
  const span = toSpan(parameters.value.get("span"));
  const asked = toQuery(span);
  const path = { projectId };
  const loaded = useLoad(() => send(getStatistics, { path, query: asked }), [projectId, span]);
  return (
    <Page
      title={said.title}
      lead={said.lead}
      actions={
        <Choice
          name="span"
          label={said.span}
          value={span}
          onChange={(chosen) => go(toSearch({ span: chosen }), { replace: true })}
          options={Object.entries(said.spans)}
        />
      }
    >
      <LoadView of={loaded} lines={8}>
        {(stats) =>
          toAnswered(stats.totals) + stats.totals.shown === 0 ? (
            <Empty icon="chart" title={said.emptyTitle} text={said.empty} />
          ) : (
            <div class="cards">
              <Tiles totals={stats.totals} />
              <Undisplayed stats={stats} />
              <OverTime stats={stats} csv={toCsv(projectId, asked)} />
              <Grouped projectId={projectId} asked={asked} />
              <p class="hint">
                {said.changes} {stats.until !== null && said.until(toInstant(stats.until))}
              </p>
            </div>
          )
        }
      </LoadView>
    </Page>
  );
}

function toSpan(given: string | null): string {
  return given !== null && given in statisticsWords.peek().spans ? given : SPAN;
}

function toQuery(span: string): StatisticsQuery {
  const days = Number(span);
  const { timeZone: tz } = new Intl.DateTimeFormat().resolvedOptions();
  const first = new Date(Date.now() - (days - 1) * DAY_MS);
  const date = [first.getFullYear(), first.getMonth() + 1, first.getDate()];
  const from = date.map((part) => String(part).padStart(2, "0")).join("-");
  return { from, by: days === 2 ? "hour" : "day", tz };
}

function toCsv(projectId: string, asked: StatisticsQuery, group?: Group): string {
  const query = { ...asked, format: "csv" as const, ...(group ? { group } : {}) };
  return toAddress(getStatistics, { path: { projectId }, query });
}

function CsvLink({ href, title }: { href: string; title: string }) {
  const said = statisticsWords.value;
  return (
    <a class="button small" download href={href} aria-label={said.csvOf(title)}>
      {said.csv}
    </a>
  );
}

function Tiles({ totals }: { totals: Statistics["totals"] }) {
  const { counts } = statisticsWords.value;
  return (
    <dl class="totals">
      {countNames.map((name) => (
        <div key={name} class={`tile ${name}`}>
          <dt>{counts[name]}</dt>
          <dd>{toCount(totals, name)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A note that some answers had no counted display. */
function Undisplayed({ stats: { undisplayed, totals } }: { stats: Statistics }) {
  if (undisplayed === 0) return null;
  const said = statisticsWords.value.undisplayed;
  return <p class="note">{said(toNumber(undisplayed), totals.shown === 0)}</p>;
}

function OverTime({ stats, csv }: { stats: Statistics; csv: string }) {
  const said = statisticsWords.value;
  const [all] = stats.series;
  const lines = countNames.map((name) => ({ name: said.counts[name], values: all?.[name] ?? [] }));
  return (
    <Card title={said.overTime} action={<CsvLink href={csv} title={said.overTime} />}>
      <Chart label={said.chart(said.overTime)} stats={stats} lines={lines} />
      <details>
        <summary>{said.table}</summary>
        {all && <TimeTable stats={stats} series={all} />}
      </details>
    </Card>
  );
}

/** The statistics by group, with a chart of one measure. */
function Grouped({ projectId, asked }: { projectId: string; asked: StatisticsQuery }) {
  const said = statisticsWords.value;
  const [group, setGroup] = useState<Group>("configuration");
  const [measure, setMeasure] = useState<CountName>("accepted");
  const query = { ...asked, group };
  const loaded = useLoad(
    () => send(getStatistics, { path: { projectId }, query }),
    [projectId, group, asked.from, asked.by],
  );
  const title = said.groups[group];
  return (
    <Card title={title} action={<CsvLink href={toCsv(projectId, asked, group)} title={title} />}>
      <Tabs
        label={said.groups.label}
        tabs={groups.map((one) => [one, said.groups[one]] as const)}
        value={group}
        onChange={setGroup}
      >
        <LoadView of={loaded} lines={6}>
          {(stats) => (
            <div class="found">
              <Choice
                name="measure"
                label={said.measure}
                value={measure}
                onChange={(chosen) => setMeasure(chosen as CountName)}
                options={countNames.map((name) => [name, said.counts[name]] as const)}
              />
              <Chart
                label={said.chart(title)}
                stats={stats}
                lines={stats.series.slice(0, LINES_MAX).map((one) => ({
                  name: toKeyName(stats.group, one),
                  values: one[measure],
                }))}
              />
              <GroupTable stats={stats} />
              {stats.group === "step" && <p class="hint">{said.byStep}</p>}
            </div>
          )}
        </LoadView>
      </Tabs>
    </Card>
  );
}
