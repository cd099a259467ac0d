import type { List } from "./list.ts";

const pattern = /^2~([\d.]*)~dv\.([\d.]*)$/;

/** The ids of Google's providers in a string of its Additional Consent, version 2. */
export interface AdditionalConsent {
  consented: ReadonlySet<number>;
  /** Shown to the visitor, with and without consent. */
  disclosed: ReadonlySet<number>;
}

/** Encodes the choices; undefined if the site has none of these providers. */
export function toAdditional(
  { providers }: Pick<List, "providers">,
  consented: ReadonlySet<number>,
): string | undefined {
  if (providers.length === 0) return undefined;
  const ids = providers.map(({ id }) => id);
  const on = ids.filter((id) => consented.has(id));
  const off = ids.filter((id) => !consented.has(id));
  return `2~${on.join(".")}~dv.${off.join(".")}`;
}

/** Decodes a stored string; without any provider if there is none, or it is invalid. */
export function readAdditional(text: string | undefined): AdditionalConsent {
  const [, on = "", off = ""] = pattern.exec(text ?? "") ?? [];
  const consented = new Set(toIds(on));
  return { consented, disclosed: new Set([...consented, ...toIds(off)]) };
}

function toIds(text: string): number[] {
  return text.split(".").filter(Boolean).map(Number);
}
