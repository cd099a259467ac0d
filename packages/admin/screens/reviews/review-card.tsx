import { useState } from "preact/hooks";
import {
  type Decision,
  type Review,
  decideOnDraft,
  requestReview,
  withdrawDecision,
} from "@avow/client/operations";
import { asProblem } from "../../api/problem.ts";
import { send } from "../../api/send.ts";
import { type Role, mayWrite } from "../../data/projects/project.ts";
import { readMembers } from "../../data/projects/members.ts";
import { me } from "../../data/session.ts";
import { useLoad } from "../../data/use-load.ts";
import { Confirm } from "../../ui/forms/confirm.tsx";
import { Dialog } from "../../ui/forms/dialog.tsx";
import { Area, Form } from "../../ui/forms/form.tsx";
import { Ago, Badge, Card } from "../../ui/parts.tsx";
import { notify } from "../../ui/toast.tsx";
import { reviewWords } from "../../words/reviews/words.ts";
import { TEXT_LENGTH_MAX } from "./comment-text.tsx";

interface ReviewCardProps {
  review: Review;
  roles: readonly Role[];
  onChange: () => void;
}

type OpenDialog = "approve" | "ask" | "request" | Decision;

/** The approvals of the draft: given, missing and void; with the acts of the signed-in user. */
export function ReviewCard({ review, roles, onChange }: ReviewCardProps) {
  const { review: texts } = reviewWords.value;
  const [opened, setOpened] = useState<OpenDialog>();
  const { settings, decisions, earlier, missing, mayApprove, request } = review;
  const own = decisions.find(({ author }) => author.id === me.value?.id);
  const given = decisions.filter(({ counts }) => counts).length;
  const close = (): void => setOpened(undefined);
  const done = (text: string): void => {
    close();
    notify(text);
    onChange();
  };
  return (
    <Card
      title={texts.title}
      action={
        settings.required > 0 && (
          <Badge tone={missing === 0 ? "good" : "warn"}>
            {texts.required(given, settings.required)}
          </Badge>
        )
      }
    >
      <p>
        {settings.required === 0
          ? texts.none
          : missing === 0
            ? texts.ready
            : texts.missing(missing)}
      </p>
      {request && <RequestNote request={request} />}
      <DecisionList
        decisions={decisions}
        isOwner={roles.includes("owner")}
        onWithdraw={setOpened}
      />
      {earlier.length > 0 && (
        <details>
          <summary>{texts.earlier}</summary>
          <DecisionList decisions={earlier} isOwner={false} onWithdraw={setOpened} />
        </details>
      )}
      {mayWrite(roles) && (
        <p class="actions">
          {mayApprove && own?.decision !== "approved" && (
            <button
              type="button"
              class={`button${missing > 0 ? " primary" : ""}`}
              onClick={() => setOpened("approve")}
            >
              {texts.approve}
            </button>
          )}
          <button type="button" class="button" onClick={() => setOpened("ask")}>
            {texts.ask}
          </button>
          <button type="button" class="button" onClick={() => setOpened("request")}>
            {texts.request}
          </button>
        </p>
      )}
      {opened === "approve" && (
        <Confirm
          title={texts.approveTitle}
          text={texts.approveText}
          submit={texts.approve}
          onConfirm={() => decide(review, { decision: "approved" }, () => done(texts.approvedNow))}
          onClose={close}
        />
      )}
      {opened === "ask" && (
        <Dialog title={texts.askTitle} lead={texts.askText} onClose={close}>
          <Form
            submit={texts.ask}
            onSubmit={({ text = "" }) =>
              decide(review, { decision: "changes-requested", text }, () => done(texts.askedNow))
            }
          >
            <Area
              name="text"
              label={reviewWords.value.comments.text}
              maxLength={TEXT_LENGTH_MAX}
              isProse
            />
          </Form>
        </Dialog>
      )}
      {opened === "request" && (
        <RequestDialog
          projectId={review.projectId}
          onClose={close}
          onDone={() => done(texts.requestedNow)}
        />
      )}
      {typeof opened === "object" && (
        <Confirm
          title={texts.withdrawTitle}
          submit={texts.withdraw}
          onConfirm={async () => {
            const path = { projectId: review.projectId, decisionId: opened.id };
            await send(withdrawDecision, { path });
            done(texts.withdrawnNow);
          }}
          onClose={close}
        />
      )}
    </Card>
  );
}

