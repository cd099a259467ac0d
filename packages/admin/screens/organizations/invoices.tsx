import { type Invoice, listInvoices } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { useCursor } from "../../data/use-cursor.ts";
import { useLoad } from "../../data/use-load.ts";
import { toDay, toMoney } from "../../browser/format.ts";
import { CursorPager } from "../../ui/cursor-pager.tsx";
import { Badge, Card } from "../../ui/parts.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { type Column, Table } from "../../ui/table/table.tsx";
import { organizationWords } from "../../words/organizations/words.ts";

const LIMIT = 12;
const tones = { open: "warn", paid: "good", uncollectible: "bad", void: "plain" } as const;

/** The invoices of an organization, newest first, each with its PDF. */
export function Invoices({ organizationId }: { organizationId: string }) {
  const texts = organizationWords.value.plan;
  const cursors = useCursor([organizationId]);
  const { cursor } = cursors;
  const loaded = useLoad(() => {
    const query = { limit: LIMIT, ...(cursor === undefined ? {} : { cursor }) };
    return send(listInvoices, { path: { organizationId }, query });
  }, [organizationId, cursor]);
  return (
    <Card title={texts.invoices}>
      <LoadView of={loaded}>
        {({ items, links }) => (
          <>
            {items.length === 0 ? (
              <p class="soft">{texts.noInvoices}</p>
            ) : (
              <Table
                caption={texts.invoices}
                columns={toColumns()}
                rows={items}
                toKey={({ id }) => id}
                isFlush
              />
            )}
            <CursorPager cursors={cursors} next={links.next} />
          </>
        )}
      </LoadView>
    </Card>
  );
}

function toColumns(): readonly Column<Invoice>[] {
  const texts = organizationWords.value.plan;
  return [
    { id: "number", title: texts.number, text: toNumberOf },
    { id: "day", title: texts.day, text: ({ createdAt }) => toDay(createdAt) },
    {
      id: "amount",
      title: texts.amount,
      cell: ({ total, credited, currency }) => (
        <div>
          {toMoney(total, currency)}
          {credited > 0 && (
            <span class="soft kind">{texts.credited(toMoney(credited, currency))}</span>
          )}
        </div>
      ),
    },
    {
      id: "state",
      title: texts.state,
      cell: ({ status }) => <Badge tone={tones[status]}>{texts.invoiceStates[status]}</Badge>,
    },
    {
      id: "download",
      title: texts.download,
      isActions: true,
      cell: (invoice) => <Links invoice={invoice} />,
    },
  ];
}

function toNumberOf({ number }: Invoice): string {
  return number ?? organizationWords.value.plan.draft;
}

function Links({ invoice }: { invoice: Invoice }) {
  const texts = organizationWords.value.plan;
  const { status, links } = invoice;
  const name = toNumberOf(invoice);
  return (
    <>
      {links.page !== undefined && (
        <a class="link" href={links.page} rel="noopener noreferrer" target="_blank">
          {status === "open" ? texts.pay : texts.view}
          <span class="hidden"> {name}</span>
        </a>
      )}
      {links.pdf !== undefined && (
        <a class="link" href={links.pdf} rel="noopener noreferrer" target="_blank">
          {texts.download}
          <span class="hidden"> {name}</span>
        </a>
      )}
    </>
  );
}
