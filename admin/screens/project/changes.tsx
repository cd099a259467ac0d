import type { Change, PublicationDiff } from "../../api/interface.ts";
import { toHref } from "../../router.ts";
import { Ago, Badge, Card } from "../../ui/parts.tsx";
import { sayChange } from "../../words/findings/say.ts";
import { words } from "../../words/words.ts";
import type { Overview } from "./home.tsx";

const SHOWN_MAX = 6;

/** What a publication would change for visitors. */
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
      {diff ? (
        <ChangeList diff={diff} max={SHOWN_MAX} />
      ) : (
        <p class="soft">{changes.nothingAsked}</p>
      )}
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

/** Changes with their classes, what asks for more first; those over `max` are counted. */
export function ChangeList({ diff, max }: { diff: PublicationDiff; max: number }) {
  const { changes } = words.value.project;
  if (diff.changes.length === 0) return <p class="soft">{changes.none}</p>;
  const rest = diff.changes.length - max;
  return (
    <>
      <ul class="changes">
        {diff.changes.slice(0, max).map((change) => (
          <OneChange key={`${change.class} ${change.path}`} change={change} />
        ))}
      </ul>
      {rest > 0 && <p class="soft">{changes.more(rest)}</p>}
    </>
  );
}

function OneChange({ change }: { change: Change }) {
  const { message, lang } = sayChange(change);
  return (
    <li>
      <Badge>{words.value.project.changeClasses[change.class]}</Badge>
      <span lang={lang}>{message}</span>
    </li>
  );
}
