import { useState } from "preact/hooks";
import { importConsents } from "@avow/client/operations";
import { sendFile } from "../../api/send.ts";
import { FileChoice } from "../../ui/forms/file-choice.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { Card } from "../../ui/parts.tsx";
import { transferWords } from "../../words/transfers/words.ts";

interface ImportProps {
  projectId: string;
  onStarted: () => void;
}

/** Uploads a file of answers. The import continues on the service. */
export function ImportCard({ projectId, onStarted }: ImportProps) {
  const texts = transferWords.value;
  const [isMissing, setMissing] = useState(false);
  return (
    <Card title={texts.imports} lead={texts.importsLead}>
      <Form
        submit={texts.check}
        onSubmit={async (_values, data) => {
          const file = data.get("file");
          const isFile = file instanceof File && file.size > 0;
          setMissing(!isFile);
          if (!isFile) return;
          const query = { dryRun: data.get("dryRun") !== null };
          const body = new Blob([file], { type: toType(file.name) });
          // No timeout: the file may be of any size.
          const { signal } = new AbortController();
          await sendFile(importConsents, { path: { projectId }, query, body }, { signal });
          onStarted();
        }}
      >
        <FileChoice
          name="file"
          label={texts.file}
          accept=".csv,.ndjson,.jsonl"
          fault={isMissing ? texts.fileNeeded : undefined}
        />
        <label class="check">
          <input type="checkbox" name="dryRun" defaultChecked />
          <span>
            {texts.dryRun}
            <small>{texts.dryRunHint}</small>
          </span>
        </label>
      </Form>
    </Card>
  );
}

/** Browsers report various media types for CSV, so that the extension decides. */
function toType(name: string): string {
  return /\.(ndjson|jsonl)$/i.test(name) ? "application/x-ndjson" : "text/csv";
}
