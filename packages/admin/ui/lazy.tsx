import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Problem } from "@avow/client/problem";
import { words } from "../words/words.ts";
import { FaultNote } from "./forms/faults.tsx";
import { Skeleton } from "./skeleton.tsx";

/** The import of a screen. */
type Loading<P> = () => Promise<{ default: ComponentType<P> }>;

/** A component that is loaded when it is first rendered, with a retry if loading fails. `Waiting` is shown until then. */
export function lazy<P extends object>(
  load: Loading<P>,
  Waiting: ComponentType = WaitingScreen,
): ComponentType<P> {
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
    if (!isMissing) return <Waiting />;
    return (
      <div class="page narrow">
        <FaultNote problem={new Problem("offline")} />
        {/* A new version of the service has other file names, so that the page is reloaded. */}
        <button type="button" class="button" onClick={() => location.reload()}>
          {words.value.faults.retry}
        </button>
      </div>
    );
  };
}

function WaitingScreen() {
  return (
    <div class="page">
      <Skeleton lines={8} />
    </div>
  );
}
