import type { Draft } from "../../data/documents/draft.ts";
import { toHour, toInstant } from "../../browser/format.ts";
import { editorWords } from "../../words/editor.ts";

/** Offers the unsaved changes of an earlier visit. */
export function EarlierNote({ drafts }: { drafts: readonly Draft[] }) {
  const { earlier: texts } = editorWords.value;
  const found = drafts.filter((draft) => draft.earlier.value);
  const times = found.map((draft) => draft.earlier.value?.at ?? 0);
  if (found.length === 0) return null;
  const at = new Date(Math.max(...times)).toISOString();
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  const isOutdated = found.some((draft) => draft.earlier.value?.isOutdated);
  return (
    <div class="note warn earlier" role="status">
      <p>
        <strong>{texts.title(isToday ? toHour(at) : toInstant(at))}</strong>{" "}
        {isOutdated && texts.outdated}
      </p>
      <div class="actions">
        <button
          type="button"
          class="button small"
          onClick={() => found.forEach((draft) => void draft.restore())}
        >
          {texts.restore}
        </button>
        <button
          type="button"
          class="button small"
          onClick={() => found.forEach((draft) => draft.discard())}
        >
          {texts.discard}
        </button>
      </div>
    </div>
  );
}
