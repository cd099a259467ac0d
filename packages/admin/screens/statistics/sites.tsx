import { useState } from "preact/hooks";
import { compareSites } from "@avow/client/operations";
import { send, toAddress } from "../../api/send.ts";
import { readGroupNames } from "../../data/projects/groups.ts";
import { useLoad } from "../../data/use-load.ts";
import { toDay, toNumber } from "../../browser/format.ts";
import { toHref } from "../../browser/router.ts";
import { Choice } from "../../ui/forms/form.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { Card } from "../../ui/parts.tsx";
import { sitesWords } from "../../words/sites/words.ts";
import { statisticsWords } from "../../words/statistics/words.ts";
import { CsvLink, Shares, SharesLegend, toAnswered, toRate } from "./tables.tsx";
import { toPoints } from "./variants.tsx";

/** The user's sites, with the change from the equally long period before. */
export function Sites({ projectId, days }: { projectId: string; days: number }) {
  const texts = statisticsWords.value;
  const { groups: groupTexts } = sitesWords.value;
  const [group, setGroup] = useState("");
  const groups = useLoad(readGroupNames, []);
  const names = groups.state === "ready" ? groups.value : [];
  const query = { days, ...(group !== "" && { group }) };
  const loaded = useLoad(() => send(compareSites, { query }), [days, group]);
  const csv = toAddress(compareSites, { query: { ...query, format: "csv" } });
  const { title } = texts.sites;
  return (
    <Card title={title} lead={texts.sites.lead} action={<CsvLink href={csv} title={title} />}>
      {names.length > 0 && (
        <Choice
          name="group"
          label={groupTexts.filter}
          value={group}
          options={[["", groupTexts.all], ...names.map((name) => [name, name] as const)]}
          onChange={setGroup}
        />
      )}
      <LoadView of={loaded} lines={6}>
        {({ sites, from, to, isPartial }) => (
          <>
            <SharesLegend />
            <div class="scrolled" tabIndex={0} role="region" aria-label={title}>
              <table class="plain-table numbers">
                <thead>
                  <tr>
                    <th scope="col">{texts.sites.site}</th>
                    <th scope="col" class="end">
                      {texts.counts.shown}
                    </th>
                    <th scope="col" class="end">
                      {texts.sites.answers}
                    </th>
                    <th scope="col" class="end">
                      {texts.rate}
                    </th>
                    <th scope="col" class="end">
                      {texts.sites.change}
                    </th>
                    <th scope="col">{texts.shares}</th>
                  </tr>
                </thead>
                <tbody>
                  {sites.map(({ projectId: id, title: name, totals, before }) => (
                    <tr key={id}>
                      <th scope="row">
                        {id === projectId ? (
                          <strong>{name}</strong>
                        ) : (
                          <a href={toHref(`/projects/${id}/statistics`)}>{name}</a>
                        )}
                      </th>
                      <td class="end">{toNumber(totals.shown)}</td>
                      <td class="end">{toNumber(toAnswered(totals))}</td>
                      <td class="end">{toRate(totals)}</td>
                      <td class="end">{toChange(totals, before.totals)}</td>
                      <td>
                        <Shares counts={totals} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
            <p class="hint">
              {texts.sites.period(
                toDay(from, "UTC"),
                toDay(new Date(Date.parse(to) - 1).toISOString(), "UTC"),
              )}{" "}
              {isPartial && texts.sites.partial}
            </p>
          </>
        )}
      </LoadView>
    </Card>
  );
}

type Answers = Record<"accepted" | "partly" | "refused", number>;

/** Percentage points between the acceptance rates; a dash unless both periods have answers. */
function toChange(now: Answers, before: Answers): string {
  const [a, b] = [toAnswered(before), toAnswered(now)];
  return a === 0 || b === 0 ? "–" : toPoints(now.accepted / b - before.accepted / a);
}
