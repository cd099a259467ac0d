import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Problem } from "@avow/client/problem";
import { Confirm } from "../ui/forms/confirm.tsx";
import { DangerLink } from "../ui/forms/danger-link.tsx";
import { FaultNote } from "../ui/forms/faults.tsx";
import { FileChoice } from "../ui/forms/file-choice.tsx";
import { Area, Choice, Field, Form } from "../ui/forms/form.tsx";
import { SearchField } from "../ui/forms/search-field.tsx";
import { Icon, Mark } from "../ui/icons.tsx";
import { LoadView } from "../ui/load-view.tsx";
import { Pager } from "../ui/pager.tsx";
import { Ago, Badge, Card, Copyable, Empty } from "../ui/parts.tsx";
import { Report } from "../ui/report.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Sparkline } from "../ui/sparkline.tsx";
import { Menu } from "../ui/table/menu.tsx";
import { useSelection } from "../ui/table/selection.ts";
import { type Column, Table } from "../ui/table/table.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { notify } from "../ui/toast.tsx";

interface Sample {
  title: string;
  states: Readonly<Record<string, () => ComponentChildren>>;
}

const ignore = (): void => undefined;
const reject = async (): Promise<void> => {
  throw new Problem("offline");
};
const loaded = { reload: ignore, retry: ignore };

/** Each component with its states. */
export const samples: readonly Sample[] = [
  {
    title: "Buttons",
    states: {
      plain: () => (
        <div class="actions">
          <button type="button" class="button primary">
            Publish
          </button>
          <button type="button" class="button">
            Compare
          </button>
          <button type="button" class="button ghost">
            Cancel
          </button>
          <button type="button" class="button primary danger">
            Delete
          </button>
          <button type="button" class="button danger">
            Delete
          </button>
          <button type="button" class="button small">
            <Icon name="plus" />
            Small
          </button>
        </div>
      ),
      disabled: () => (
        <button type="button" class="button" disabled>
          Publish
        </button>
      ),
      busy: () => (
        <button type="button" class="button primary" aria-disabled>
          Publish
          <span class="spinner" aria-hidden="true" />
        </button>
      ),
      link: () => (
        <p>
          <button type="button" class="link">
            Compare
          </button>{" "}
          <DangerLink text="Remove" onClick={ignore} />
        </p>
      ),
    },
  },
  {
    title: "Fields",
    states: {
      plain: () => <Field name="a" label="Title" hint="Visitors see it." value="Hearth & Clay" />,
      "read only": () => <Field name="b" label="Token" value="0x4d" isCode readOnly />,
      date: () => <Field name="c" type="date" label="From" />,
      choice: () => (
        <Choice
          name="d"
          label="Role"
          options={[
            ["viewer", "Viewer"],
            ["editor", "Editor"],
          ]}
        />
      ),
      area: () => <Area name="e" label="Headers" />,
      search: () => <SearchField label="Filter by title" value="clay" onValue={ignore} />,
      "file with an error": () => (
        <FileChoice name="f" label="File" fault="This is no list of consents." />
      ),
      boxes: () => (
        <label class="check">
          <input type="checkbox" checked />
          publish.done
        </label>
      ),
    },
  },
  {
    title: "Form",
    states: {
      "empty: send it to see the error of a field": () => (
        <Form submit="Save" onSubmit={async () => undefined}>
          <Field name="title" label="Title" required />
        </Form>
      ),
      "send it to see an error of the service": () => <Form submit="Save" onSubmit={reject} />,
    },
  },
  {
    title: "States and messages",
    states: {
      badges: () => (
        <p>
          <Badge tone="good">Live</Badge> <Badge tone="warn">3 unpublished</Badge>{" "}
          <Badge tone="bad">failed</Badge> <Badge>Free</Badge>
        </p>
      ),
      notes: () => (
        <>
          <p class="note">Nothing is published yet.</p>
          <p class="note good">Visitors see version 3.</p>
          <p class="note warn">4,000 people are asked again.</p>
          <p class="note bad">The widget was not found.</p>
        </>
      ),
      "failure of the service": () => <FaultNote problem={new Problem("internal")} />,
      toast: () => (
        <div class="actions">
          <button type="button" class="button" onClick={() => notify("Saved.")}>
            Show
          </button>
          <button
            type="button"
            class="button"
            onClick={() => notify("The webhook is turned off.", async () => undefined)}
          >
            Show with undo
          </button>
        </div>
      ),
      time: () => <Ago at={new Date(Date.now() - 7_200_000).toISOString()} />,
    },
  },
  {
    title: "Loading",
    states: {
      skeleton: () => <Skeleton lines={4} />,
      failed: () => (
        <LoadView of={{ ...loaded, state: "failed", problem: new Problem("offline") }}>
          {() => null}
        </LoadView>
      ),
      forbidden: () => (
        <LoadView of={{ ...loaded, state: "failed", problem: new Problem("forbidden") }}>
          {() => null}
        </LoadView>
      ),
      empty: () => (
        <Empty icon="hook" title="No webhooks yet" text="A webhook sends each event to your URL.">
          <button type="button" class="button primary">
            New webhook
          </button>
        </Empty>
      ),
    },
  },
  {
    title: "Tables",
    states: {
      "ordered, with a selection": () => <SelectableTable />,
      "in a card": () => (
        <Card title="Team" lead="People with access to this project.">
          <Table caption="Team" columns={columns} rows={rows} toKey={toName} isFlush />
        </Card>
      ),
      pager: () => <Pager page={2} perPage={12} total={60} onPage={ignore} />,
      menu: () => (
        <Menu label="View">
          <p>Columns and saved views</p>
        </Menu>
      ),
    },
  },
  {
    title: "Parts",
    states: {
      tabs: () => <SelectableTabs />,
      copyable: () => <Copyable text='<script src="/widget/avow.js">' label="Snippet" />,
      sparkline: () => <Sparkline values={[0.5, 0.52, 0.61, undefined, 0.58, 0.57]} />,
      "report, proven": () => <Report report={toReport("proven")} />,
      "report, broken": () => <Report report={toReport("broken")} />,
      dialog: () => <OpenableDialog />,
      icons: () => (
        <p>
          <Mark /> <Icon name="globe" /> <Icon name="people" /> <Icon name="seal" />
        </p>
      ),
    },
  },
];

