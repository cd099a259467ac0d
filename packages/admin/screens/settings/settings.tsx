import { checkProject } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { readDocument } from "../../data/documents/documents.ts";
import { toGroupsOf } from "../../data/projects/project.ts";
import { hasRight, readRights, useRoles } from "../../data/projects/rights.ts";
import { useLoad } from "../../data/use-load.ts";
import { Page } from "../../ui/page.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { projectWords } from "../../words/projects/words.ts";
import { ApprovalSettings } from "../reviews/approval-settings.tsx";
import { ErasureRule } from "./erasure-rule.tsx";
import { TemplateCard } from "../templates/template-card.tsx";
import { SettingsForm } from "./form.tsx";
import { CloneCard } from "./clone.tsx";
import { GroupsCard } from "./groups.tsx";
import { TransferCard } from "./transfer.tsx";
import { Removal } from "./removal.tsx";

/** The settings of a project with their findings, and its deletion. */
export default function Settings({ projectId = "" }: { projectId?: string }) {
  const texts = projectWords.value;
  const roles = useRoles(projectId);
  const loaded = useLoad(async () => {
    // The form needs to know whether the user may write.
    const [version] = await Promise.all([
      readDocument("projects", projectId),
      readRights(projectId),
    ]);
    return version;
  }, [projectId]);
  const checked = useLoad(() => send(checkProject, { path: { projectId } }), [projectId]);
  const findings = checked.state === "ready" ? checked.value.findings : [];
  return (
    <Page title={texts.title} lead={texts.lead} isNarrow>
      <LoadView of={loaded} lines={8}>
        {(version) => (
          <div class="cards">
            <SettingsForm
              key={projectId}
              read={version}
              findings={findings}
              mayWrite={hasRight(roles, "write")}
              onSaved={checked.reload}
            />
            <ApprovalSettings projectId={projectId} isOwner={hasRight(roles, "own")} />
            {hasRight(roles, "own") && <ErasureRule projectId={projectId} />}
            <GroupsCard
              key={`groups-${projectId}`}
              projectId={projectId}
              groups={toGroupsOf(version.doc)}
              mayWrite={hasRight(roles, "write")}
            />
            {hasRight(roles, "write") && <CloneCard projectId={projectId} />}
            {hasRight(roles, "own") && (
              <>
                <TemplateCard doc={version.doc} onChange={loaded.reload} />
                <TransferCard projectId={projectId} />
                <Removal id={projectId} />
              </>
            )}
          </div>
        )}
      </LoadView>
    </Page>
  );
}
