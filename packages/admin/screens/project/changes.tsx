import { toHref } from "../../browser/router.ts";
import { Ago, Card } from "../../ui/parts.tsx";
import { words } from "../../words/words.ts";
import { ChangeList } from "../changes/change-list.tsx";
import type { Overview } from "../../data/projects/overview.ts";

/** The number of groups that are open initially. */
const OPEN = 1;

/** The changes since the last publication. */
export function ChangesCard({ overview: { project, diff, mayWrite } }: { overview: Overview }) {
  const { changes } = words.value.project;
  const { publishedAt } = project;
  const lead = publishedAt === undefined ? changes.nothingLive : <PublishedAt at={publishedAt} />;
  const action = mayWrite && diff && diff.changes.length > 0 && (
    <a class="button small" href={toHref(`/projects/${project.id}/publish`)}>
      {changes.publish}
    </a>
  );
  return (
    <Card
      title={publishedAt === undefined ? words.value.publish.changes : changes.title}
      lead={lead}
      action={action}
    >
      {diff ? <ChangeList diff={diff} open={OPEN} /> : <p class="soft">{changes.nothingAsked}</p>}
    </Card>
  );
}

function PublishedAt({ at }: { at: string }) {
  return (
    <>
      {words.value.projects.published} <Ago at={at} />
    </>
  );
}
