import type { JsonObject } from "@avow/contract/json";
import {
  createContract,
  createCookieConfiguration,
  createProcessing,
} from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { type ConfigurationKind, type Doc, toOwn } from "../../data/documents/documents.ts";

const creations = {
  cookies: createCookieConfiguration,
  processings: createProcessing,
  contracts: createContract,
} as const;

interface Body {
  projectId: string;
  [field: string]: unknown;
}

/** Creates a configuration and returns its id. @throws Problem */
export async function createConfiguration(kind: ConfigurationKind, body: Body): Promise<string> {
  return (await send<{ body: Body }, { id: string }>(creations[kind], { body })).id;
}

/** Copies a configuration with the changes in `other`; the copy is not the default, and gets its own name. @throws Problem */
export function copyConfiguration(
  kind: ConfigurationKind,
  doc: Doc,
  other: JsonObject,
): Promise<string> {
  const { isDefault: _, name: _name, ...own } = toOwn(doc);
  return createConfiguration(kind, { ...own, ...other, projectId: String(own["projectId"]) });
}

/** The name of a translation: that of the original, with the other language as its ending. */
export function toTranslatedName({ name, language }: Doc, other: string): string {
  const original = typeof name === "string" ? name : "banner";
  const ending = `-${String(language)}`;
  return `${original.endsWith(ending) ? original.slice(0, -ending.length) : original}-${other}`;
}

/** The first part of the name of a new configuration, which stays when its title is entered later. */
const namesOf: Readonly<Record<ConfigurationKind, string>> = {
  cookies: "banner",
  processings: "consent-form",
  contracts: "contract-form",
};

/** The initial body of a configuration. */
export function toBlank(kind: ConfigurationKind, projectId: string, language: string): Body {
  const shared = { projectId, name: `${namesOf[kind]}-${language}`, language };
  if (kind === "cookies") return { ...shared, steps: [{ name: "welcome", layout: "welcome" }] };
  return shared;
}
