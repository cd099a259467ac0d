import { useState } from "preact/hooks";
import {
  type PublicationStatistics,
  getPublicationStatistics,
  listPublications,
} from "@avow/client/operations";
import { send, toAddress } from "../../api/send.ts";
import { useLoad } from "../../data/use-load.ts";
import { toInstant, toNumber, toPercent } from "../../browser/format.ts";
import { Choice } from "../../ui/forms/form.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { Card, Empty } from "../../ui/parts.tsx";
import { statisticsWords } from "../../words/statistics/words.ts";
import { CsvLink, countNames, toAnswered, toCount, toRate } from "./tables.tsx";
import { P_MAX, toPoints } from "./variants.tsx";

const VERSIONS_MAX = 20;

/** The numbers before and after a publication: the latest one, or another one that is chosen. */
export function PublicationChange({ projectId }: { projectId: string }) {
  const { change: texts } = statisticsWords.value;
  const [chosen, setChosen] = useState<string>();
  const query = { environment: "production", perPage: VERSIONS_MAX, sort: "-version" } as const;
  const versions = useLoad(
    () => send(listPublications, { path: { projectId }, query }),
    [projectId],
  );
  return (
    <LoadView of={versions} lines={6}>
      {(published) => {
        const version = chosen ?? String(published[0]?.version ?? "");
        return version === "" ? (
          <Empty icon="chart" title={texts.noneTitle} text={texts.none} />
        ) : (
          <div class="cards">
            <Choice
              name="version"
              label={texts.version}
              value={version}
              onChange={setChosen}
              options={published.map((one) => [
                String(one.version),
                texts.published(String(one.version), toInstant(one.publishedAt)),
              ])}
            />
            <Windows projectId={projectId} version={Number(version)} />
          </div>
        );
      }}
    </LoadView>
  );
}

function Windows({ projectId, version }: { projectId: string; version: number }) {
  const texts = statisticsWords.value;
  const path = { projectId, version };
  const loaded = useLoad(() => send(getPublicationStatistics, { path }), [projectId, version]);
  const title = texts.change.title(String(version));
  const csv = toAddress(getPublicationStatistics, { path, query: { format: "csv" } });
  return (
    <Card title={title} lead={texts.change.lead} action={<CsvLink href={csv} title={title} />}>
      <LoadView of={loaded} lines={4}>
        {(stats) =>
          stats.after.from === stats.after.to ? (
            <p class="note">{texts.change.noWindow}</p>
          ) : (
            <>
              <p class="note">
                {toNote(stats.accepting, texts.change.accepting)}
                <br />
                {toNote(stats.answering, texts.change.answering)}
              </p>
              <div class="scrolled" tabIndex={0} role="region" aria-label={title}>
                <table class="plain-table numbers">
                  <thead>
                    <tr>
                      <th scope="col">{texts.change.window}</th>
                      {countNames.map((name) => (
                        <th key={name} scope="col" class="end">
                          {texts.counts[name]}
                        </th>
                      ))}
                      <th scope="col" class="end">
                        {texts.rate}
                      </th>
                      <th scope="col" class="end">
                        {texts.change.answered}
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {(["before", "after"] as const).map((name) => (
                      <Row key={name} name={texts.change[name]} window={stats[name]} />
                    ))}
                  </tbody>
                </table>
              </div>
            </>
          )
        }
      </LoadView>
    </Card>
  );
}

function Row({ name, window }: { name: string; window: PublicationStatistics["before"] }) {
  const { totals, undisplayed, from, to } = window;
  const displayed = toAnswered(totals) - undisplayed;
  return (
    <tr>
      <th scope="row">
        {name}
        <br />
        <span class="soft">
          {toInstant(from)} – {toInstant(to)}
        </span>
      </th>
      {countNames.map((count) => (
        <td key={count} class="end">
          {toCount(totals, count)}
        </td>
      ))}
      <td class="end">{toRate(totals)}</td>
      <td class="end">
        {totals.shown === 0 ? "–" : toPercent(Math.min(1, displayed / totals.shown), 1)}
      </td>
    </tr>
  );
}

function toNote(found: PublicationStatistics["accepting"], name: string): string {
  const { change: texts } = statisticsWords.value;
  if (!found?.isEnough) return texts.tooFew(name, toNumber(10));
  const { difference, interval, p } = found;
  const range = `${toPoints(interval.from)} … ${toPoints(interval.to)}`;
  return (p < P_MAX ? texts.differs : texts.chance)(name, toPoints(difference), range);
}
