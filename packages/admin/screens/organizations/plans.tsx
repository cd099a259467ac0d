import type { Plan } from "@avow/client/operations";
import { type Billing, goToCheckout } from "../../data/projects/billing.ts";
import { toList, toMoney, toNumber, toSize } from "../../browser/format.ts";
import { Form } from "../../ui/forms/form.tsx";
import { Badge, Card } from "../../ui/parts.tsx";
import { editorWords } from "../../words/editor.ts";
import { organizationWords } from "../../words/organizations/words.ts";

/** The name of the free plan. */
const FREE = "free";

/** All plans; those that can be bought have a button to the checkout. */
export function Plans({ known }: { known: Billing }) {
  const texts = organizationWords.value.plan;
  return (
    <Card title={texts.plans} lead={texts.plansLead}>
      <ul class="plans">
        {known.plans.map((plan) => (
          <li key={plan.name} class={plan.name === known.plan?.name ? "own" : undefined}>
            <OnePlan plan={plan} known={known} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function OnePlan({ plan, known: { billing, plans, plan: own } }: { plan: Plan; known: Billing }) {
  const texts = organizationWords.value.plan;
  const { organizationId, links } = billing;
  const canBuy = plan.canBuy && links.checkout !== undefined && plan.name !== own?.name;
  return (
    <>
      <h3>
        {plan.title} {plan.name === own?.name && <Badge tone="good">{texts.yours}</Badge>}
      </h3>
      <p class="price">{toPrice(plan, billing)}</p>
      <dl>
        <Limit name={texts.layouts} value={toLayouts(plan, plans)} />
        <Limit name={texts.seats} value={toLimit(plan.seatsMax, toNumber)} />
        <Limit name={texts.perProject} value={toLimit(plan.configurationsMax, toNumber)} />
        <Limit name={texts.file} value={toLimit(plan.fileBytesMax, toSize)} />
      </dl>
      {canBuy && (
        <Form
          submit={texts.choose(plan.title)}
          onSubmit={() => goToCheckout(organizationId, plan.name)}
        />
      )}
    </>
  );
}

function Limit({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** The price of a plan, if it is known; the free plan costs nothing. */
function toPrice({ name, canBuy }: Plan, { prices }: Billing["billing"]): string {
  const texts = organizationWords.value.plan;
  const price = prices.find((one) => one.plan === name);
  if (price) {
    const { amount, currency, interval, intervalCount } = price;
    return texts.each[interval](toMoney(amount, currency), intervalCount);
  }
  if (canBuy) return texts.priceThere;
  return name === FREE ? texts.noCharge : texts.noPrice;
}

function toLimit(max: number | null, toText: (max: number) => string): string {
  return max === null ? organizationWords.value.plan.noLimit : toText(max);
}

/** The names of a plan's layouts, or “all”. */
function toLayouts({ layouts }: Plan, plans: readonly Plan[]): string {
  const all = new Set(plans.flatMap((plan) => plan.layouts));
  if (layouts.length === all.size) return organizationWords.value.plan.allLayouts;
  const names: Readonly<Record<string, string>> = editorWords.value.steps.layouts;
  return toList(layouts.map((layout) => names[layout] ?? layout));
}