/** Decides on exactly the draft that the page shows. A changed draft is reported in words of the app. */
async function decide(
  { projectId, digest }: Review,
  decision: { decision: Decision["decision"]; text?: string },
  onDone: () => void,
): Promise<void> {
  try {
    await send(decideOnDraft, { path: { projectId }, body: { digest, ...decision } });
  } catch (error) {
    if (asProblem(error).kind !== "conflict") throw error;
    onDone();
    notify(reviewWords.peek().review.changed);
    return;
  }
  onDone();
}

function RequestNote({ request }: { request: NonNullable<Review["request"]> }) {
  const { review: texts, comments } = reviewWords.value;
  const { by, createdAt, isCurrent, message } = request;
  return (
    <div class="note">
      <p>
        {isCurrent ? texts.requested : texts.requestedBefore}{" "}
        <strong>{by.name ?? comments.deleted}</strong>, <Ago at={createdAt} />.
      </p>
      {message !== null && <p class="comment-text">{message}</p>}
    </div>
  );
}

interface DecisionListProps {
  decisions: readonly Decision[];
  isOwner: boolean;
  onWithdraw: (decision: Decision) => void;
}

function DecisionList({ decisions, isOwner, onWithdraw }: DecisionListProps) {
  const { review: texts, comments } = reviewWords.value;
  if (decisions.length === 0) return null;
  return (
    <ul class="decisions">
      {decisions.map((one) => {
        const { author, decision, isCurrent, counts, withdrawnAt, createdAt } = one;
        const isOwn = author.kind === "member" && author.id === me.value?.id;
        const isApproval = decision === "approved";
        return (
          <li key={one.id}>
            <Badge tone={!isCurrent ? "plain" : isApproval ? "good" : "warn"}>
              {isApproval ? texts.approved : texts.asked}
            </Badge>
            <span>
              <strong>{author.name ?? comments.deleted}</strong>{" "}
              <span class="soft">
                {author.kind === "link" && <>{texts.byLink} · </>}
                <Ago at={createdAt} />
                {!isCurrent && <> · {withdrawnAt === null ? texts.void : texts.withdrawn}</>}
                {isCurrent && isApproval && !counts && <> · {texts.ignored}</>}
              </span>
            </span>
            {isCurrent && (isOwn || isOwner) && (
              <button type="button" class="link" onClick={() => onWithdraw(one)}>
                {texts.withdraw}
              </button>
            )}
          </li>
        );
      })}
    </ul>
  );
}

interface RequestDialogProps {
  projectId: string;
  onClose: () => void;
  onDone: () => void;
}

function RequestDialog({ projectId, onClose, onDone }: RequestDialogProps) {
  const { review: texts } = reviewWords.value;
  const loaded = useLoad(() => readMembers({ collection: "projects", id: projectId }), [projectId]);
  const members = loaded.state === "ready" ? loaded.value : [];
  const offered = members.filter(
    ({ userId, roles }) => userId !== me.value?.id && roles.some((role) => role !== "auditor"),
  );
  return (
    <Dialog title={texts.requestTitle} lead={texts.requestText} onClose={onClose}>
      <Form
        submit={texts.request}
        onSubmit={async ({ message = "" }, data) => {
          const reviewers = data.getAll("reviewer").map(String);
          const body = {
            ...(message.trim() === "" ? {} : { message }),
            ...(reviewers.length > 0 ? { reviewers } : {}),
          };
          await send(requestReview, { path: { projectId }, body });
          onDone();
        }}
      >
        <Area name="message" label={texts.message} maxLength={1_000} isProse />
        {offered.length > 0 && (
          <fieldset class="checks">
            <legend>{texts.reviewers}</legend>
            {offered.map(({ userId, displayName, email }) => (
              <label key={userId} class="check">
                <input type="checkbox" name="reviewer" value={userId} />
                <span>{displayName || email || userId}</span>
              </label>
            ))}
          </fieldset>
        )}
      </Form>
    </Dialog>
  );
}
