import { useState } from "preact/hooks";
import type { CheckedSite, NamedDocument } from "@avow/move-in/site-check";
import type { SiteResult } from "@avow/move-in/site-creation";
import { writeFailedSites } from "@avow/move-in/site-table";
import { asProblem } from "../../api/problem.ts";
import { saveFile } from "../../data/save.ts";
import { toHref } from "../../browser/router.ts";
import { toFaultText } from "../../ui/forms/faults.tsx";
import { Badge, Card } from "../../ui/parts.tsx";
import { type Column, Table } from "../../ui/table/table.tsx";
import { bulkWords } from "../../words/bulk/words.ts";

/** A table that was read and checked. */
export interface CheckedTable {
  text: string;
  checked: readonly CheckedSite[];
  organizations: readonly NamedDocument[];
  templates: readonly NamedDocument[];
}

interface RowsCardProps {
  table: CheckedTable;
  /** The results of created rows, by line. */
  results: ReadonlyMap<number, SiteResult>;
  isRunning: boolean;
  onCreate: (wanted: readonly CheckedSite[]) => void;
  onCancel: () => void;
}

/** The rows with their validity, their creation, and its results. */
export function RowsCard({ table, results, isRunning, onCreate, onCancel }: RowsCardProps) {
  const texts = bulkWords.value;
  const [withExisting, setWithExisting] = useState(false);
  const { checked } = table;
  const valid = checked.filter(({ faults }) => faults.length === 0);
  const wanted = valid.filter(({ existing }) => !existing || withExisting);
  const left = wanted.filter(({ row }) => results.get(row.line)?.kind !== "created");
  const created = [...results.values()].filter(({ kind }) => kind === "created").length;
  const failed = listFailed(checked, results);
  const hasExisting = valid.length > checked.filter(isNew).length;
  return (
    <Card
      title={texts.rows(checked.length)}
      lead={texts.summary({ wanted: wanted.length, invalid: checked.length - valid.length })}
    >
      {hasExisting && (
        <label class="check">
          <input
            type="checkbox"
            checked={withExisting}
            disabled={isRunning}
            onChange={({ currentTarget }) => setWithExisting(currentTarget.checked)}
          />
          <span>
            {texts.withExisting}
            <small>{texts.withExistingHint}</small>
          </span>
        </label>
      )}
      {(isRunning || results.size > 0) && (
        <div class="bulk-progress">
          <progress value={results.size} max={wanted.length} aria-label={texts.progress} />
          <p role="status">
            {isRunning
              ? texts.creating(results.size, wanted.length)
              : texts.done({ created, failed: results.size - created })}
          </p>
        </div>
      )}
      <div class="form-end">
        {isRunning ? (
          <button type="button" class="button" onClick={onCancel}>
            {texts.cancel}
          </button>
        ) : (
          left.length > 0 && (
            <button type="button" class="button primary" onClick={() => onCreate(left)}>
              {texts.create(left.length)}
            </button>
          )
        )}
        {!isRunning && failed.length > 0 && (
          <button
            type="button"
            class="button"
            onClick={() =>
              saveFile(new Blob([writeFailedSites(failed)], { type: "text/csv" }), "failed.csv")
            }
          >
            {texts.saveFailed(failed.length)}
          </button>
        )}
      </div>
      <Table
        caption={texts.rows(checked.length)}
        columns={toColumns(table, results)}
        rows={checked}
        toKey={({ row }) => String(row.line)}
      />
    </Card>
  );
}

function isNew({ faults, existing }: CheckedSite): boolean {
  return faults.length === 0 && !existing;
}

function toColumns(
  { organizations, templates }: CheckedTable,
  results: RowsCardProps["results"],
): readonly Column<CheckedSite>[] {
  const { columns, line: toLine } = bulkWords.value;
  return [
    {
      id: "site",
      title: columns.site,
      cell: ({ row, site }) => (
        <>
          {site.title || toLine(row.line)}
          <span class="soft under cut">{row.websiteURL}</span>
        </>
      ),
    },
    { id: "groups", title: columns.groups, text: ({ site }) => site.groups?.join(", ") ?? "–" },
    {
      id: "organization",
      title: columns.organization,
      text: ({ row, site }) => nameOf(organizations, site.organizationId, row.organization),
    },
    {
      id: "template",
      title: columns.template,
      text: ({ row, site }) => nameOf(templates, site.templateId, row.template),
    },
    {
      id: "state",
      title: columns.state,
      cell: (one) => (
        <div>
          <State of={one} result={results.get(one.row.line)} />
        </div>
      ),
    },
  ];
}

function nameOf(
  documents: readonly NamedDocument[],
  id: string | undefined,
  written: string,
): string {
  return documents.find((one) => one.id === id)?.name ?? (written === "" ? "–" : written);
}

interface StateProps {
  of: CheckedSite;
  result: SiteResult | undefined;
}

function State({ of: { row, faults, existing }, result }: StateProps) {
  const { states, fault: toText, atLine } = bulkWords.value;
  if (result?.kind === "created")
    return (
      <>
        <Badge tone="good">{states.created}</Badge>{" "}
        <a href={toHref(`/projects/${result.id}`)} target="_blank">
          {states.open}
        </a>
      </>
    );
  if (result?.kind === "failed")
    return (
      <>
        <Badge tone="bad">{states.failed}</Badge>
        <span class="soft under">{toFaultText(asProblem(result.error))}</span>
      </>
    );
  if (faults.length > 0)
    return (
      <>
        <Badge tone="bad">{states.invalid}</Badge>
        <span class="soft under">{atLine(row.line, faults.map(toText).join(" "))}</span>
      </>
    );
  if (!existing) return <Badge>{states.ready}</Badge>;
  return (
    <>
      <Badge tone="warn">{states.existing}</Badge>
      <a class="under" href={toHref(`/projects/${existing.id}`)} target="_blank">
        {existing.name}
      </a>
    </>
  );
}

/** The rows that are invalid or have failed, with their reasons. */
function listFailed(checked: readonly CheckedSite[], results: RowsCardProps["results"]) {
  const { fault: toText } = bulkWords.value;
  return checked.flatMap(({ row, faults }) => {
    const result = results.get(row.line);
    if (result?.kind === "failed") return [{ row, reason: toFaultText(asProblem(result.error)) }];
    return faults.length > 0 ? [{ row, reason: faults.map(toText).join(" ") }] : [];
  });
}
