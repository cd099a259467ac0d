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
import { Variants } from "./variants.tsx";
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
  const texts = statisticsWords.value;
  const span = toSpan(parameters.value.get("span"));
  const asked = toQuery(span);
  const path = { projectId };
  const loaded = useLoad(() => send(getStatistics, { path, query: asked }), [projectId, span]);
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      actions={
        <Choice
          name="span"
          label={texts.span}
          value={span}
          onChange={(chosen) => go(toSearch({ span: chosen }), { replace: true })}
          options={Object.entries(texts.spans)}
        />
      }
    >
      <LoadView of={loaded} lines={8}>
        {(stats) =>
          toAnswered(stats.totals) + stats.totals.shown === 0 ? (
            <Empty icon="chart" title={texts.emptyTitle} text={texts.empty} />
          ) : (
            <div class="cards">
              <Tiles totals={stats.totals} />
              <Undisplayed stats={stats} />
              <OverTime stats={stats} csv={toCsv(projectId, asked)} />
              <Variants projectId={projectId} query={asked} />
              <Grouped projectId={projectId} asked={asked} />
              <p class="hint">
                {texts.changes} {stats.until !== null && texts.until(toInstant(stats.until))}
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
  const texts = statisticsWords.value;
  return (
    <a class="button small" download href={href} aria-label={texts.csvOf(title)}>
      {texts.csv}
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
  const texts = statisticsWords.value.undisplayed;
  return <p class="note">{texts(toNumber(undisplayed), totals.shown === 0)}</p>;
}

function OverTime({ stats, csv }: { stats: Statistics; csv: string }) {
  const texts = statisticsWords.value;
  const [all] = stats.series;
  const lines = countNames.map((name) => ({ name: texts.counts[name], values: all?.[name] ?? [] }));
  return (
    <Card title={texts.overTime} action={<CsvLink href={csv} title={texts.overTime} />}>
      <Chart label={texts.chart(texts.overTime)} stats={stats} lines={lines} />
      <details>
        <summary>{texts.table}</summary>
        {all && <TimeTable stats={stats} series={all} />}
      </details>
    </Card>
  );
}

/** The statistics by group, with a chart of one measure. */
function Grouped({ projectId, asked }: { projectId: string; asked: StatisticsQuery }) {
  const texts = statisticsWords.value;
  const [group, setGroup] = useState<Group>("configuration");
  const [measure, setMeasure] = useState<CountName>("accepted");
  const query = { ...asked, group };
  const loaded = useLoad(
    () => send(getStatistics, { path: { projectId }, query }),
    [projectId, group, asked.from, asked.by],
  );
  const title = texts.groups[group];
  return (
    <Card title={title} action={<CsvLink href={toCsv(projectId, asked, group)} title={title} />}>
      <Tabs
        label={texts.groups.label}
        tabs={groups.map((one) => [one, texts.groups[one]] as const)}
        value={group}
        onChange={setGroup}
      >
        <LoadView of={loaded} lines={6}>
          {(stats) => (
            <div class="found">
              <Choice
                name="measure"
                label={texts.measure}
                value={measure}
                onChange={(chosen) => setMeasure(chosen as CountName)}
                options={countNames.map((name) => [name, texts.counts[name]] as const)}
              />
              <Chart
                label={texts.chart(title)}
                stats={stats}
                lines={stats.series.slice(0, LINES_MAX).map((one) => ({
                  name: toKeyName(stats.group, one),
                  values: one[measure],
                }))}
              />
              <GroupTable stats={stats} />
              {stats.group === "step" && <p class="hint">{texts.byStep}</p>}
            </div>
          )}
        </LoadView>
      </Tabs>
    </Card>
  );
}
