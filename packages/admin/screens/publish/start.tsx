import { useId, useState } from "preact/hooks";
import {
  type PublicationDiff,
  type PublishCheck,
  type PublishJob,
  type Review,
  publishProject,
} from "@avow/client/operations";
import { send } from "../../api/send.ts";
import type { Role, ShownProject } from "../../data/projects/project.ts";
import { toNumber } from "../../browser/format.ts";
import { Field, Form } from "../../ui/forms/form.tsx";
import { Badge } from "../../ui/parts.tsx";
import { publishingWords } from "../../words/publishing/words.ts";
import { reviewWords } from "../../words/reviews/words.ts";
import { words } from "../../words/words.ts";
import { ChooseParts, readSelection } from "./choose.tsx";
import { ScheduleDialog } from "./scheduled.tsx";

const REASON_LENGTH_MAX = 1_000;

/** The content of the next publication. */
export interface NextContent {
  check: PublishCheck;
  diff: PublicationDiff;
}

interface StartProps {
  project: ShownProject;
  roles: readonly Role[];
  next: NextContent;
  review: Review;
  /** Scheduled publications; production has at most one. */
  waiting: readonly PublishJob[];
  onStart: (job: PublishJob) => void;
  onWait: () => void;
}

/**
 * The buttons that publish now or later. Configurations with errors are held back. Only owners can publish them, or
 * a project with errors, with a reason.
 */
export function Start({ project, roles, next, review, waiting, onStart, onWait }: StartProps) {
  const { publish } = words.value;
  const { schedule, force, heldBack, choose } = publishingWords.value;
  const { review: reviews } = reviewWords.value;
  const [isPlanning, setPlanning] = useState(false);
  const [isOverriding, setOverriding] = useState(false);
  const [isEmpty, setEmpty] = useState(false);
  const [isBypassing, setBypassing] = useState(false);
  const isOwner = roles.includes("owner");
  const mustForce = next.check.blocked;
  const reasonId = useId();
  const isUnapproved = review.missing > 0;
  if (isUnapproved && !isBypassing)
    return (
      <div class="blocked">
        <button type="button" class="button primary" disabled aria-describedby={reasonId}>
          {publish.button}
        </button>
        <p id={reasonId} class="soft">
          {reviews.missing(review.missing)}
        </p>
        {isOwner && (
          <button type="button" class="link" onClick={() => setBypassing(true)}>
            {reviews.bypass}
          </button>
        )}
      </div>
    );
  if (mustForce && !isOwner)
    return (
      <div class="blocked">
        <button type="button" class="button primary" disabled aria-describedby={reasonId}>
          {publish.button}
        </button>
        <p id={reasonId} class="soft">
          {publish.blocked}
        </p>
      </div>
    );
  const mayForce = !mustForce && isOwner && next.check.heldBack.length > 0;
  const withoutApproval = isUnapproved && isBypassing;
  const isForced = mustForce || (mayForce && isOverriding);
  const mayWait =
    !isForced &&
    !withoutApproval &&
    waiting.every(({ environment }) => environment !== "production");
  return (
    <>
      <Form
        submit={isForced ? publish.force : withoutApproval ? reviews.bypass : publish.button}
        isDanger={isForced || withoutApproval}
        aside={
          isForced ? (
            <span class="hint">{publish.forceHint}</span>
          ) : withoutApproval ? (
            <span class="hint">{reviews.bypassHint}</span>
          ) : (
            mayWait && (
              <button type="button" class="button" onClick={() => setPlanning(true)}>
                {schedule.button}
              </button>
            )
          )
        }
        onSubmit={async ({ reason = "" }, data) => {
          const selection = readSelection(next.diff, data);
          setEmpty(selection === undefined);
          if (!selection) return;
          const body = {
            ...selection,
            ...(isForced || withoutApproval ? { reason } : {}),
            ...(isForced ? { force: true } : {}),
            ...(withoutApproval ? { withoutApproval } : {}),
          };
          onStart(await send(publishProject, { path: { id: project.id }, body }));
        }}
      >
        <Summary check={next.check} />
        <ChooseParts diff={next.diff} />
        {isEmpty && (
          <p class="note bad" role="alert">
            {choose.none}
          </p>
        )}
        {mayForce && (
          <label class="check">
            <input
              type="checkbox"
              checked={isOverriding}
              onChange={() => setOverriding(!isOverriding)}
            />
            <span>{heldBack.force}</span>
          </label>
        )}
        {(isForced || withoutApproval) && (
          <Field
            name="reason"
            label={isForced ? force.reason : reviews.reason}
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

/** The findings in numbers, beside the button that they concern. */
function Summary({ check: { errors, warnings, asksAgain } }: { check: PublishCheck }) {
  const { publish } = words.value;
  const { count, tokens, atLeast } = asksAgain;
  if (errors + warnings + count === 0) return null;
  return (
    <p class="actions">
      {errors > 0 && <Badge tone="bad">{publish.errors(errors)}</Badge>}
      {warnings > 0 && <Badge tone="warn">{publish.warnings(warnings)}</Badge>}
      {count > 0 && <Badge tone="warn">{publish.asked(toNumber(tokens), atLeast)}</Badge>}
    </p>
  );
}
