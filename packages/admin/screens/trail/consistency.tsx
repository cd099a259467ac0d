import { useState } from "preact/hooks";
import { forgetLog, readKnownLog } from "../../data/log.ts";
import { toInstant, toNumber } from "../../browser/format.ts";
import { Form } from "../../ui/forms/form.tsx";
import { Card } from "../../ui/parts.tsx";
import { trailWords } from "../../words/trail/words.ts";
import type { LogCheck } from "./check-log.ts";

interface ConsistencyProps {
  projectId: string;
  onChecked: () => void;
}

/** Verifies in the browser that the log is append-only. */
export function Consistency({ projectId, onChecked }: ConsistencyProps) {
  const { log } = trailWords.value;
  const [found, setFound] = useState<LogCheck>();
  const kept = readKnownLog();
  const forget = (): void => {
    forgetLog();
    setFound(undefined);
    onChecked();
  };
  return (
    <Card title={log.consistency} lead={log.consistencyLead}>
      {kept && <p class="soft">{log.met(toInstant(kept.since))}</p>}
      <Form
        submit={log.check}
        onSubmit={async ({ older = "" }) => {
          const { checkLog } = await import("./check-log.ts");
          setFound(await checkLog(projectId, older.trim()));
          onChecked();
        }}
      >
        <details>
          <summary>{log.older}</summary>
          <div class="field">
            <label for="older" class="hint">
              {log.olderHint}
            </label>
            <textarea id="older" name="older" class="code" rows={6} spellcheck={false} />
          </div>
        </details>
      </Form>
      <div role="status">{found && <Outcome found={found} />}</div>
      {found?.name === "strange" && (
        <p>
          <button type="button" class="button small" onClick={forget}>
            {log.forget}
          </button>{" "}
          <span class="soft">{log.forgetHint}</span>
        </p>
      )}
    </Card>
  );
}

function Outcome({ found }: { found: LogCheck }) {
  const { log } = trailWords.value;
  switch (found.name) {
    case "met":
      return <p class="note good">{log.first}</p>;
    case "same":
      return <p class="note good">{log.same(toNumber(found.to))}</p>;
    case "holds":
      return <p class="note good">{log.holds(toNumber(found.from), toNumber(found.to))}</p>;
    default:
      return <p class="note bad">{log[found.name]}</p>;
  }
}
