import { useState } from "preact/hooks";
import { type Thread, changeComment, replyToComment } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { asProblem } from "../../api/problem.ts";
import { type Role, mayWrite } from "../../data/projects/project.ts";
import { toFaultText } from "../../ui/forms/faults.tsx";
import { Area, Form } from "../../ui/forms/form.tsx";
import { Badge } from "../../ui/parts.tsx";
import { notify } from "../../ui/toast.tsx";
import { reviewWords } from "../../words/reviews/words.ts";
import { toThreadId } from "../fields/open-comments.tsx";
import { CommentText, TEXT_LENGTH_MAX } from "./comment-text.tsx";

interface ThreadItemProps {
  thread: Thread;
  roles: readonly Role[] | undefined;
  /** The name of the thing that the thread is about, and its address. */
  about?: { text: string; href: string | undefined } | undefined;
  onChange: () => void;
}

/** A thread with its replies, and the forms to reply and to resolve it. */
export function ThreadItem({ thread, roles = [], about, onChange }: ThreadItemProps) {
  const { comments: texts } = reviewWords.value;
  const [isReplying, setReplying] = useState(false);
  const isOwner = roles.includes("owner");
  const mayComment = mayWrite(roles) || roles.includes("viewer");
  const { projectId, id, replies, resolvedAt } = thread;
  const path = { projectId, commentId: id };
  const shared = { projectId, isOwner, onChange };
  const setResolved = async (resolved: boolean): Promise<void> => {
    try {
      await send(changeComment, { path, body: { resolved } });
      notify(resolved ? texts.resolved : texts.reopened);
      onChange();
    } catch (error) {
      notify(toFaultText(asProblem(error)));
    }
  };
  return (
    <li class="thread" id={toThreadId(thread)} tabIndex={-1}>
      {about && (
        <p class="soft">
          {about.href === undefined ? about.text : <a href={about.href}>{about.text}</a>}{" "}
          {resolvedAt !== null && <Badge tone="good">{texts.statuses.resolved}</Badge>}
        </p>
      )}
      {thread.about?.excerpt && <blockquote>{thread.about.excerpt}</blockquote>}
      <CommentText {...shared} comment={thread} />
      {replies.length > 0 && (
        <ul class="replies">
          {replies.map((reply) => (
            <li key={reply.id}>
              <CommentText {...shared} comment={reply} />
            </li>
          ))}
        </ul>
      )}
      {isReplying && (
        <Form
          submit={texts.reply}
          onSubmit={async ({ text = "" }) => {
            await send(replyToComment, { path, body: { text } });
            setReplying(false);
            onChange();
          }}
        >
          <Area name="text" label={texts.text} maxLength={TEXT_LENGTH_MAX} isProse />
        </Form>
      )}
      {mayComment && (
        <p class="comment-acts">
          {!isReplying && (
            <button type="button" class="button small" onClick={() => setReplying(true)}>
              {texts.reply}
            </button>
          )}
          <button
            type="button"
            class="button small"
            onClick={() => void setResolved(resolvedAt === null)}
          >
            {resolvedAt === null ? texts.resolve : texts.reopen}
          </button>
        </p>
      )}
    </li>
  );
}
