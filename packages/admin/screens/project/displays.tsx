import { toHost } from "../../data/projects/project.ts";
import { toNumber } from "../../browser/format.ts";
import { Ago, Badge, Card } from "../../ui/parts.tsx";
import { words } from "../../words/words.ts";
import type { Overview } from "../../data/projects/overview.ts";

/** The number of displays and the newest answer, which show whether the snippet works. */
export function DisplaysCard({
  overview: { last, project, shown },
  onCheck,
}: {
  overview: Overview;
  onCheck: () => void;
}) {
  const { seen, states } = words.value.project;
  if (!project.isLive) return null;
  const check = (
    <button type="button" class="button small" onClick={onCheck}>
      {seen.check}
    </button>
  );
  return (
    <Card title={seen.title} action={check}>
      {last === undefined && shown === 0 && <p class="soft">{seen.never}</p>}
      {last === undefined && shown > 0 && (
        <p>
          <Badge tone="good">{states.live}</Badge> {seen.shown(toNumber(shown))} {seen.unanswered}
        </p>
      )}
      {last && (
        <p>
          <Badge tone="good">{states.live}</Badge> {shown > 0 && seen.shown(toNumber(shown))}{" "}
          {seen.last} <Ago at={last.createdAt} />
          {last.url && (
            <>
              {" "}
              {seen.from} <span class="cut">{toHost(last.url)}</span>
            </>
          )}
        </p>
      )}
    </Card>
  );
}
