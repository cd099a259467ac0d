import type { ComponentChildren } from "preact";
import type { LoadResult } from "../data/use-load.ts";
import { words } from "../words/words.ts";
import { FaultNote } from "./forms/faults.tsx";
import { Empty } from "./parts.tsx";
import { Skeleton } from "./skeleton.tsx";

interface LoadViewProps<T> {
  of: LoadResult<T>;
  /** The number of placeholder lines while loading. */
  lines?: number;
  children: (value: T, reload: () => void) => ComponentChildren;
}

/** Shows a loaded value, the loading state, or the error with a retry if it can help. */
export function LoadView<T>({ of, lines = 3, children }: LoadViewProps<T>) {
  if (of.state === "ready") return <>{children(of.value, of.reload)}</>;
  if (of.state === "loading") return <Skeleton lines={lines} />;
  const { faults, missing } = words.value;
  const { problem, retry } = of;
  if (problem.kind === "forbidden")
    return <Empty icon="lock" title={faults.noRight} text={faults.forbidden} />;
  if (problem.kind === "not-found")
    return <Empty icon="warning" title={missing.title} text={faults.notFound} />;
  return (
    <div class="failed">
      <FaultNote problem={problem} />
      <button type="button" class="button" onClick={retry}>
        {faults.retry}
      </button>
    </div>
  );
}
