import { useEffect, useRef, useState } from "preact/hooks";
import { type Problem } from "@avow/client/problem";
import { asProblem } from "../../api/problem.ts";
import { toStart } from "../../data/consents.ts";
import { type ExportResult, type ExportProgress, exportFile } from "../../data/exporting.ts";
import { toNumber, toSize } from "../../browser/format.ts";
import { FaultNote } from "../../ui/forms/faults.tsx";
import { Choice, Field, Form } from "../../ui/forms/form.tsx";
import { Card } from "../../ui/parts.tsx";
import { transferWords } from "../../words/transfers/words.ts";
import { language } from "../../words/words.ts";

type State =
  | { name: "none" | "stopped" }
  | { name: "running"; progress: ExportProgress | undefined }
  | { name: "done"; exported: ExportResult }
  | { name: "failed"; problem: Problem };

/** Exports answers to a file and shows the progress. */
export function ExportCard({ projectId }: { projectId: string }) {
  const texts = transferWords.value;
  const [state, setState] = useState<State>({ name: "none" });
  const running = useRef<AbortController>(undefined);
  // Leaving the screen aborts the export.
  useEffect(() => () => running.current?.abort(), []);
  const run = async (given: Readonly<Record<string, string>>): Promise<void> => {
    const start = toStart(given["from"] ?? null);
    const end = toStart(given["to"] ?? null, 1);
    const controller = new AbortController();
    running.current = controller;
    setState({ name: "running", progress: undefined });
    try {
      const exported = await exportFile({
        path: { projectId, format: given["format"] as "csv" },
        query: { ...(start ? { start } : {}), ...(end ? { end } : {}) },
        signal: controller.signal,
        onProgress: (progress) => setState({ name: "running", progress }),
      });
      setState({ name: "done", exported });
    } catch (error) {
      if (controller.signal.aborted) setState({ name: "stopped" });
      else setState({ name: "failed", problem: asProblem(error) });
    }
  };
  return (
    <Card title={texts.exports} lead={texts.exportsLead}>
      <div class="search">
        <Form submit={texts.start} onSubmit={run}>
          <Choice name="format" label={texts.format} options={Object.entries(texts.formats)} />
          <Field name="from" type="date" label={texts.from} />
          <Field name="to" type="date" label={texts.to} />
        </Form>
      </div>
      <div role="status">
        <Progress state={state} onStop={() => running.current?.abort()} />
      </div>
      {state.name === "failed" && <FaultNote problem={state.problem} />}
    </Card>
  );
}

function Progress({ state, onStop }: { state: State; onStop: () => void }) {
  const texts = transferWords.value;
  if (state.name === "stopped") return <p class="soft">{texts.stopped}</p>;
  if (state.name === "done") {
    const { count, bytes, sha256, isWhole } = state.exported;
    if (!isWhole) return <p class="note bad">{texts.cut}</p>;
    return (
      <div class="note good">
        <p>{texts.done(toNumber(count), toSize(bytes))}</p>
        {sha256 !== null && <p class="code">{texts.hash(sha256)}</p>}
      </div>
    );
  }
  if (state.name !== "running") return null;
  const { progress } = state;
  return (
    <div class="running">
      <progress aria-label={texts.progress} value={progress?.share} max={1} />
      <span class="soft">{progress ? toText(progress) : texts.asking}</span>
      <button type="button" class="button small" onClick={onStop}>
        {texts.cancel}
      </button>
    </div>
  );
}

function toText({ bytes, share }: ExportProgress): string {
  const texts = transferWords.value;
  const options = { style: "percent" } as const;
  const percent = new Intl.NumberFormat(language.value, options).format(share ?? 0);
  const about = share === undefined ? "" : texts.about(percent);
  return texts.running(toNumber(Math.round(bytes / 1_000)), about);
}
