import { useState } from "preact/hooks";
import { type ScanWithResult, cancelScan, getScan } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { hasRight, useRoles } from "../../data/projects/rights.ts";
import { useLoad, usePolling } from "../../data/use-load.ts";
import { toHref } from "../../browser/router.ts";
import { Confirm } from "../../ui/forms/confirm.tsx";
import { Icon } from "../../ui/icons.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { Page } from "../../ui/page.tsx";
import { Ago, Badge, Card } from "../../ui/parts.tsx";
import { scanWords } from "../../words/scans/words.ts";
import { AddVendors } from "./add-vendors.tsx";
import { Calls, Details, Findings, Hosts, Services, Stored } from "./result.tsx";
import { isOpen, tones } from "./scans.tsx";

const POLL_MS = 1_000;
const phases = ["unanswered", "refused", "accepted"] as const;

/** One scan: its progress, then its result. */
export default function ScanScreen({
  projectId = "",
  scanId = "",
}: {
  projectId?: string;
  scanId?: string;
}) {
  const texts = scanWords.value;
  const mayWrite = hasRight(useRoles(projectId), "write");
  const path = { projectId, scanId };
  const loaded = useLoad(() => send(getScan, { path }), [projectId, scanId]);
  const [isCancelling, setCancelling] = useState(false);
  const scan = loaded.state === "ready" ? loaded.value : undefined;
  const isRunning = scan !== undefined && isOpen(scan);
  usePolling(loaded, POLL_MS, isRunning);
  return (
    <Page
      title={scan ? texts.one(new URL(scan.url).host) : texts.title}
      lead={
        <a class="back" href={toHref(`/projects/${projectId}/scans`)}>
          <Icon name="back" />
          {texts.back}
        </a>
      }
    >
      <LoadView of={loaded} lines={6}>
        {(found) => (
          <div class="cards">
            <State
              scan={found}
              onCancel={mayWrite && isOpen(found) ? () => setCancelling(true) : undefined}
            />
            {found.result && (
              <>
                <Findings result={found.result} />
                {mayWrite && <AddVendors projectId={projectId} vendors={found.result.vendors} />}
                <Services result={found.result} />
                <Stored result={found.result} />
                <Hosts result={found.result} />
                <Calls result={found.result} />
                <Details scan={found} result={found.result} />
              </>
            )}
          </div>
        )}
      </LoadView>
      {isCancelling && (
        <Confirm
          title={texts.cancelTitle}
          text={texts.cancelText}
          submit={texts.cancel}
          isDanger
          onConfirm={async () => {
            await send(cancelScan, { path });
            setCancelling(false);
            loaded.reload();
          }}
          onClose={() => setCancelling(false)}
        />
      )}
    </Page>
  );
}

function State({ scan, onCancel }: { scan: ScanWithResult; onCancel: (() => void) | undefined }) {
  const texts = scanWords.value;
  const { progress } = scan;
  return (
    <Card
      title={scan.url}
      lead={
        <>
          {texts.causes[scan.cause]} · <Ago at={scan.createdAt} />
        </>
      }
      action={<Badge tone={tones[scan.status]}>{texts.states[scan.status]}</Badge>}
    >
      {isOpen(scan) && (
        <>
          <progress aria-label={texts.progress} value={toPart(scan)} max={1} />
          <p class="soft" role="status">
            {progress
              ? texts.running(texts.phases[progress.phase], String(progress.pages + 1))
              : texts.waiting}
          </p>
        </>
      )}
      {scan.message !== null && scan.status !== "Cancelled" && (
        <p class="note bad" lang="en">
          {scan.message}
        </p>
      )}
      {onCancel && (
        <button type="button" class="button small" onClick={onCancel}>
          {texts.cancel}
        </button>
      )}
    </Card>
  );
}

/** The part of a scan that has passed, if all pages of all phases are visited. */
function toPart({ progress }: ScanWithResult): number {
  if (!progress) return 0;
  const { phase, pages, pagesMax } = progress;
  return (phases.indexOf(phase) + pages / pagesMax) / phases.length;
}
