import { useEffect, useState } from "preact/hooks";
import { readBilling } from "../../data/projects/billing.ts";
import { type LoadResult, useLoad } from "../../data/use-load.ts";
import { toHref } from "../../browser/router.ts";
import { Page } from "../../ui/page.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { organizationWords } from "../../words/organizations/words.ts";
import { Missing } from "../../ui/missing.tsx";

const LOOK_MS = 2_000;
/** Polls before the late message is shown. Providers usually confirm within seconds. */
const LOOKS_MAX = 15;

/** The return address of the payment provider: `done` or `cancelled`. */
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
  const texts = organizationWords.value.plan;
  return (
    <Page title={texts.cancelledTitle} lead={texts.cancelled} isNarrow>
      <div class="actions">
        <ToPlan organizationId={organizationId} />
      </div>
    </Page>
  );
}

/** The address is not trusted: the subscription is polled until it is active. */
function Done({ organizationId }: { organizationId: string }) {
  const texts = organizationWords.value.plan;
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
    <Page title={texts.doneTitle} isNarrow>
      <LoadView of={loaded}>
        {({ plan, billing }) => (
          <>
            <p class={isBought ? "note good" : "note warn"} role="status">
              {isBought && texts.done(plan?.title ?? billing.plan)}
              {!isBought && (isWaiting ? texts.doneWait : texts.doneLate)}
            </p>
            <div class="actions">
              <ToPlan organizationId={organizationId} />
              {!isBought && !isWaiting && (
                <button type="button" class="button" onClick={() => setLooks(0)}>
                  {texts.look}
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
