import { type PublishJob, cancelPublishJob, publishProject } from "@avow/client/operations";
import { Problem } from "@avow/client/problem";
import { send } from "../../api/send.ts";
import { toInstant } from "../../browser/format.ts";
import { getOwnZone } from "../../browser/time-zones.ts";
import { useState } from "preact/hooks";
import { Confirm } from "../../ui/forms/confirm.tsx";
import { Dialog } from "../../ui/forms/dialog.tsx";
import { Field, Form } from "../../ui/forms/form.tsx";
import { Badge, Card } from "../../ui/parts.tsx";
import { notify } from "../../ui/toast.tsx";
import { DangerLink } from "../../ui/forms/danger-link.tsx";
import { publishingWords } from "../../words/publishing/words.ts";
import { words } from "../../words/words.ts";

interface ScheduledProps {
  waiting: readonly PublishJob[];
  mayWrite: boolean;
  onChange: () => void;
}

/** The scheduled publications, each of which can be cancelled. */
export function ScheduledCard({ waiting, mayWrite, onChange }: ScheduledProps) {
  const { schedule } = publishingWords.value;
  const [removing, setRemoving] = useState<PublishJob>();
  if (waiting.length === 0) return null;
  return (
    <Card title={schedule.title} lead={schedule.lead}>
      <ul class="rows">
        {waiting.map((job) => (
          <li key={job.id}>
            <span>
              <time dateTime={job.publishAt}>{toInstant(job.publishAt ?? "")}</time>{" "}
              {job.environment === "staging" && <Badge>{publishingWords.value.staging.name}</Badge>}
            </span>
            {mayWrite && <DangerLink text={schedule.cancel} onClick={() => setRemoving(job)} />}
          </li>
        ))}
      </ul>
      {removing && (
        <Confirm
          title={schedule.cancelTitle}
          text={schedule.cancelText(toInstant(removing.publishAt ?? ""))}
          submit={schedule.cancel}
          isDanger
          onConfirm={async () => {
            await send(cancelPublishJob, { path: { id: removing.id } });
            setRemoving(undefined);
            notify(schedule.cancelled);
            onChange();
          }}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </Card>
  );
}

interface ScheduleProps {
  projectId: string;
  onClose: () => void;
  onDone: () => void;
}

/** Schedules a publication, in the browser's time zone. */
export function ScheduleDialog({ projectId, onClose, onDone }: ScheduleProps) {
  const { schedule } = publishingWords.value;
  const timeZone = getOwnZone();
  return (
    <Dialog title={schedule.dialog} lead={schedule.text} onClose={onClose}>
      <Form
        submit={schedule.submit}
        toText={() => schedule.wrong}
        aside={
          <button type="button" class="button ghost" onClick={onClose}>
            {words.value.app.cancel}
          </button>
        }
        onSubmit={async ({ publishAt = "" }) => {
          const body = { publishAt: toFuture(publishAt) };
          await send(publishProject, { path: { id: projectId }, body });
          notify(schedule.done(toInstant(body.publishAt)));
          onDone();
        }}
      >
        <Field
          name="publishAt"
          type="datetime-local"
          label={schedule.when}
          hint={schedule.zone(timeZone)}
          required
        />
      </Form>
    </Dialog>
  );
}

/** A local date and time as an instant. @throws Problem if it is invalid or in the past */
function toFuture(local: string): string {
  const at = new Date(local);
  if (at.getTime() > Date.now()) return at.toISOString();
  throw new Problem("invalid", { errors: [{ path: "/publishAt", message: "is past" }] });
}
