import type { ConsentState, VendorName } from "@avow/widget/headless";
import { useState } from "react";

/** The switches of the vendors, before they are saved. */
export interface Choices {
  isOn: (vendor: string) => boolean;
  set: (vendors: readonly string[], isOn: boolean) => void;
  /** The answer to the vendors that are asked. */
  toAnswer: () => Partial<Record<VendorName, boolean>>;
}

/** No switch is on that was not accepted before. */
export function useChoices({ vendors, offer }: ConsentState): Choices {
  const [chosen, setChosen] = useState<Readonly<Record<string, boolean | undefined>>>(vendors);
  return {
    isOn: (vendor) => chosen[vendor] === true,
    set: (names, isOn) =>
      setChosen((before) => ({ ...before, ...Object.fromEntries(names.map((n) => [n, isOn])) })),
    toAnswer: () =>
      Object.fromEntries(
        Object.keys(vendors)
          .filter((name) => offer?.isAsked(name))
          .map((name) => [name, chosen[name] === true]),
      ),
  };
}
