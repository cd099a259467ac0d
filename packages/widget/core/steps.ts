import type { Cookies, Step } from "./site.ts";

type IsAsked = (vendor: string) => boolean;

/** The steps of a configuration without those whose vendors have all been answered. */
export function listSteps({ steps = [] }: Cookies, isAsked: IsAsked): Step[] {
  return steps.filter(
    (step) => isAsking(step, isAsked) || step.vendors?.every(({ required }) => required) !== false,
  );
}

/**
 * The steps of the preference center: those after a first step that only introduces them. They are the same list if the
 * first step itself has choices, which then are on the first layer.
 */
export function listChoosing(steps: readonly Step[]): readonly Step[] {
  const [first] = steps;
  return first?.layout === "iab" || first?.vendors?.[0] ? steps : steps.slice(1);
}

/** Whether a step asks for a vendor, or has the layout `iab`. */
export function isAsking({ layout, vendors }: Step, isAsked: IsAsked): boolean {
  return layout === "iab" || vendors?.some(({ name }) => isAsked(name)) === true;
}
