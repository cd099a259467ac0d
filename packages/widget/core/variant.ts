import type { MemoryStore } from "./memory.ts";
import type { Cookies, Site } from "./site.ts";

const SHARE = 50;

/**
 * The configuration, or its variant of an A/B test: at random, so that nothing is stored before an answer; after it, the
 * one that was answered.
 */
export function chooseVariant(
  { cookies = [] }: Site,
  original: Cookies,
  memory: MemoryStore,
): Cookies {
  const { name, identifier } = original;
  const variant = cookies.find(
    ({ settings }) => settings?.variantOf && [name, identifier].includes(settings.variantOf),
  );
  if (!variant) return original;
  const answered = memory.readMemory().$$cookiesVersion?.identifier;
  if (answered === identifier) return original;
  const isShown =
    answered === variant.identifier || Math.random() * 100 < (variant.settings?.share ?? SHARE);
  return isShown ? variant : original;
}
