import { useState } from "preact/hooks";
import { type PublishJob, publishProject } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import type { Role, ShownProject } from "../../data/projects/project.ts";
import { Field, Form } from "../../ui/forms/form.tsx";
import { publishingWords } from "../../words/publishing/words.ts";
import { words } from "../../words/words.ts";
import { ScheduleDialog } from "./scheduled.tsx";

const REASON_LENGTH_MAX = 1_000;

interface StartProps {
  project: ShownProject;
  roles: readonly Role[];
  /** The number of errors of the publish check. */
  errors: number;
  /** Scheduled publications; production has at most one. */
  waiting: readonly PublishJob[];
  onStart: (job: PublishJob) => void;
  onWait: () => void;
}

/** The buttons that publish now or later. With errors, only owners can publish, with a reason. */
export function Start({ project, roles, errors, waiting, onStart, onWait }: StartProps) {
  const { publish } = words.value;
  const { schedule, force } = publishingWords.value;
  const [isPlanning, setPlanning] = useState(false);
  const isForced = errors > 0;
  if (isForced && !roles.includes("owner")) return <p class="note bad">{publish.blocked}</p>;
  const mayWait = !isForced && waiting.every(({ environment }) => environment !== "production");
  return (
    <>
      <Form
        submit={isForced ? publish.force : publish.button}
        isDanger={isForced}
        aside={
          isForced ? (
            <span class="hint">{publish.forceHint}</span>
          ) : (
            mayWait && (
              <button type="button" class="button" onClick={() => setPlanning(true)}>
                {schedule.button}
              </button>
            )
          )
        }
        onSubmit={async ({ reason = "" }) => {
          const body = isForced ? { force: true, reason } : {};
          onStart(await send(publishProject, { path: { id: project.id }, body }));
        }}
      >
        {isForced && (
          <Field
            name="reason"
            label={force.reason}
            hint={force.reasonHint}
            maxLength={REASON_LENGTH_MAX}
            required
          />
        )}
      </Form>
      {isPlanning && (
        <ScheduleDialog
          projectId={project.id}
          onClose={() => setPlanning(false)}
          onDone={() => {
            setPlanning(false);
            onWait();
          }}
        />
      )}
    </>
  );
}
