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

/** Copies a configuration with the changes in `other`; the copy is not the default. @throws Problem */
export function copyConfiguration(
  kind: ConfigurationKind,
  doc: Doc,
  other: JsonObject,
): Promise<string> {
  const { isDefault: _, ...own } = toOwn(doc);
  return createConfiguration(kind, { ...own, ...other, projectId: String(own["projectId"]) });
}

/** The initial body of a configuration. */
export function toBlank(kind: ConfigurationKind, projectId: string, language: string): Body {
  const shared = { projectId, language };
  if (kind === "cookies") return { ...shared, steps: [{ name: "welcome", layout: "welcome" }] };
  return shared;
}
