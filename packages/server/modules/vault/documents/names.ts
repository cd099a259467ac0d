const NAME_LENGTH_MAX = 1_000;

/** `base`, or else `base` with the first number from 2 on that makes a name that is not taken. */
export function toUniqueName(base: string, taken: ReadonlySet<string>): string {
  let name = base;
  for (let n = 2; taken.has(name); n += 1) {
    const suffix = `-${n}`;
    name = base.slice(0, NAME_LENGTH_MAX - suffix.length) + suffix;
  }
  return name;
}
