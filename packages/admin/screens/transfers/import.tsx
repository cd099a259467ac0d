import { useState } from "preact/hooks";
import { importConsents } from "@avow/client/operations";
import { sendFile } from "../../api/send.ts";
import { Form } from "../../ui/forms/form.tsx";
import { Card } from "../../ui/parts.tsx";
import { transferWords } from "../../words/transfers/words.ts";

interface ImportProps {
  projectId: string;
  onStarted: () => void;
}

/** Takes a file of answers; the import goes on by itself once the service has the file. */
export function ImportCard({ projectId, onStarted }: ImportProps) {
  const said = transferWords.value;
  const [isMissing, setMissing] = useState(false);
  return (
    <Card title={said.imports} lead={said.importsLead}>
      <Form
        submit={said.check}
        onSubmit={async (_values, data) => {
          const file = data.get("file");
          const isFile = file instanceof File && file.size > 0;
          setMissing(!isFile);
          if (!isFile) return;
          const query = { dryRun: data.get("dryRun") !== null };
          const body = new Blob([file], { type: toType(file.name) });
          // Of any size, for as long as it takes.
          const { signal } = new AbortController();
          await sendFile(importConsents, { path: { projectId }, query, body }, { signal });
          onStarted();
        }}
      >
        <div class="field">
          <label for="file">{said.file}</label>
          <input
            id="file"
            name="file"
            type="file"
            accept=".csv,.ndjson,.jsonl"
            aria-invalid={isMissing}
            aria-describedby={isMissing ? "file-fault" : undefined}
          />
          {isMissing && (
            <p class="fault" id="file-fault" role="alert">
              {said.fileNeeded}
            </p>
          )}
        </div>
        <label class="check">
          <input type="checkbox" name="dryRun" defaultChecked />
          <span>
            {said.dryRun}
            <small>{said.dryRunHint}</small>
          </span>
        </label>
      </Form>
    </Card>
  );
}

/** Browsers call CSV what they like; the service goes by the name of the format. */
function toType(name: string): string {
  return /\.(ndjson|jsonl)$/i.test(name) ? "application/x-ndjson" : "text/csv";
}
