import type { Problem } from "@avow/client/problem";
import { FaultNote } from "./forms/faults.tsx";
import { words } from "../words/words.ts";

/** Shown instead of the app if the session cannot be read. */
export function Unreachable({ problem, onRetry }: { problem: Problem; onRetry: () => void }) {
  const { faults } = words.value;
  return (
    <main class="page narrow">
      <h1>{faults.title}</h1>
      <FaultNote problem={problem} />
      <button type="button" class="button" onClick={onRetry}>
        {faults.retry}
      </button>
    </main>
  );
}
