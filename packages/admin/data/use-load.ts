import { useEffect, useState } from "preact/hooks";
import { type Problem } from "@avow/client/problem";
import { asProblem } from "../api/problem.ts";

/** The state of a request, with functions to repeat it. */
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
 * Calls `load`, and again when one of `keys` changes or on `reload` or `retry`. A reload keeps the previous value
 * until the new one arrives; `retry` shows the loading state. Outdated responses are ignored.
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

/**
 * Repeats a request `ms` after each answer, which is an object, so that a slow answer is not discarded. In a hidden tab
 * it waits until the tab is shown.
 */
export function usePolling(loaded: LoadResult<object>, ms: number, isWanted: boolean): void {
  const { state, reload } = loaded;
  const answer =
    state === "ready" ? loaded.value : state === "failed" ? loaded.problem : undefined;
  useEffect(() => {
    if (!isWanted || answer === undefined) return undefined;
    let isDue = false;
    const poll = (): void => {
      if (!isDue || document.hidden) return;
      isDue = false;
      reload();
    };
    const timer = setTimeout(() => {
      isDue = true;
      poll();
    }, ms);
    document.addEventListener("visibilitychange", poll);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", poll);
    };
  }, [answer, ms, isWanted]);
}
