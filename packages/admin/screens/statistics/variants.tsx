import { type Statistics, getStatistics } from "@avow/client/operations";
import { readObject, readText } from "@avow/contract/json";
import { send } from "../../api/send.ts";
import { toPercent } from "../../browser/format.ts";
import { type Doc, listDocuments } from "../../data/documents/documents.ts";
import { useLoad } from "../../data/use-load.ts";
import { LoadView } from "../../ui/load-view.tsx";
import { Card } from "../../ui/parts.tsx";
import { statisticsWords } from "../../words/statistics/words.ts";
import { toName } from "../fields/titles.ts";
import { type StatisticsQuery, toPeriodKey } from "./tables.tsx";
import { type Comparison, type VariantCounts, compare } from "@avow/contract/significance";

/** Significance level of comparisons. */
export const P_MAX = 0.05;

interface VariantTest {
  original: Doc;
  variant: Doc;
}

interface VariantsProps {
  projectId: string;
  query: StatisticsQuery;
}

/** The A/B tests of a project, each with a note on its significance; nothing without a test. */
export function Variants({ projectId, query }: VariantsProps) {
  const { variants: texts } = statisticsWords.value;
  const loaded = useLoad(async () => {
    const tests = toTests(await listDocuments("cookies", projectId));
    if (tests.length === 0) return undefined;
    const grouped = { ...query, group: "configuration" as const };
    return { tests, stats: await send(getStatistics, { path: { projectId }, query: grouped }) };
  }, [projectId, toPeriodKey(query)]);
  return (
    <LoadView of={loaded} lines={2}>
      {(found) =>
        found && (
          <Card title={texts.title} lead={texts.lead}>
            {found.tests.map((test) => (
              <Test key={test.variant.id} test={test} stats={found.stats} />
            ))}
          </Card>
        )
      }
    </LoadView>
  );
}

function toTests(all: readonly Doc[]): VariantTest[] {
  return all.flatMap((variant) => {
    const name = readText(readObject(variant["settings"])["variantOf"]);
    const original =
      name === undefined ? undefined : all.find((one) => one["name"] === name || one.id === name);
    return original ? [{ original, variant }] : [];
  });
}

function Test({ test, stats }: { test: VariantTest; stats: Statistics }) {
  const texts = statisticsWords.value;
  const rows = [test.original, test.variant].map((doc) => ({
    name: toName(doc),
    counts: countOf(stats, doc.id),
  }));
  const [first, second] = rows.map(({ counts }) => counts) as [VariantCounts, VariantCounts];
  return (
    <>
      <div class="scrolled" tabIndex={0} role="region" aria-label={texts.variants.title}>
        <table class="plain-table numbers">
          <thead>
            <tr>
              <th scope="col">{texts.variants.variant}</th>
              <th scope="col" class="end">
                {texts.counts.shown}
              </th>
              <th scope="col" class="end">
                {texts.variants.accepting}
              </th>
              <th scope="col" class="end">
                {texts.variants.rate}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, counts }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td class="end">{counts.shown}</td>
                <td class="end">{counts.accepted}</td>
                <td class="end">
                  {counts.shown === 0 ? "–" : toPercent(counts.accepted / counts.shown, 1)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="note">{toNote(compare(first, second), rows[1]?.name ?? "")}</p>
    </>
  );
}

/** Displays of a configuration, and answers that accept all or a part. */
function countOf({ series }: Statistics, id: string): VariantCounts {
  const totals = series.find(({ key }) => key === id)?.totals;
  if (!totals) return { shown: 0, accepted: 0 };
  const accepted = totals.accepted + totals.partly;
  // Answers without a counted display exist.
  return { shown: Math.max(totals.shown, accepted), accepted };
}

/** Percentage points with a sign. */
export function toPoints(value: number): string {
  return `${value < 0 ? "−" : "+"}${(Math.abs(value) * 100).toFixed(1)}`;
}

function toNote(found: Comparison | undefined, name: string): string {
  const { variants: texts } = statisticsWords.value;
  if (!found?.isEnough) return texts.tooFew;
  const { difference, interval, p } = found;
  const range = `${toPoints(interval[0])} … ${toPoints(interval[1])}`;
  const shown = p < 0.001 ? "< 0.001" : p.toFixed(3);
  return p < P_MAX
    ? texts.differs(name, toPoints(difference), range, shown)
    : texts.chance(toPoints(difference), range, shown);
}
