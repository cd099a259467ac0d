import { useState } from "preact/hooks";
import { type Reply, changeComment, deleteComment } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { me } from "../../data/session.ts";
import { Confirm } from "../../ui/forms/confirm.tsx";
import { Area, Form } from "../../ui/forms/form.tsx";
import { Ago } from "../../ui/parts.tsx";
import { notify } from "../../ui/toast.tsx";
import { reviewWords } from "../../words/reviews/words.ts";
import { words } from "../../words/words.ts";

export const TEXT_LENGTH_MAX = 5_000;
const EDIT_MS = 15 * 60_000;

interface CommentTextProps {
  projectId: string;
  comment: Reply;
  isOwner: boolean;
  onChange: () => void;
}

/** A comment with its author; the author edits it for 15 minutes, and owners delete it. */
export function CommentText({ projectId, comment, isOwner, onChange }: CommentTextProps) {
  const { comments: texts } = reviewWords.value;
  const [isEditing, setEditing] = useState(false);
  const [isRemoving, setRemoving] = useState(false);
  const { author, text, createdAt, editedAt, id } = comment;
  const isOwn = author.kind === "member" && author.id === me.value?.id;
  const isFresh = Date.now() - Date.parse(createdAt) < EDIT_MS;
  const path = { projectId, commentId: id };
  return (
    <>
      <p class="comment-head">
        <strong>{author.name ?? texts.deleted}</strong>{" "}
        <span class="soft">
          {author.kind === "link" && <>{texts.byLink} · </>}
          <Ago at={createdAt} />
          {editedAt !== null && <> · {texts.edited}</>}
        </span>
      </p>
      {isEditing ? (
        <Form
          submit={texts.save}
          aside={
            <button type="button" class="button ghost" onClick={() => setEditing(false)}>
              {words.value.app.cancel}
            </button>
          }
          onSubmit={async ({ text: next = "" }) => {
            await send(changeComment, { path, body: { text: next } });
            setEditing(false);
            onChange();
          }}
        >
          <Area name="text" label={texts.text} value={text} maxLength={TEXT_LENGTH_MAX} isProse />
        </Form>
      ) : (
        <p class="comment-text">{text}</p>
      )}
      {!isEditing && (isOwner || (isOwn && isFresh)) && (
        <p class="comment-acts">
          {isOwn && isFresh && (
            <button type="button" class="link" onClick={() => setEditing(true)}>
              {texts.edit}
            </button>
          )}
          <button type="button" class="link" onClick={() => setRemoving(true)}>
            {texts.remove}
          </button>
        </p>
      )}
      {isRemoving && (
        <Confirm
          title={texts.removeTitle}
          text={texts.removeText}
          submit={texts.remove}
          isDanger
          onConfirm={async () => {
            await send(deleteComment, { path });
            setRemoving(false);
            notify(texts.removed);
            onChange();
          }}
          onClose={() => setRemoving(false)}
        />
      )}
    </>
  );
}
