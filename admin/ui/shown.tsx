import type { ComponentChildren } from "preact";
import type { Loaded } from "../data/use-load.ts";
import { words } from "../words/words.ts";
import { FaultNote } from "./faults.tsx";

interface ShownProps<T> {
  of: Loaded<T>;
  /** How many lines stand where it will be. */
  lines?: number;
  children: (value: T, reload: () => void) => ComponentChildren;
}

/** What was read, or that it is on its way, or why it does not come. */
export function Shown<T>({ of, lines = 3, children }: ShownProps<T>) {
  if (of.state === "ready") return <>{children(of.value, of.reload)}</>;
  const { app, faults } = words.value;
  if (of.state === "loading")
    return (
      <div class="skeleton" aria-busy="true">
        <span class="hidden">{app.loading}</span>
        {Array.from({ length: lines }, (_, at) => (
          <span key={at} class="line" aria-hidden="true" />
        ))}
      </div>
    );
  const isFinal = ["forbidden", "not-found"].includes(of.problem.kind);
  return (
    <div class="failed">
      <FaultNote problem={of.problem} />
      {!isFinal && (
        <button type="button" class="button" onClick={of.reload}>
          {faults.retry}
        </button>
      )}
    </div>
  );
}
