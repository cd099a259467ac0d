import { useEffect, useState } from "preact/hooks";
import { type Problem } from "@avow/client/problem";
import { asProblem } from "../api/problem.ts";

/** Something that is read from the service. */
export type LoadResult<T> = { reload: () => void; retry: () => void } & (
  | { state: "loading" }
  | { state: "ready"; value: T }
  | { state: "failed"; problem: Problem }
);

type State<T> =
  | { state: "loading" }
  | { state: "ready"; value: T }
  | { state: "failed"; problem: Problem };

/**
 * Reads by `load`, and again when one of `keys` changes or `reload` or `retry` is called; what was read stays until
 * there is more, but `retry` shows that it is on its way. What comes too late is left out.
 */
export function useLoad<T>(load: () => Promise<T>, keys: readonly unknown[]): LoadResult<T> {
  const [state, setState] = useState<State<T>>({ state: "loading" });
  const [revision, setRevision] = useState(0);
  useEffect(() => setState({ state: "loading" }), keys);
  useEffect(() => {
    let isWanted = true;
    load().then(
      (value) => isWanted && setState({ state: "ready", value }),
      (error: unknown) => isWanted && setState({ state: "failed", problem: asProblem(error) }),
    );
    return () => {
      isWanted = false;
    };
  }, [...keys, revision]);
  const reload = (): void => setRevision((now) => now + 1);
  const retry = (): void => {
    setState({ state: "loading" });
    reload();
  };
  return { ...state, reload, retry };
}
