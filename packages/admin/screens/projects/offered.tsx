import { listOfferedProjects } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { useLoad } from "../../data/use-load.ts";
import { toHref } from "../../browser/router.ts";
import { Card } from "../../ui/parts.tsx";
import { transferWords } from "../../words/transfer/words.ts";

/** The projects that others offer to the user; nothing without any. */
export function OfferedProjects() {
  const texts = transferWords.value.offered;
  const loaded = useLoad(() => send(listOfferedProjects, undefined), []);
  if (loaded.state !== "ready" || loaded.value.length === 0) return null;
  return (
    <Card title={texts.title} lead={texts.lead}>
      <ul class="effects">
        {loaded.value.map(({ id, project, offeredBy }) => (
          <li key={id}>
            <a href={toHref(`/transfer?id=${id}`)}>{texts.review(project.title)}</a>{" "}
            <span class="soft">{texts.by(offeredBy.displayName)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
