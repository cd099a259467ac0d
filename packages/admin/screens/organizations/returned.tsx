import { useEffect, useState } from "preact/hooks";
import { readBilling } from "../../data/projects/billing.ts";
import { type LoadResult, useLoad } from "../../data/use-load.ts";
import { toHref } from "../../browser/router.ts";
import { Page } from "../../ui/page.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { organizationWords } from "../../words/organizations/words.ts";
import { Missing } from "../../ui/missing.tsx";

const LOOK_MS = 2_000;
/** Providers confirm within seconds; then whoever waits is told how it goes on without them. */
const LOOKS_MAX = 15;

/** Where the payment provider's page leads back to: `done` or `cancelled`. */
export default function Returned({
  organizationId = "",
  outcome = "",
}: {
  organizationId?: string;
  outcome?: string;
}) {
  if (outcome === "done") return <Done organizationId={organizationId} />;
  if (outcome === "cancelled") return <Cancelled organizationId={organizationId} />;
  return <Missing />;
}

function ToPlan({ organizationId }: { organizationId: string }) {
  return (
    <a class="button primary" href={toHref(`/organizations/${organizationId}/plan`)}>
      {organizationWords.value.plan.toPlan}
    </a>
  );
}

function Cancelled({ organizationId }: { organizationId: string }) {
  const said = organizationWords.value.plan;
  return (
    <Page title={said.cancelledTitle} lead={said.cancelled} isNarrow>
      <div class="actions">
        <ToPlan organizationId={organizationId} />
      </div>
    </Page>
  );
}

/** Nothing that the address says is believed: the plan is what the service says, looked at until it is bought. */
function Done({ organizationId }: { organizationId: string }) {
  const said = organizationWords.value.plan;
  const loaded = useLoad(() => readBilling(organizationId), [organizationId]);
  const [looks, setLooks] = useState(0);
  const isBought = loaded.state === "ready" && isLive(loaded);
  const isWaiting = loaded.state === "ready" && !isBought && looks < LOOKS_MAX;
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setTimeout(() => {
      setLooks(looks + 1);
      loaded.reload();
    }, LOOK_MS);
    return () => clearTimeout(timer);
  }, [isWaiting, looks]);
  return (
    <Page title={said.doneTitle} isNarrow>
      <LoadView of={loaded}>
        {({ plan, billing }) => (
          <>
            <p class={isBought ? "note good" : "note warn"} role="status">
              {isBought && said.done(plan?.title ?? billing.plan)}
              {!isBought && (isWaiting ? said.doneWait : said.doneLate)}
            </p>
            <div class="actions">
              <ToPlan organizationId={organizationId} />
              {!isBought && !isWaiting && (
                <button type="button" class="button" onClick={() => setLooks(0)}>
                  {said.look}
                </button>
              )}
            </div>
          </>
        )}
      </LoadView>
    </Page>
  );
}

function isLive(
  loaded: Extract<LoadResult<Awaited<ReturnType<typeof readBilling>>>, { state: "ready" }>,
) {
  const { status } = loaded.value.billing;
  return status === "active" || status === "trialing";
}
