import { useState } from "preact/hooks";
import { type Statistics, getStatistics } from "@avow/client/operations";
import { send, toAddress } from "../../api/send.ts";
import { useLoad } from "../../data/use-load.ts";
import { toInstant, toNumber } from "../../browser/format.ts";
import { parameters, setParameters } from "../../browser/router.ts";
import { Page } from "../../ui/page.tsx";
import { Card, Empty } from "../../ui/parts.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { statisticsWords } from "../../words/statistics/words.ts";
import { Funnel } from "./funnel.tsx";
import { type Period, PeriodChoice, SiteDaysChoice, readPeriod, readSiteDays } from "./period.tsx";
import { PublicationChange } from "./publication.tsx";
import { Sites } from "./sites.tsx";
import { Variants } from "./variants.tsx";
import { OverTime } from "./over-time.tsx";
import {
  CsvLink,
  GroupTable,
  type StatisticsQuery,
  SharesLegend,
  countNames,
  toAnswered,
  toCount,
  toPeriodKey,
  toRate,
} from "./tables.tsx";

const groups = ["configuration", "step", "language", "device", "region", "page"] as const;
const views = ["agree", "funnel", "change", "sites"] as const;
type View = (typeof views)[number];
type Group = (typeof groups)[number];

/** The statistics of a project, by the question that they answer. */
export default function StatisticsScreen({ projectId = "" }: { projectId?: string }) {
  const texts = statisticsWords.value;
  const period = readPeriod();
  const view = views.find((one) => one === parameters.value.get("view")) ?? "agree";
  const asked = period.query;
  return (
    <Page title={texts.title} lead={texts.lead} actions={<Actions view={view} period={period} />}>
      <Tabs
        label={texts.views.label}
        tabs={views.map((one) => [one, texts.views[one]] as const)}
        value={view}
        onChange={(next) => setParameters({ view: next })}
      >
        <div class="view">
          {view === "agree" && <Agreement projectId={projectId} period={period} />}
          {view === "funnel" && <Funnel projectId={projectId} asked={asked} />}
          {view === "change" && <PublicationChange projectId={projectId} />}
          {view === "sites" && <Sites projectId={projectId} days={readSiteDays()} />}
        </div>
      </Tabs>
    </Page>
  );
}

function Actions({ view, period }: { view: View; period: Period }) {
  if (view === "change") return null;
  if (view === "sites") return <SiteDaysChoice days={readSiteDays()} />;
  return <PeriodChoice period={period} />;
}

/** Displays and answers, over time and by group. */
function Agreement({ projectId, period }: { projectId: string; period: Period }) {
  const texts = statisticsWords.value;
  const asked = period.query;
  const path = { projectId };
  const loaded = useLoad(
    () =>
      Promise.all([
        send(getStatistics, { path, query: asked }),
        // By step, answers are those to counted displays: anybody can send others.
        send(getStatistics, { path, query: { ...asked, group: "step" } }),
      ]),
    [projectId, toPeriodKey(asked)],
  );
  return (
    <LoadView of={loaded} lines={8}>
      {([stats, steps]) =>
        toAnswered(stats.totals) + stats.totals.shown === 0 ? (
          <Empty icon="chart" {...(period.span === "dates" ? texts.noneInPeriod : texts.none)} />
        ) : (
          <div class="cards">
            <p class="overall">
              <strong>{toRate(toAnswered(steps.totals) > 0 ? steps.totals : stats.totals)}</strong>{" "}
              {toAnswered(steps.totals) > 0 ? texts.agreeingOfDisplays : texts.agreeing}
            </p>
            <Tiles totals={stats.totals} />
            <Undisplayed stats={stats} />
            <OverTime stats={stats} csv={toCsv(projectId, asked)} />
            <Variants projectId={projectId} query={asked} />
            <Grouped projectId={projectId} asked={asked} />
            <p class="hint">
              {texts.zone(stats.timeZone)} {texts.changes}{" "}
              {stats.until !== null && texts.until(toInstant(stats.until))}
            </p>
          </div>
        )
      }
    </LoadView>
  );
}

function toCsv(projectId: string, asked: StatisticsQuery, group?: Group): string {
  const query = { ...asked, format: "csv" as const, ...(group ? { group } : {}) };
  return toAddress(getStatistics, { path: { projectId }, query });
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

/** The answers by group, each with its share. */
function Grouped({ projectId, asked }: { projectId: string; asked: StatisticsQuery }) {
  const texts = statisticsWords.value;
  const [group, setGroup] = useState<Group>("configuration");
  const query = { ...toGroupQuery(asked, group), group };
  const loaded = useLoad(
    () => send(getStatistics, { path: { projectId }, query }),
    [projectId, group, toPeriodKey(asked)],
  );
  const title = texts.groups[group];
  return (
    <Card
      title={title}
      action={<CsvLink href={toCsv(projectId, toGroupQuery(asked, group), group)} title={title} />}
    >
      <Tabs
        label={texts.groups.label}
        tabs={groups.map((one) => [one, texts.groups[one]] as const)}
        value={group}
        onChange={setGroup}
      >
        <LoadView of={loaded} lines={6}>
          {(stats) =>
            stats.series.length === 0 ? (
              <p class="soft">{texts.noGroup}</p>
            ) : (
              <div class="found">
                <SharesLegend />
                <GroupTable stats={stats} />
                {hasHint(stats.group) && <p class="hint">{texts.groupHints[stats.group]}</p>}
              </div>
            )
          }
        </LoadView>
      </Tabs>
    </Card>
  );
}

function hasHint(group: Statistics["group"]): group is "step" | "region" | "page" {
  return group === "step" || group === "region" || group === "page";
}

/** Countries and pages are counted by day. */
function toGroupQuery(asked: StatisticsQuery, group: Group): StatisticsQuery {
  return group === "region" || group === "page" ? { ...asked, by: "day" } : asked;
}
