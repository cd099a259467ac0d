import { useId } from "preact/hooks";
import type { OrganizationBilling, Plan } from "@avow/client/operations";
import { toNumber } from "../../browser/format.ts";
import { organizationWords } from "../../words/organizations/words.ts";

interface UsageProps {
  billing: OrganizationBilling;
  plan: Plan | undefined;
}

/** The usage of a plan's limits. */
export function Usage({ billing: { usage }, plan }: UsageProps) {
  const texts = organizationWords.value.plan;
  return (
    <ul class="usage" aria-label={texts.used}>
      <Used
        name={texts.seats}
        hint={texts.seatsHint}
        used={usage.seats}
        max={plan?.seatsMax ?? null}
      />
      <Used
        name={texts.configurations}
        hint={texts.configurationsHint}
        used={usage.configurations}
        max={plan?.configurationsMax ?? null}
      />
      <Used name={texts.projects} used={usage.projects} max={null} />
    </ul>
  );
}

interface UsedProps {
  name: string;
  hint?: string;
  used: number;
  /** Null: no limit. */
  max: number | null;
}

function Used({ name, hint, used, max }: UsedProps) {
  const texts = organizationWords.value.plan;
  const id = useId();
  const isOver = max !== null && used > max;
  return (
    <li class={isOver ? "over" : undefined}>
      <p class="used-name" id={id}>
        {name}
      </p>
      <p>
        {max === null ? (
          <>
            {toNumber(used)} <span class="soft">· {texts.noLimit}</span>
          </>
        ) : (
          texts.of(toNumber(used), toNumber(max))
        )}
      </p>
      {max !== null && (
        <progress aria-labelledby={id} value={Math.min(used, max)} max={Math.max(max, 1)} />
      )}
      {hint && <p class="hint">{hint}</p>}
      {isOver && <p class="fault">{texts.over}</p>}
    </li>
  );
}
