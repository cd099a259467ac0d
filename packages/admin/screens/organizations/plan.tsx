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
  const texts = organizationWords.value.plan;
  const loaded = useLoad(() => readBilling(organizationId), [organizationId]);
  return (
    <Page title={texts.title} lead={texts.lead}>
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
  const texts = organizationWords.value.plan;
  const { billing, plan } = known;
  const { organizationId, status, links } = billing;
  return (
    <Card
      title={plan?.title ?? billing.plan}
      lead={toSentence(known)}
      action={<Badge tone={tones[status]}>{texts.states[status]}</Badge>}
    >
      {links.bill !== undefined && (
        <div class="note warn">
          <p>{texts.billWaits}</p>
          <a class="button small" href={links.bill}>
            {texts.payBill}
          </a>
        </div>
      )}
      <Usage billing={billing} plan={plan} />
      {links.portal !== undefined && (
        <div class="portal">
          <p class="soft">{texts.manageHint}</p>
          <Form submit={texts.portal} onSubmit={() => goToPortal(organizationId)} />
        </div>
      )}
    </Card>
  );
}

/** A sentence about the state of a subscription. */
function toSentence({ billing, isManual }: Billing): string {
  const texts = organizationWords.value.plan;
  const { status, currentPeriodEnd, cancelsAt, unpaidSince } = billing;
  if (status === "none") return texts.free;
  if (status === "canceled") return texts.ended;
  if (status === "unpaid") return texts.unpaid;
  if (status === "past_due")
    return texts.late(toDay(unpaidSince ?? currentPeriodEnd ?? new Date().toISOString()));
  if (cancelsAt !== null) return texts.cancels(toDay(cancelsAt));
  if (currentPeriodEnd === null) return texts.noEnd;
  return (isManual ? texts.until : texts.renews)(toDay(currentPeriodEnd));
}

/** The command for the operator, if payments are not set up. */
function Manual({ known: { billing, plans } }: { known: Billing }) {
  const texts = organizationWords.value.plan;
  const other = plans.find(({ name }) => name !== billing.plan)?.name ?? "pro";
  return (
    <Card title={texts.manualTitle} lead={texts.manual}>
      <Copyable
        text={`avow set-plan ${billing.organizationId} ${other}`}
        label={texts.manualCommand}
      />
    </Card>
  );
}

function Payment({ billing: { paymentSource: source, taxIds } }: { billing: OrganizationBilling }) {
  const texts = organizationWords.value.plan;
  return (
    <Card title={texts.payment}>
      <dl class="facts">
        <div>
          <dt>{texts.source}</dt>
          <dd>
            {source ? (
              <>
                <span class="brand-name">{source.brand ?? source.type.replaceAll("_", " ")}</span>{" "}
                {source.last4 !== undefined && texts.ending(source.last4)}
                {source.expiryMonth !== undefined && source.expiryYear !== undefined && (
                  <span class="soft">
                    {" "}
                    · {texts.expiry(toMonth(source.expiryMonth, source.expiryYear))}
                  </span>
                )}
              </>
            ) : (
              <span class="soft">{texts.noPayment}</span>
            )}
          </dd>
        </div>
        <div>
          <dt>{texts.taxIds}</dt>
          <dd>
            {taxIds.length === 0 && <span class="soft">{texts.noTaxIds}</span>}
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
