import { useState } from "preact/hooks";
import { type Scan, listScans, startScan } from "@avow/client/operations";
import { asProblem } from "../../api/problem.ts";
import { send, sendWhole } from "../../api/send.ts";
import { hasRight, useRoles } from "../../data/projects/rights.ts";
import { useLoad, usePolling } from "../../data/use-load.ts";
import { go, toHref } from "../../browser/router.ts";
import { toFaultText } from "../../ui/forms/faults.tsx";
import { Icon } from "../../ui/icons.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { Page } from "../../ui/page.tsx";
import { Pager, usePage } from "../../ui/pager.tsx";
import { Ago, Badge, Card, Empty } from "../../ui/parts.tsx";
import { scanWords } from "../../words/scans/words.ts";
import { Schedule } from "./schedule.tsx";

const PER_PAGE = 20;
const POLL_MS = 2_000;
export const tones = {
  Pending: "plain",
  Active: "warn",
  Done: "good",
  Error: "bad",
  Cancelled: "plain",
} as const;

/** Whether a scan waits or runs. */
export function isOpen({ status }: Pick<Scan, "status">): boolean {
  return status === "Pending" || status === "Active";
}

/** The scans of a project's website, and their schedule. */
export default function Scans({ projectId = "" }: { projectId?: string }) {
  const texts = scanWords.value;
  const mayScan = hasRight(useRoles(projectId), "write");
  const [page, setPage] = usePage();
  const loaded = useLoad(async () => {
    const query = { page, perPage: PER_PAGE };
    const { body, headers } = await sendWhole(listScans, { path: { projectId }, query });
    return { items: body, total: Number(headers.get("x-total-count") ?? 0) };
  }, [projectId, page]);
  const isRunning = loaded.state === "ready" && loaded.value.items.some(isOpen);
  usePolling(loaded, POLL_MS, isRunning);
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      actions={mayScan && <StartButton projectId={projectId} />}
    >
      <div class="cards">
        <Card title={texts.all}>
          <LoadView of={loaded} lines={4}>
            {({ items, total }) =>
              total === 0 ? (
                <Empty icon="globe" title={texts.noneTitle} text={texts.none} />
              ) : (
                <>
                  <Table projectId={projectId} scans={items} />
                  <Pager page={page} perPage={PER_PAGE} total={total} onPage={setPage} />
                </>
              )
            }
          </LoadView>
        </Card>
        {mayScan && <Schedule projectId={projectId} />}
      </div>
    </Page>
  );
}

function StartButton({ projectId }: { projectId: string }) {
  const texts = scanWords.value;
  const [isStarting, setStarting] = useState(false);
  const [fault, setFault] = useState<string>();
  const start = async (): Promise<void> => {
    setStarting(true);
    setFault(undefined);
    try {
      const { id } = await send(startScan, { path: { projectId } });
      go(`/projects/${projectId}/scans/${id}`);
    } catch (error) {
      setFault(toFaultText(asProblem(error)));
      setStarting(false);
    }
  };
  return (
    <>
      <button
        type="button"
        class="button primary"
        disabled={isStarting}
        onClick={() => void start()}
      >
        <Icon name="globe" />
        {isStarting ? texts.starting : texts.start}
      </button>
      {fault !== undefined && (
        <p class="note bad" role="alert">
          {fault}
        </p>
      )}
    </>
  );
}

function Table({ projectId, scans }: { projectId: string; scans: readonly Scan[] }) {
  const texts = scanWords.value;
  return (
    <table class="stacked">
      <thead>
        <tr>
          <th scope="col">{texts.started}</th>
          <th scope="col">{texts.cause}</th>
          <th scope="col">{texts.version}</th>
          <th scope="col">{texts.state}</th>
        </tr>
      </thead>
      <tbody>
        {scans.map((scan) => (
          <tr key={scan.id}>
            <th scope="row">
              <a class="row-link" href={toHref(`/projects/${projectId}/scans/${scan.id}`)}>
                <Ago at={scan.createdAt} />
              </a>
            </th>
            <td data-label={texts.cause}>{texts.causes[scan.cause]}</td>
            <td data-label={texts.version}>{scan.version ?? texts.noVersion}</td>
            <td data-label={texts.state}>
              <Badge tone={tones[scan.status]}>{texts.states[scan.status]}</Badge>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
