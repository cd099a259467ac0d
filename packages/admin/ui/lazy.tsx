import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Problem } from "@avow/client/problem";
import { words } from "../words/words.ts";
import { FaultNote } from "./forms/faults.tsx";
import { Skeleton } from "./skeleton.tsx";

/** A screen in a file of its own, whose default export it is. */
type Loading<P> = () => Promise<{ default: ComponentType<P> }>;

/** A component that is loaded when it is first shown; where it does not come, that is said, with a way to try again. */
export function lazy<P extends object>(load: Loading<P>): ComponentType<P> {
  let known: ComponentType<P> | undefined;
  return function Lazy(props: P) {
    const [, setRevision] = useState(0);
    const [isMissing, setMissing] = useState(false);
    const find = async (): Promise<void> => {
      try {
        known = (await load()).default;
        setRevision((revision) => revision + 1);
      } catch {
        setMissing(true);
      }
    };
    useEffect(() => {
      if (known) return;
      void find();
    }, []);
    const Screen = known;
    if (Screen) return <Screen {...props} />;
    if (!isMissing)
      return (
        <div class="page">
          <Skeleton lines={8} />
        </div>
      );
    return (
      <div class="page narrow">
        <FaultNote problem={new Problem("offline")} />
        {/* The service may have a new version, whose files have other names: the page names them. */}
        <button type="button" class="button" onClick={() => location.reload()}>
          {words.value.faults.retry}
        </button>
      </div>
    );
  };
}
