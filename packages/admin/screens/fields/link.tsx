import type { Finding } from "@avow/client/operations";
import { toHref } from "../../browser/router.ts";
import { projectWords } from "../../words/projects/words.ts";

/** The path of the settings field that causes a finding: `DPO/organization`. */
export function toSetting({ path }: Pick<Finding, "path">): string | undefined {
  return /^\/client\/(DPO\/.+)$/.exec(path)?.[1];
}

/** A link to the settings field that causes a finding, if there is one. */
export function SettingLink({ projectId, finding }: { projectId: string; finding: Finding }) {
  const name = toSetting(finding);
  if (name === undefined) return null;
  const to = `/projects/${projectId}/settings?field=${encodeURIComponent(name)}`;
  return (
    <p>
      <a href={toHref(to)}>{projectWords.value.toField}</a>
    </p>
  );
}
