import { useState } from "preact/hooks";
import { type TemplateSiteReport, reportTemplateSites } from "@avow/client/operations";
import { sendWhole } from "../../api/send.ts";
import { useLoad } from "../../data/use-load.ts";
import { toHref } from "../../browser/router.ts";
import { LoadView } from "../../ui/load-view.tsx";
import { Pager, usePage } from "../../ui/pager.tsx";
import { Badge, Card } from "../../ui/parts.tsx";
import { templateWords } from "../../words/templates/words.ts";

/** Each site of a page is computed, so pages are small. */
const PER_PAGE = 10;
const tones = { changes: "plain", unchanged: "plain", blocked: "bad", skipped: "warn" } as const;

/** The effect that publishing the sites of a template would have, computed on request. */
export function ReportCard({ templateId }: { templateId: string }) {
  const texts = templateWords.value;
  const [isShown, setShown] = useState(false);
  return (
    <Card title={texts.report} lead={texts.reportLead}>
      {isShown ? (
        <Reports templateId={templateId} />
      ) : (
        <div>
          <button type="button" class="button" onClick={() => setShown(true)}>
            {texts.showReport}
          </button>
        </div>
      )}
    </Card>
  );
}

function Reports({ templateId }: { templateId: string }) {
  const [page, setPage] = usePage();
  const loaded = useLoad(async () => {
    const query = { page, perPage: PER_PAGE };
    const { body, headers } = await sendWhole(reportTemplateSites, { path: { templateId }, query });
    return { items: body, total: Number(headers.get("x-total-count") ?? 0) };
  }, [templateId, page]);
  return (
    <LoadView of={loaded} lines={4}>
      {({ items, total }) => (
        <>
          <ul class="site-reports">
            {items.map((report) => (
              <SiteReport key={report.projectId} report={report} />
            ))}
          </ul>
          <Pager page={page} perPage={PER_PAGE} total={total} onPage={setPage} />
        </>
      )}
    </LoadView>
  );
}

/** The report of one site; its changes are unfolded on request. */
function SiteReport({ report }: { report: TemplateSiteReport }) {
  const texts = templateWords.value;
  const { result, asks, count, tokens, message, changes, dropped, heldBack } = report;
  const hasDetails = changes.length + dropped.length + heldBack.length > 0;
  const head = (
    <>
      <strong>{report.title}</strong>{" "}
      {result !== "changes" && <Badge tone={tones[result]}>{texts.results[result]}</Badge>}
      {count > 0 && <Badge>{texts.changes(count)}</Badge>}
      {asks !== "nobody" && (
        <Badge tone={asks === "again" ? "warn" : "plain"}>{texts.asks[asks]}</Badge>
      )}
      {tokens > 0 && <span class="soft">{texts.tokens(tokens)}</span>}
    </>
  );
  return (
    <li>
      {hasDetails ? (
        <details>
          <summary>{head}</summary>
          <Details report={report} />
          <a href={toHref(`/projects/${report.projectId}/publish`)}>{texts.openSite}</a>
        </details>
      ) : (
        <p>{head}</p>
      )}
      {message !== null && (
        <p class="note bad" lang="en">
          {message}
        </p>
      )}
    </li>
  );
}

function Details({
  report: { changes, count, dropped, heldBack },
}: {
  report: TemplateSiteReport;
}) {
  const texts = templateWords.value;
  return (
    <>
      <ul lang="en">
        {changes.map(({ class: kind, message, asks }) => (
          <li key={`${kind} ${message}`}>
            {message} {asks !== "nobody" && <Badge tone="warn">{texts.asks[asks]}</Badge>}
          </li>
        ))}
      </ul>
      {count > changes.length && <p class="soft">{texts.more(count - changes.length)}</p>}
      {dropped.length > 0 && (
        <p>
          {texts.dropped} <code>{dropped.join(", ")}</code>
        </p>
      )}
      {heldBack.map(({ name, reason }) => (
        <p key={name}>
          {texts.heldBack} <strong>{name}</strong> <span lang="en">{reason}</span>
        </p>
      ))}
    </>
  );
}
