import { useEffect, useRef } from "preact/hooks";
import {
  type TemplatePublication,
  cancelTemplatePublication,
  getTemplatePublication,
  listTemplatePublicationSites,
} from "@avow/client/operations";
import { asProblem } from "../../api/problem.ts";
import { send } from "../../api/send.ts";
import { useLoad, usePolling } from "../../data/use-load.ts";
import { toFaultText } from "../../ui/forms/faults.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { Ago, Badge, Card } from "../../ui/parts.tsx";
import { notify } from "../../ui/toast.tsx";
import { templateWords } from "../../words/templates/words.ts";

const POLL_MS = 1_000;
const LISTED_MAX = 20;
const tones = { Active: "warn", Cancelling: "warn", Done: "good", Cancelled: "plain" } as const;
/** The outcomes in the order of their importance. */
const statuses = [
  "Published",
  "Unchanged",
  "Failed",
  "Skipped",
  "Cancelled",
  "Publishing",
  "Pending",
] as const;
/** Outcomes that need somebody's attention, which are listed with their reasons. */
const notable = ["Failed", "Skipped"] as const;

interface CardProps {
  publication: TemplatePublication;
  mayWrite: boolean;
  onEnd: () => void;
}

/** The progress and the outcome of a publication of a template's sites. */
export function PublicationCard({ publication, mayWrite, onEnd }: CardProps) {
  const texts = templateWords.value;
  const path = { templateId: publication.templateId, publicationId: publication.id };
  const loaded = useLoad(() => send(getTemplatePublication, { path }), [publication.id]);
  const present = loaded.state === "ready" ? loaded.value : publication;
  const isRunning = present.endedAt === null;
  usePolling(loaded, POLL_MS, isRunning);
  const wasRunning = useRef(isRunning);
  useEffect(() => {
    // Once the publication has ended, the sites have other states.
    if (wasRunning.current && !isRunning) onEnd();
    wasRunning.current = isRunning;
  }, [isRunning]);
  const cancel = async (): Promise<void> => {
    try {
      await send(cancelTemplatePublication, { path });
      notify(texts.cancelled);
    } catch (error) {
      notify(toFaultText(asProblem(error)));
    }
    loaded.reload();
  };
  return (
    <Card
      title={texts.progress}
      lead={<Ago at={present.createdAt} />}
      action={
        mayWrite &&
        present.status === "Active" && (
          <button type="button" class="button" onClick={() => void cancel()}>
            {texts.cancel}
          </button>
        )
      }
    >
      <p role="status">
        <Badge tone={tones[present.status]}>{texts.statuses[present.status]}</Badge>{" "}
        {texts.ended(present.ended, present.total)}
      </p>
      {isRunning && (
        <progress
          aria-label={texts.progress}
          value={present.ended}
          max={Math.max(1, present.total)}
        />
      )}
      <p class="soft">
        {statuses
          .filter((status) => present.counts[status] > 0)
          .map((status) => `${present.counts[status]} ${texts.siteStatuses[status]}`)
          .join(" · ")}
      </p>
      {!isRunning &&
        notable.map(
          (status) =>
            present.counts[status] > 0 && (
              <Notable key={status} publication={present} status={status} />
            ),
        )}
    </Card>
  );
}

function Notable({
  publication,
  status,
}: {
  publication: TemplatePublication;
  status: (typeof notable)[number];
}) {
  const texts = templateWords.value;
  const count = publication.counts[status];
  const loaded = useLoad(() => {
    const path = { templateId: publication.templateId, publicationId: publication.id };
    const query = { status, perPage: LISTED_MAX };
    return send(listTemplatePublicationSites, { path, query });
  }, [publication.id, status]);
  return (
    <section>
      <h3>
        {texts.siteStatuses[status]}{" "}
        <Badge tone={status === "Failed" ? "bad" : "warn"}>{count}</Badge>
      </h3>
      <LoadView of={loaded} lines={2}>
        {(sites) => (
          <ul class="site-reports">
            {sites.map(({ projectId, title, message }) => (
              <li key={projectId}>
                <strong>{title ?? texts.hidden}</strong> <span lang="en">{message}</span>
              </li>
            ))}
          </ul>
        )}
      </LoadView>
      {count > LISTED_MAX && <p class="soft">{texts.more(count - LISTED_MAX)}</p>}
    </section>
  );
}