interface Row {
  name: string;
  role: string;
}

const rows: readonly Row[] = [
  { name: "Camille Ferrand", role: "Owner" },
  { name: "Noé Lambert", role: "Editor" },
];
const toName = ({ name }: Row): string => name;
const columns: readonly Column<Row>[] = [
  { id: "name", title: "Person", text: toName, order: toName },
  { id: "role", title: "Role", cell: ({ role }) => <Badge>{role}</Badge> },
];

function SelectableTable() {
  const [sort, setSort] = useState("name");
  const selection = useSelection(rows.map(toName));
  return (
    <Table
      caption="Team"
      columns={columns}
      rows={rows}
      toKey={toName}
      sort={sort}
      onSort={setSort}
      selection={selection}
    />
  );
}

function SelectableTabs() {
  const [value, setValue] = useState<"answers" | "people">("answers");
  return (
    <Tabs
      label="Search for"
      tabs={[
        ["answers", "Answers"],
        ["people", "People"],
      ]}
      value={value}
      onChange={setValue}
    >
      <p>{value}</p>
    </Tabs>
  );
}

function OpenableDialog() {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      <button type="button" class="button" onClick={() => setOpen(true)}>
        Open
      </button>
      {isOpen && (
        <Confirm
          title="Delete the webhook?"
          text="Pending deliveries are not sent any more."
          submit="Delete"
          isDanger
          onConfirm={async () => close()}
          onClose={close}
        />
      )}
    </>
  );
}

function toReport(verdict: "proven" | "broken") {
  const holds = verdict === "proven";
  return {
    verdict,
    heading: holds ? "The record is proven" : "The record was changed",
    checks: [{ name: "tree", holds, says: "The record is in the log." }],
  };
}
