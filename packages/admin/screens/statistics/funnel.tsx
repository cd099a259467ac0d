import { type Statistics, getStatistics } from "@avow/client/operations";
import { send, toAddress } from "../../api/send.ts";
import { useLoad } from "../../data/use-load.ts";
import { toNumber, toPercent } from "../../browser/format.ts";
import { LoadView } from "../../ui/load-view.tsx";
import { Card, Empty } from "../../ui/parts.tsx";
import { statisticsWords } from "../../words/statistics/words.ts";
import {
  type CountName,
  CsvLink,
  Shares,
  SharesLegend,
  type StatisticsQuery,
  toAnswered,
  toKeyName,
  toPeriodKey,
  toRate,
} from "./tables.tsx";

/** Displays, answers to them and acceptances, and the acceptances of each vendor. */
export function Funnel({ projectId, asked }: { projectId: string; asked: StatisticsQuery }) {
  const texts = statisticsWords.value.funnel;
  const path = { projectId };
  const byVendor = { ...asked, by: "day", group: "vendor" } as const;
  const loaded = useLoad(
    () =>
      Promise.all([
        // By step, answers are those to counted displays.
        send(getStatistics, { path, query: { ...asked, group: "step" } }),
        send(getStatistics, { path, query: byVendor }),
      ]),
    [projectId, toPeriodKey(asked)],
  );
  return (
    <LoadView of={loaded} lines={8}>
      {([steps, vendors]) =>
        steps.totals.shown === 0 && vendors.series.length === 0 ? (
          <Empty icon="chart" {...statisticsWords.value.none} />
        ) : (
          <div class="cards">
            <Card title={texts.title} lead={texts.lead}>
              <Steps totals={steps.totals} />
            </Card>
            {vendors.series.length > 0 && (
              <Card
                title={texts.vendors}
                lead={texts.vendorsLead}
                action={
                  <CsvLink
                    href={toAddress(getStatistics, {
                      path,
                      query: { ...byVendor, format: "csv" },
                    })}
                    title={texts.vendors}
                  />
                }
              >
                <Vendors stats={vendors} />
              </Card>
            )}
          </div>
        )
      }
    </LoadView>
  );
}

function Steps({ totals }: Pick<Statistics, "totals">) {
  const { counts, funnel: texts } = statisticsWords.value;
  const answered = toAnswered(totals);
  const steps: { name: string; parts: CountName[]; count: number }[] = [
    { name: counts.shown, parts: ["shown"], count: totals.shown },
    { name: texts.answered, parts: ["accepted", "partly", "refused"], count: answered },
    { name: texts.accepted, parts: ["accepted"], count: totals.accepted },
  ];
  return (
    <ol class="funnel">
      {steps.map(({ name, parts, count }, at) => (
        <li key={name}>
          <div class="funnel-head">
            <span>{name}</span>
            <span>
              <strong>{toNumber(count)}</strong>{" "}
              {at > 0 && totals.shown > 0 && (
                <span class="soft">{texts.of(toPercent(count / totals.shown, 1))}</span>
              )}
            </span>
          </div>
          <div class="funnel-bar" aria-hidden="true">
            {parts.map((kind) => (
              <span
                key={kind}
                class={`share count ${kind}`}
                style={{ width: `${(100 * totals[kind]) / Math.max(1, totals.shown)}%` }}
              />
            ))}
          </div>
        </li>
      ))}
    </ol>
  );
}

function Vendors({ stats }: { stats: Statistics }) {
  const texts = statisticsWords.value;
  return (
    <>
      <SharesLegend names={["accepted", "refused"]} />
      <div class="scrolled" tabIndex={0} role="region" aria-label={texts.funnel.vendors}>
        <table class="plain-table numbers">
          <thead>
            <tr>
              <th scope="col">{texts.groups.vendor}</th>
              <th scope="col" class="end">
                {texts.counts.accepted}
              </th>
              <th scope="col" class="end">
                {texts.counts.refused}
              </th>
              <th scope="col" class="end">
                {texts.rate}
              </th>
              <th scope="col">{texts.shares}</th>
            </tr>
          </thead>
          <tbody>
            {stats.series.map((one) => (
              <tr key={String(one.key)}>
                <th scope="row">{toKeyName("vendor", one)}</th>
                <td class="end">{toNumber(one.totals.accepted)}</td>
                <td class="end">{toNumber(one.totals.refused)}</td>
                <td class="end">{toRate(one.totals)}</td>
                <td>
                  <Shares counts={one.totals} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
