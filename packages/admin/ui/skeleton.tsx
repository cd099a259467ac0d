import { words } from "../words/words.ts";

/** Placeholder lines for content that is loading. After a second, a text says so. */
export function Skeleton({ lines = 3 }: { lines?: number }) {
  return (
    <div class="skeleton" aria-busy="true">
      {Array.from({ length: lines }, (_, at) => (
        <span key={at} class="line" aria-hidden="true" />
      ))}
      <p class="soft late">{words.value.app.loading}</p>
    </div>
  );
}
