import { useEffect, useState } from "preact/hooks";
import { type Problem, asProblem } from "../api/problem.ts";

/** Something that is read from the service. */
export type Loaded<T> = { reload: () => void } & (
  | { state: "loading" }
  | { state: "ready"; value: T }
  | { state: "failed"; problem: Problem }
);

type State<T> =
  | { state: "loading" }
  | { state: "ready"; value: T }
  | { state: "failed"; problem: Problem };

/**
 * Reads by `load`, and again when one of `keys` changes or `reload` is called; what was read stays until
 * there is more. What comes too late is left out.
 */
export function useLoad<T>(load: () => Promise<T>, keys: readonly unknown[]): Loaded<T> {
  const [state, setState] = useState<State<T>>({ state: "loading" });
  const [turn, setTurn] = useState(0);
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
  }, [...keys, turn]);
  return { ...state, reload: () => setTurn((now) => now + 1) };
}
