import { type Invoice, listInvoices } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { useCursor } from "../../data/use-cursor.ts";
import { useLoad } from "../../data/use-load.ts";
import { toDay, toMoney } from "../../browser/format.ts";
import { CursorPager } from "../../ui/cursor-pager.tsx";
import { Badge, Card } from "../../ui/parts.tsx";
import { LoadView } from "../../ui/load-view.tsx";
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
            {items.length === 0 ? <p class="soft">{texts.noInvoices}</p> : <Table items={items} />}
            <CursorPager cursors={cursors} next={links.next} />
          </>
        )}
      </LoadView>
    </Card>
  );
}

function Table({ items }: { items: readonly Invoice[] }) {
  const texts = organizationWords.value.plan;
  return (
    <table class="stacked flush">
      <thead>
        <tr>
          <th scope="col">{texts.number}</th>
          <th scope="col">{texts.day}</th>
          <th scope="col">{texts.amount}</th>
          <th scope="col">{texts.state}</th>
          <th scope="col" class="end">
            <span class="hidden">{texts.download}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map((invoice) => (
          <Row key={invoice.id} invoice={invoice} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ invoice }: { invoice: Invoice }) {
  const texts = organizationWords.value.plan;
  const { number, status, total, credited, currency, createdAt, links } = invoice;
  const name = number ?? texts.draft;
  return (
    <tr>
      <th scope="row">{name}</th>
      <td data-label={texts.day}>{toDay(createdAt)}</td>
      <td data-label={texts.amount}>
        <div>
          {toMoney(total, currency)}
          {credited > 0 && (
            <span class="soft kind">{texts.credited(toMoney(credited, currency))}</span>
          )}
        </div>
      </td>
      <td data-label={texts.state}>
        <Badge tone={tones[status]}>{texts.invoiceStates[status]}</Badge>
      </td>
      <td class="end">
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
      </td>
    </tr>
  );
}
