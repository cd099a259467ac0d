import type { Finding } from "@avow/client/operations";
import { toHref } from "../../browser/router.ts";
import { projectWords } from "../../words/projects/words.ts";

/** The field of the project's settings that causes a finding, by its place in the project: `DPO/organization`. */
export function toSetting({ path }: Pick<Finding, "path">): string | undefined {
  return /^\/client\/(DPO\/.+)$/.exec(path)?.[1];
}

/** Leads to the field of the settings that causes a finding, where one does. */
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
