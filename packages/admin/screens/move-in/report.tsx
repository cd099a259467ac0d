import { toReportText } from "@avow/move-in/report-text";
import { saveFile } from "../../data/save.ts";
import { Badge, Card } from "../../ui/parts.tsx";
import { moveInWords } from "../../words/move-in/words.ts";
import type { Conversion } from "./convert.ts";

/** Places of one reason that are listed. */
const PLACES_MAX = 12;
const tones = { decide: "warn", "not mapped": "plain", changed: "plain", invalid: "bad" } as const;
const kinds = ["decide", "invalid", "not mapped", "changed"] as const;

/** The values that the proposal leaves out or changes: by kind, each reason once. */
export function ReportCard({ conversion }: { conversion: Conversion }) {
  const texts = moveInWords.value;
  const { product, report, sources } = conversion;
  const { lines, omitted } = report;
  const save = (): void => {
    const text = toReportText({ product: product.name, sources, ...report });
    const file = new Blob([text], { type: "text/plain;charset=utf-8" });
    saveFile(file, `move-in-${product.tool}-report.txt`);
  };
  return (
    <Card
      title={texts.report}
      lead={lines.length === 0 ? texts.complete : texts.reportLead}
      action={
        <button type="button" class="button" onClick={save}>
          {texts.download}
        </button>
      }
    >
      {kinds.map((kind) => {
        const own = lines.filter((line) => line.kind === kind);
        if (own.length === 0) return null;
        const reasons = Map.groupBy(own, ({ reason }) => reason);
        return (
          <section key={kind}>
            <h3>
              {texts.kinds[kind]} <Badge tone={tones[kind]}>{own.length}</Badge>
            </h3>
            <ul class="findings">
              {[...reasons].map(([reason, places]) => (
                <Reason key={reason} reason={reason} paths={places.map(({ path }) => path)} />
              ))}
            </ul>
          </section>
        );
      })}
      {omitted > 0 && <p class="soft">{texts.omitted(omitted)}</p>}
    </Card>
  );
}

function Reason({ reason, paths }: { reason: string; paths: readonly string[] }) {
  const texts = moveInWords.value;
  return (
    <li lang="en">
      <details>
        <summary>
          <Badge>{paths.length}</Badge>
          <span>{reason}</span>
        </summary>
        <ul>
          {paths.slice(0, PLACES_MAX).map((path) => (
            <li key={path} class="code">
              {path}
            </li>
          ))}
        </ul>
        {paths.length > PLACES_MAX && <p class="soft">{texts.more(paths.length - PLACES_MAX)}</p>}
      </details>
    </li>
  );
}
