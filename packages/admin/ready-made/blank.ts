import type { Collection } from "@avow/contract/collections";
import type { JsonObject } from "@avow/contract/json";

/** The body of a new configuration. */
export interface BlankConfiguration {
  projectId: string;
  [field: string]: unknown;
}

/** The name of a translation: that of the original, with the other language as its ending. */
export function toTranslatedName({ name, language }: JsonObject, other: string): string {
  const original = typeof name === "string" ? name : "banner";
  const ending = `-${String(language)}`;
  return `${original.endsWith(ending) ? original.slice(0, -ending.length) : original}-${other}`;
}

/** The first part of the name of a new configuration, which stays when its title is entered later. */
const namesOf: Readonly<Record<Collection, string>> = {
  cookies: "banner",
  processings: "consent-form",
  contracts: "contract-form",
};

/** The initial body of a configuration. */
export function toBlank(kind: Collection, projectId: string, language: string): BlankConfiguration {
  const shared = { projectId, name: `${namesOf[kind]}-${language}`, language };
  if (kind === "cookies") return { ...shared, steps: [{ name: "welcome", layout: "welcome" }] };
  return shared;
}
