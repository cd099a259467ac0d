import { words } from "../words/words.ts";

/** What stands where something will be that is on its way; who has waited a second is told so in words. */
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
