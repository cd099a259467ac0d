import type { PublishCheck } from "../../api/interface.ts";
import { Badge, Card } from "../../ui/parts.tsx";
import { words } from "../../words/words.ts";

/** What the publish check finds in what would be published, errors first. */
export function FindingsCard({ check: { errors, warnings, findings } }: { check: PublishCheck }) {
  const { publish } = words.value;
  if (findings.length === 0)
    return (
      <Card title={publish.findings} lead={publish.noFindings}>
        {null}
      </Card>
    );
  const counts = (
    <span class="actions">
      {errors > 0 && <Badge tone="bad">{publish.errors(errors)}</Badge>}
      {warnings > 0 && <Badge tone="warn">{publish.warnings(warnings)}</Badge>}
    </span>
  );
  return (
    <Card title={publish.findings} action={counts}>
      <ul class="findings">
        {findings.map(({ rule, severity, path, message, fix, source }) => (
          <li key={`${rule} ${path}`}>
            <details>
              <summary>
                <Badge tone={severity === "error" ? "bad" : "warn"}>
                  {severity === "error" ? publish.error : publish.warning}
                </Badge>
                {/* The service says these in English. */}
                <span lang="en">{message}</span>
              </summary>
              <div class="finding" lang="en">
                <p>{fix}</p>
                <p class="soft">{source}</p>
                <p class="soft code">{path}</p>
              </div>
            </details>
          </li>
        ))}
      </ul>
    </Card>
  );
}
