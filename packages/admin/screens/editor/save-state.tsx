import { useEffect } from "preact/hooks";
import { type Draft, isAnyUnsaved } from "../../data/documents/draft.ts";
import { Badge } from "../../ui/parts.tsx";
import { toFaultText } from "../../ui/forms/faults.tsx";
import { editorWords } from "../../words/editor.ts";

const tones = {
  saved: "good",
  waiting: "plain",
  saving: "plain",
  away: "warn",
  refused: "bad",
  failed: "bad",
  conflict: "warn",
} as const;
/** States by precedence, if several drafts are open. */
const weights = ["conflict", "refused", "failed", "away", "saving", "waiting", "saved"] as const;

/** The state of saving, and the action to take if something is not saved. */
export function SaveNote({ drafts, onLook }: { drafts: readonly Draft[]; onLook: () => void }) {
  const { save } = editorWords.value;
  const state = weights.find((one) => drafts.some((draft) => draft.state.value === one)) ?? "saved";
  const problem = drafts.find((draft) => draft.state.value === state)?.problem.value;
  const flush = (): void => void Promise.all(drafts.map((draft) => draft.flush()));
  useEffect(() => {
    const guard = (event: BeforeUnloadEvent): void => {
      if (isAnyUnsaved()) event.preventDefault();
    };
    addEventListener("beforeunload", guard);
    return () => {
      removeEventListener("beforeunload", guard);
      // Leaving the screen saves without waiting.
      flush();
    };
  }, drafts);
  return (
    <div class="save-note" role="status">
      <Badge tone={tones[state]}>{save[state]}</Badge>
      {state === "failed" && problem && <span class="soft">{toFaultText(problem)}</span>}
      {(state === "away" || state === "failed") && (
        <button type="button" class="link" onClick={flush}>
          {save.again}
        </button>
      )}
      {state === "conflict" && (
        <button type="button" class="link" onClick={onLook}>
          {save.look}
        </button>
      )}
    </div>
  );
}
