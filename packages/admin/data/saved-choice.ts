import { useState } from "preact/hooks";
import { me } from "./session.ts";

/**
 * A choice of how a list is shown, kept in this browser for the signed-in user. An unknown stored value counts as the
 * first one.
 */
export function useSavedChoice<T extends string>(
  name: string,
  choices: readonly [T, ...T[]],
): [T, (chosen: T) => void] {
  const key = `avow-view-${name}-${me.peek()?.id}`;
  const find = (): T => choices.find((one) => one === localStorage.getItem(key)) ?? choices[0];
  const [chosen, setChosen] = useState(find);
  const choose = (next: T): void => {
    setChosen(next);
    try {
      localStorage.setItem(key, next);
    } catch {
      // Without storage the choice lasts until the screen is left.
    }
  };
  return [chosen, choose];
}
