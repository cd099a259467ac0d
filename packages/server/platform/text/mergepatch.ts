import { isObject } from "@avow/contract/json";

/**
 * Applies an RFC 7396 merge patch. Returns a new value; neither argument is changed. Recurses once for each level
 * of the patch, so its depth must be limited before (`findMalformed` allows 64).
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  // A map, not an object: assigning to `__proto__` would set the prototype.
  const members = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name);
    else members.set(name, mergePatch(members.get(name), value));
  }
  return Object.fromEntries(members);
}
