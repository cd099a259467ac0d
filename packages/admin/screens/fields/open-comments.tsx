import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Thread } from "@avow/client/operations";
import { reviewWords } from "../../words/reviews/words.ts";

/** The open threads about the edited configuration. */
export const OpenCommentsContext = createContext<readonly Thread[]>([]);

/** The id of the element that shows a thread. */
export const toThreadId = ({ id }: Pick<Thread, "id">): string => `thread-${id}`;

/** The number of open threads about a place, as a button that leads to the first one; nothing without threads. */
export function CommentMark({ at, isBelow = false }: { at: string; isBelow?: boolean }) {
  const threads = useContext(OpenCommentsContext).filter(({ about }) => {
    const pointer = about?.pointer ?? "";
    return pointer === at || (isBelow && pointer.startsWith(`${at}/`));
  });
  const [first] = threads;
  if (!first) return null;
  return (
    <button
      type="button"
      class="badge warn comment-mark"
      onClick={() => {
        const thread = document.getElementById(toThreadId(first));
        thread?.scrollIntoView({ block: "center" });
        thread?.focus({ preventScroll: true });
      }}
    >
      {reviewWords.value.comments.count(threads.length)}
    </button>
  );
}
