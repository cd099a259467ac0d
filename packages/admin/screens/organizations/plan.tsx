import type { OrganizationBilling } from "@avow/client/operations";
import { type Billing, goToPortal, readBilling } from "../../data/projects/billing.ts";
import { useLoad } from "../../data/use-load.ts";
import { toDay, toMonth } from "../../browser/format.ts";
import { Form } from "../../ui/forms/form.tsx";
import { Page } from "../../ui/page.tsx";
import { Badge, Card, Copyable } from "../../ui/parts.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { organizationWords } from "../../words/organizations/words.ts";
import { Invoices } from "./invoices.tsx";
import { Plans } from "./plans.tsx";
import { Usage } from "./usage.tsx";

type Status = OrganizationBilling["status"];

const tones: Record<Status, "good" | "warn" | "bad" | "plain"> = {
  none: "plain",
  active: "good",
  trialing: "good",
  past_due: "warn",
  canceled: "plain",
  unpaid: "bad",
};

/** The plan of an organization, its payment and the other plans, for owners. */
export default function PlanScreen({ organizationId = "" }: { organizationId?: string }) {
  const said = organizationWords.value.plan;
  const loaded = useLoad(() => readBilling(organizationId), [organizationId]);
  return (
    <Page title={said.title} lead={said.lead}>
      <LoadView of={loaded} lines={8}>
        {(known) => (
          <div class="cards">
            <Current known={known} />
            <Plans known={known} />
            {known.isManual && <Manual known={known} />}
            {known.billing.links.portal !== undefined && <Payment billing={known.billing} />}
            {!known.isManual && <Invoices organizationId={organizationId} />}
          </div>
        )}
      </LoadView>
    </Page>
  );
}

function Current({ known }: { known: Billing }) {
  const said = organizationWords.value.plan;
  const { billing, plan } = known;
  const { organizationId, status, links } = billing;
  return (
    <Card
      title={plan?.title ?? billing.plan}
      lead={toSentence(known)}
      action={<Badge tone={tones[status]}>{said.states[status]}</Badge>}
    >
      {links.bill !== undefined && (
        <div class="note warn">
          <p>{said.billWaits}</p>
          <a class="button small" href={links.bill}>
            {said.payBill}
          </a>
        </div>
      )}
      <Usage billing={billing} plan={plan} />
      {links.portal !== undefined && (
        <div class="portal">
          <p class="soft">{said.manageHint}</p>
          <Form submit={said.portal} onSubmit={() => goToPortal(organizationId)} />
        </div>
      )}
    </Card>
  );
}

/** A sentence about the state of a subscription. */
function toSentence({ billing, isManual }: Billing): string {
  const said = organizationWords.value.plan;
  const { status, currentPeriodEnd, cancelsAt, unpaidSince } = billing;
  if (status === "none") return said.free;
  if (status === "canceled") return said.ended;
  if (status === "unpaid") return said.unpaid;
  if (status === "past_due")
    return said.late(toDay(unpaidSince ?? currentPeriodEnd ?? new Date().toISOString()));
  if (cancelsAt !== null) return said.cancels(toDay(cancelsAt));
  if (currentPeriodEnd === null) return said.noEnd;
  return (isManual ? said.until : said.renews)(toDay(currentPeriodEnd));
}

/** The command for the operator, if payments are not set up. */
function Manual({ known: { billing, plans } }: { known: Billing }) {
  const said = organizationWords.value.plan;
  const other = plans.find(({ name }) => name !== billing.plan)?.name ?? "pro";
  return (
    <Card title={said.manualTitle} lead={said.manual}>
      <Copyable
        text={`npm run plan -- ${billing.organizationId} ${other}`}
        label={said.manualCommand}
      />
    </Card>
  );
}

function Payment({ billing: { paymentSource: source, taxIds } }: { billing: OrganizationBilling }) {
  const said = organizationWords.value.plan;
  return (
    <Card title={said.payment}>
      <dl class="facts">
        <div>
          <dt>{said.source}</dt>
          <dd>
            {source ? (
              <>
                <span class="brand-name">{source.brand ?? source.type.replaceAll("_", " ")}</span>{" "}
                {source.last4 !== undefined && said.ending(source.last4)}
                {source.expiryMonth !== undefined && source.expiryYear !== undefined && (
                  <span class="soft">
                    {" "}
                    · {said.expiry(toMonth(source.expiryMonth, source.expiryYear))}
                  </span>
                )}
              </>
            ) : (
              <span class="soft">{said.noPayment}</span>
            )}
          </dd>
        </div>
        <div>
          <dt>{said.taxIds}</dt>
          <dd>
            {taxIds.length === 0 && <span class="soft">{said.noTaxIds}</span>}
            {taxIds.map(({ type, value }) => (
              <p key={value}>
                <span class="code">{value}</span>{" "}
                <span class="soft">{type.replaceAll("_", " ").toUpperCase()}</span>
              </p>
            ))}
          </dd>
        </div>
      </dl>
    </Card>
  );
}
