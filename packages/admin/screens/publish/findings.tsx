import type { Finding, PublishCheck } from "@avow/client/operations";
import { Badge, Card } from "../../ui/parts.tsx";
import { SettingLink } from "../fields/link.tsx";
import { sayFinding } from "../../words/findings/say.ts";
import { words } from "../../words/words.ts";

/** The findings of the publish check, errors first. */
export function FindingsCard({
  projectId,
  check,
}: {
  projectId: string;
  check: Pick<PublishCheck, "errors" | "warnings" | "findings">;
}) {
  const { errors, warnings, findings } = check;
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
        {findings.map((one) => (
          <OneFinding key={`${one.rule} ${one.path}`} projectId={projectId} one={one} />
        ))}
      </ul>
    </Card>
  );
}

function OneFinding({ projectId, one }: { projectId: string; one: Finding }) {
  const { publish } = words.value;
  const { severity, path, source } = one;
  const { message, fix, lang } = sayFinding(one);
  return (
    <li>
      <details>
        <summary>
          <Badge tone={severity === "error" ? "bad" : "warn"}>
            {severity === "error" ? publish.error : publish.warning}
          </Badge>
          <span lang={lang}>{message}</span>
        </summary>
        <div class="finding">
          <p lang={lang}>{fix}</p>
          <SettingLink projectId={projectId} finding={one} />
          {/* Sources of rules are cited in English. */}
          <p class="soft" lang="en">
            {source}
          </p>
          <p class="soft code">{path}</p>
        </div>
      </details>
    </li>
  );
}
