import { toHost } from "../../data/project.ts";
import { Ago, Badge, Card } from "../../ui/parts.tsx";
import { words } from "../../words/words.ts";
import type { Overview } from "./home.tsx";

/** Whether the snippet works on the website: the newest answer that came from a page. */
export function SeenCard({
  overview: { last, project },
  onCheck,
}: {
  overview: Overview;
  onCheck: () => void;
}) {
  const { seen, live } = words.value.project;
  if (!project.isLive) return null;
  const check = (
    <button type="button" class="button small" onClick={onCheck}>
      {seen.check}
    </button>
  );
  return (
    <Card title={seen.title} action={check}>
      {last ? (
        <p>
          <Badge tone="good">{live}</Badge> {seen.last} <Ago at={last.createdAt} />
          {last.url && (
            <>
              {" "}
              {seen.from} <span class="cut">{toHost(last.url)}</span>
            </>
          )}
        </p>
      ) : (
        <p class="soft">{seen.never}</p>
      )}
    </Card>
  );
}
