import type { ComponentChildren } from "preact";
import { Icon } from "./icons.tsx";

interface ReportProps {
  report: {
    verdict: "proven" | "open" | "broken";
    heading: string;
    checks: readonly { name: string; holds: boolean | null; says: string }[];
  };
  children?: ComponentChildren;
}

const tones = { proven: "good", open: "warn", broken: "bad" } as const;

/** The verifier's report: the verdict and each check. */
export function Report({ report: { verdict, heading, checks }, children }: ReportProps) {
  return (
    <div class={`report note ${tones[verdict]}`} data-verdict={verdict}>
      <p>
        <Icon name={verdict === "proven" ? "check" : "warning"} />
        <strong>{heading}</strong>
      </p>
      <ul>
        {checks.map(({ name, holds, says }) => (
          <li key={`${name} ${says}`} class={holds === true ? "holds" : "holds-not"}>
            <span aria-hidden="true">{holds === true ? "✓" : holds === false ? "✕" : "?"}</span>
            {says}
          </li>
        ))}
      </ul>
      {children && <p class="hint">{children}</p>}
    </div>
  );
}
