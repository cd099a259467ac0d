import { useState } from "preact/hooks";
import { asProblem } from "../../api/problem.ts";
import { findFieldState, resetField, toggleField } from "../../data/documents/inheritance.ts";
import { toFaultText } from "../../ui/forms/faults.tsx";
import { Icon } from "../../ui/icons.tsx";
import { notify } from "../../ui/toast.tsx";
import { templateWords } from "../../words/templates/words.ts";
import { useEditing } from "./editing.ts";

/** Fields by which documents and their items are found again; they stay those of the template. */
const fixedField = /^\/language$|\/name$/;

/** In a template, the switch that opens a field for its sites; in a site, the mark of an inherited field. */
export function FieldLock({ at, label }: { at: string; label: string }) {
  const texts = templateWords.value;
  const { draft, inheritance, mayWrite, reload } = useEditing();
  const [isBusy, setBusy] = useState(false);
  const state = findFieldState(inheritance, draft, at);
  if (!state || fixedField.test(at)) return null;
  const { field, isOpen } = state;
  if (state.kind === "template") {
    const text = !isOpen ? texts.locked : state.isExact ? texts.open : texts.openWith;
    return (
      <button
        type="button"
        class={isOpen ? "field-lock open" : "field-lock"}
        aria-label={`${text}: ${label}`}
        title={isOpen ? texts.lock : texts.unlock}
        disabled={!mayWrite || (isOpen && !state.isExact)}
        onClick={() => toggleField(draft, field)}
      >
        {!isOpen && <Icon name="lock" />}
        {text}
      </button>
    );
  }
  if (!isOpen)
    return (
      <span class="field-lock">
        <Icon name="lock" />
        {texts.setBy(state.title)}
      </span>
    );
  if (!state.isOwn) return <span class="field-lock open">{texts.fromTemplate}</span>;
  const reset = async (): Promise<void> => {
    if (inheritance?.kind !== "site") return;
    setBusy(true);
    try {
      await resetField(inheritance, draft, field);
      notify(texts.resetDone);
      reload?.();
    } catch (error) {
      notify(toFaultText(asProblem(error)));
    }
    setBusy(false);
  };
  return (
    <span class="field-lock own">
      {texts.ownValue}
      {mayWrite && (
        <button
          type="button"
          class="link"
          aria-label={`${texts.reset}: ${label}`}
          disabled={isBusy}
          onClick={() => void reset()}
        >
          {texts.reset}
        </button>
      )}
    </span>
  );
}
