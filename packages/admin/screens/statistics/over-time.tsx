import { useState } from "preact/hooks";
import type { Statistics } from "@avow/client/operations";
import { Card } from "../../ui/parts.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { statisticsWords } from "../../words/statistics/words.ts";
import { Chart } from "./chart.tsx";
import { CsvLink, TimeTable, countNames, toCount, toCountsAt, toRate, toShare } from "./tables.tsx";

const measures = ["counts", "shares"] as const;
type Measure = (typeof measures)[number];

/** Displays and answers, or the acceptance rate, by day or hour; `csv` is the address of the numbers. */
export function OverTime({ stats, csv }: { stats: Statistics; csv: string }) {
  const texts = statisticsWords.value;
  const [measure, setMeasure] = useState<Measure>("counts");
  const title = texts.overTime;
  const [series] = stats.series;
  if (!series) return null;
  return (
    <Card title={title} action={<CsvLink href={csv} title={title} />}>
      <Tabs
        label={texts.measures.label}
        tabs={measures.map((one) => [one, texts.measures[one]] as const)}
        value={measure}
        onChange={setMeasure}
      >
        <Chart
          label={texts.chart(texts.measures[measure])}
          stats={stats}
          lines={measure === "counts" ? toCountLines(stats, series) : [toRateLine(stats, series)]}
          measure={measure}
        />
      </Tabs>
      <details>
        <summary>{texts.table}</summary>
        <TimeTable stats={stats} series={series} />
      </details>
    </Card>
  );
}

type Series = Statistics["series"][number];

function toCountLines({ totals }: Statistics, series: Series) {
  const { counts } = statisticsWords.value;
  return countNames.map((kind) => ({
    kind,
    name: counts[kind],
    values: series[kind],
    total: toCount(totals, kind),
  }));
}

function toRateLine({ starts, totals }: Statistics, series: Series) {
  return {
    kind: "accepted" as const,
    name: statisticsWords.value.rate,
    values: starts.map((_, at) => toShare(toCountsAt(series, at))),
    total: toRate(totals),
  };
}
