import { isObject } from "@avow/contract/json";
import { useState } from "preact/hooks";
import { listProjectUsers } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import type { Doc } from "../../data/documents/documents.ts";
import type { Conflict } from "../../data/documents/draft.ts";
import type { Difference } from "../../data/documents/merge.ts";
import { useLoad } from "../../data/use-load.ts";
import { toAgo } from "../../browser/format.ts";
import { me } from "../../data/session.ts";
import { Dialog } from "../../ui/forms/dialog.tsx";
import { editorWords } from "../../words/editor.ts";

interface ConflictDialogProps {
  projectId: string;
  conflict: Conflict;
  /** Receives the differences for which the other version was chosen; the draft wins for the rest. */
  onSettle: (taken: readonly Difference[]) => void;
  onClose: () => void;
}

/** The dialog to resolve a conflict, difference by difference. */
export function ConflictDialog({ projectId, conflict, onSettle, onClose }: ConflictDialogProps) {
  const { conflict: texts } = editorWords.value;
  const { theirs, differences } = conflict;
  // Fields that the user did not change default to the other version.
  const [taken, setTaken] = useState(() => new Set(differences.filter(({ isMine }) => !isMine)));
  const who = useWho(projectId, String(theirs.doc["updatedBy"]));
  const choose = (one: Difference, isTheirs: boolean): void => {
    const next = new Set(taken);
    if (isTheirs) next.add(one);
    else next.delete(one);
    setTaken(next);
  };
  return (
    <Dialog
      title={texts.title}
      lead={texts.lead(who, toAgo(String(theirs.doc["updatedAt"])))}
      onClose={onClose}
    >
      <ul class="differences">
        {differences.map((one) => (
          <li key={one.keys.join("/")}>
            <fieldset>
              <legend>{toLabel(one, theirs.doc)}</legend>
              <Side
                name={one.keys.join("/")}
                text={texts.mine}
                value={one.mine}
                isChosen={!taken.has(one)}
                onChoose={() => choose(one, false)}
              />
              <Side
                name={one.keys.join("/")}
                text={texts.theirs}
                value={one.theirs}
                isChosen={taken.has(one)}
                onChoose={() => choose(one, true)}
              />
            </fieldset>
          </li>
        ))}
      </ul>
      <div class="form-end">
        <button
          type="button"
          class="button primary"
          onClick={() => {
            onSettle([...taken]);
            onClose();
          }}
        >
          {texts.apply}
        </button>
        <button type="button" class="button ghost" onClick={onClose}>
          {texts.later}
        </button>
      </div>
    </Dialog>
  );
}

interface SideProps {
  name: string;
  text: string;
  value: unknown;
  isChosen: boolean;
  onChoose: () => void;
}

function Side({ name, text, value, isChosen, onChoose }: SideProps) {
  return (
    <label class="check">
      <input type="radio" name={name} checked={isChosen} onChange={onChoose} />
      <span>
        <strong>{text}</strong>
        <span class="side-value">{toText(value)}</span>
      </span>
    </label>
  );
}

function useWho(projectId: string, userId: string): string {
  const { conflict } = editorWords.value;
  const users = useLoad(
    () => send(listProjectUsers, { path: { documentId: projectId } }),
    [projectId],
  );
  if (userId === me.value?.id) return conflict.you;
  const all = users.state === "ready" ? users.value : [];
  return all.find((one) => one.userId === userId)?.displayName ?? conflict.somebody;
}

/** The label of a difference; a step is shown by its title. */
function toLabel({ keys }: Difference, { steps }: Doc): string {
  const { fields, conflict, tabs } = editorWords.value;
  const [first = "", second, third] = keys;
  if (first === "steps" && second === undefined) return conflict.order;
  if (first === "steps") {
    const all = Array.isArray(steps) ? (steps as readonly { name: string; title?: string }[]) : [];
    const step = all.find(({ name }) => name === second);
    return `${step?.title || second} · ${fields[third ?? ""] ?? third ?? ""}`;
  }
  if (second === undefined) return fields[first] ?? first;
  const group = first === "strings" ? tabs.words : (fields[first] ?? first);
  return `${group} · ${fields[second] ?? second}`;
}

const SHOWN_MAX = 400;

/** A value as text; vendors and other objects are shown by their names. */
function toText(value: unknown): string {
  const { conflict } = editorWords.value;
  if (value === undefined || value === null || value === "") return conflict.nothing;
  if (typeof value === "string") return value.slice(0, SHOWN_MAX);
  if (!Array.isArray(value)) return JSON.stringify(value).slice(0, SHOWN_MAX);
  if (value.length === 0) return conflict.nothing;
  const names = value.map((one: unknown) => {
    if (!isObject(one)) return String(one);
    const { title, text, name } = one;
    const called = [title, text, name].find((label) => typeof label === "string");
    return typeof called === "string" ? called : JSON.stringify(one);
  });
  return names.join(", ").slice(0, SHOWN_MAX);
}
