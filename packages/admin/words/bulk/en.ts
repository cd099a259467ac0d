import type { SiteFault } from "@avow/move-in/site-check";
import type { TableFault } from "@avow/move-in/site-table";

const columns = "title, websiteURL, groups, organization, template";

/** Texts of the creation of projects from a table. */
export const en = {
  title: "Projects from a table",
  lead: "One project for each row of a CSV file. Every row is checked before anything is written.",
  table: "Table",
  tableLead: `The first line names the columns: ${columns}. Only websiteURL is required. At most 500 rows.`,
  file: "CSV file",
  text: "Or its text",
  textHint:
    "Paste rows, or drop a file here. Separate groups by |. Organizations and templates are named by title or id.",
  notUtf8: "The file is not UTF-8. Save it as “CSV UTF-8”.",
  check: "Check table",
  rows: (count: number) => (count === 1 ? "1 row" : `${count} rows`),
  summary: ({ wanted, invalid }: { wanted: number; invalid: number }) =>
    `${wanted} to create, ${invalid} invalid. Nothing is published.`,
  withExisting: "Also create rows whose address has a project already",
  withExistingHint: "They are left out otherwise.",
  create: (count: number) => (count === 1 ? "Create 1 project" : `Create ${count} projects`),
  cancel: "Cancel",
  progress: "Progress of the creation",
  creating: (done: number, all: number) => `${done} of ${all} rows done…`,
  done: ({ created, failed }: { created: number; failed: number }) =>
    `${created} created, ${failed} failed.`,
  saveFailed: (count: number) =>
    count === 1 ? "Save 1 failed row as CSV" : `Save ${count} failed rows as CSV`,
  columns: {
    site: "Site",
    groups: "Groups",
    organization: "Organization",
    template: "Template",
    state: "State",
  },
  line: (line: number) => `Line ${line}`,
  atLine: (line: number, text: string) => `Line ${line}: ${text}`,
  states: {
    ready: "Ready",
    invalid: "Invalid",
    existing: "Has a project",
    created: "Created",
    failed: "Failed",
    open: "Open",
  },
  tableFault: (fault: TableFault): string => {
    switch (fault.code) {
      case "empty":
        return "The table has no rows. Add one for each site below the header.";
      case "too long":
        return "The table is longer than a million characters.";
      case "too many rows":
        return `The table has more than ${fault.max} rows. Divide it.`;
      case "no address column":
        return `The first line has no column websiteURL. The columns are ${columns}.`;
      case "unknown column":
        return `The column “${fault.name}” is unknown. The columns are ${columns}.`;
      case "repeated column":
        return `The column “${fault.name}” occurs twice.`;
      case "too many cells":
        return `Line ${fault.line} has more cells than the header. Put cells that contain a separator in quotation marks.`;
      default:
        return `Line ${fault.line} is not valid CSV: a quotation mark is not closed, or stands inside a cell without being doubled.`;
    }
  },
  fault: (fault: SiteFault): string => {
    switch (fault.code) {
      case "address missing":
        return "Enter an address.";
      case "address invalid":
        return "This is not the address of a website.";
      case "title too long":
        return `The title has more than ${fault.max} characters.`;
      case "too many groups":
        return `More than ${fault.max} groups.`;
      case "group too long":
        return `A group has more than ${fault.max} characters.`;
      case "organization unknown":
        return `You have no organization “${fault.name}”.`;
      case "organization ambiguous":
        return `Several organizations are named “${fault.name}”: use the id.`;
      case "template unknown":
        return `You have no template “${fault.name}”.`;
      case "template ambiguous":
        return `Several templates are named “${fault.name}”: use the id.`;
      default:
        return `Line ${fault.line} has the same address.`;
    }
  },
};

export type BulkWords = typeof en;
