import { useState } from "preact/hooks";
import { createSite, readSiteSurroundings } from "@avow/client/sites";
import { checkSites, listSiteAddresses } from "@avow/move-in/site-check";
import { type SiteResult, createSites } from "@avow/move-in/site-creation";
import { Problem } from "@avow/client/problem";
import { SiteTableError, TEXT_LENGTH_MAX, readSiteTable } from "@avow/move-in/site-table";
import { send } from "../../api/send.ts";
import { FileChoice } from "../../ui/forms/file-choice.tsx";
import { Area, Form } from "../../ui/forms/form.tsx";
import { Page } from "../../ui/page.tsx";
import { Card } from "../../ui/parts.tsx";
import { bulkWords } from "../../words/bulk/words.ts";
import { type CheckedTable, RowsCard } from "./rows.tsx";

const EXAMPLE = `title,websiteURL,groups,organization,template
Café Central,cafe.example,Retail|France,,
Town hall,https://town.example,Public,,
`;

/** Projects from a table: checked row by row before anything is written. */
export default function BulkCreation() {
  const texts = bulkWords.value;
  const [table, setTable] = useState<CheckedTable>();
  const [results, setResults] = useState<ReadonlyMap<number, SiteResult>>(new Map());
  const [running, setRunning] = useState<AbortController>();
  const check = async (text: string): Promise<void> => {
    setTable(undefined);
    setResults(new Map());
    const rows = readRows(text);
    const surroundings = await readSiteSurroundings({ send }, listSiteAddresses(rows));
    setTable({ text, checked: checkSites(rows, surroundings), ...surroundings });
  };
  const create = async ({ text }: CheckedTable, wanted: CheckedTable["checked"]): Promise<void> => {
    const stopping = new AbortController();
    setRunning(stopping);
    try {
      await createSites(text, wanted, {
        create: (site, key) => createSite({ send }, site, key),
        onResult: (result) =>
          setResults((before) => new Map(before).set(result.checked.row.line, result)),
        signal: stopping.signal,
      });
    } finally {
      setRunning(undefined);
    }
  };
  return (
    <Page title={texts.title} lead={texts.lead}>
      {/* Hidden only, so that the table is kept. */}
      <div hidden={running !== undefined}>
        <TableForm onCheck={check} />
      </div>
      {table && (
        <RowsCard
          table={table}
          results={results}
          isRunning={running !== undefined}
          onCreate={(wanted) => void create(table, wanted)}
          onCancel={() => running?.abort()}
        />
      )}
    </Page>
  );
}

/** @throws Problem at the field of the text */
function readRows(text: string) {
  try {
    return readSiteTable(text);
  } catch (error) {
    if (!(error instanceof SiteTableError)) throw error;
    const message = bulkWords.value.tableFault(error.fault);
    throw new Problem("invalid", { errors: [{ path: "/table", message }] });
  }
}

/** The table as a text, which a file can be chosen for or dropped on. */
function TableForm({ onCheck }: { onCheck: (text: string) => Promise<void> }) {
  const texts = bulkWords.value;
  const [given, setGiven] = useState({ text: "", revision: 0 });
  const [fault, setFault] = useState<string>();
  const take = async (file: File | null | undefined): Promise<void> => {
    if (!file) return;
    setFault(undefined);
    // A character takes at most three bytes of a UTF-16 code unit in UTF-8.
    if (file.size > TEXT_LENGTH_MAX * 3) return setFault(texts.tableFault({ code: "too long" }));
    try {
      const text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
      setGiven(({ revision }) => ({ text, revision: revision + 1 }));
    } catch {
      setFault(texts.notUtf8);
    }
  };
  return (
    <Card title={texts.table} lead={texts.tableLead}>
      <div
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          const [file] = event.dataTransfer?.files ?? [];
          if (!file) return;
          event.preventDefault();
          void take(file);
        }}
        onChange={({ target }) => {
          if (target instanceof HTMLInputElement && target.type === "file")
            void take(target.files?.[0]);
        }}
      >
        <Form submit={texts.check} onSubmit={({ table = "" }) => onCheck(table)}>
          <FileChoice name="file" label={texts.file} accept=".csv,text/csv" fault={fault} />
          <Area
            key={given.revision}
            name="table"
            label={texts.text}
            hint={texts.textHint}
            placeholder={EXAMPLE}
            rows={8}
            maxLength={TEXT_LENGTH_MAX}
            value={given.text}
          />
        </Form>
      </div>
    </Card>
  );
}
