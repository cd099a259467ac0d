import { useEffect } from "preact/hooks";
import { type ScanWithResult, cancelScan, getScan } from "@avow/client/operations";
import { asProblem } from "../../api/problem.ts";
import { send } from "../../api/send.ts";
import { useLoad, usePolling } from "../../data/use-load.ts";
import { Form } from "../../ui/forms/form.tsx";
import { Card } from "../../ui/parts.tsx";
import { scanWords } from "../../words/scans/words.ts";
import { startWords } from "../../words/start/words.ts";
import { isOpen } from "../scans/scans.tsx";

const POLL_MS = 1_000;

interface ScanningProps {
  scan: ScanWithResult;
  onEnd: () => void;
  onSkip: () => void;
}

/** The progress of the first scan, which can be skipped. */
export function Scanning({ scan: { projectId, id, url }, onEnd, onSkip }: ScanningProps) {
  const texts = startWords.value;
  const path = { projectId, scanId: id };
  const loaded = useLoad(() => send(getScan, { path }), [id]);
  const present = loaded.state === "ready" ? loaded.value : undefined;
  const hasEnded = present !== undefined && !isOpen(present);
  usePolling(loaded, POLL_MS, !hasEnded);
  useEffect(() => {
    if (hasEnded) onEnd();
  }, [hasEnded]);
  const progress = present?.progress;
  const skip = async (): Promise<void> => {
    try {
      await send(cancelScan, { path });
    } catch (error) {
      // The scan has ended in the meantime: there is nothing to cancel.
      const problem = asProblem(error);
      if (problem.kind !== "conflict") throw problem;
    }
    onSkip();
    onEnd();
  };
  return (
    <Card title={new URL(url).host} lead={texts.scanTime}>
      <div aria-live="polite">
        <p>
          {progress
            ? `${texts.visited(progress.pages + 1, progress.pagesMax)} · ${scanWords.value.phases[progress.phase]}`
            : texts.queued}
        </p>
      </div>
      <progress
        aria-label={scanWords.value.progress}
        {...(progress ? { value: progress.pages + 1, max: progress.pagesMax } : {})}
      />
      <Form submit={texts.skip} isPlain onSubmit={skip} />
    </Card>
  );
}
