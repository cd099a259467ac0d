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

/** Makes a configuration; answers its id. @throws Problem */
export async function createConfiguration(kind: ConfigurationKind, body: Body): Promise<string> {
  return (await send<{ body: Body }, { id: string }>(creations[kind], { body })).id;
}

/** Makes another configuration like one, but for what `other` says of it; it is not the default one. @throws Problem */
export function copyConfiguration(
  kind: ConfigurationKind,
  doc: Doc,
  other: JsonObject,
): Promise<string> {
  const { isDefault: _, ...own } = toOwn(doc);
  return createConfiguration(kind, { ...own, ...other, projectId: String(own["projectId"]) });
}

/** What a new configuration begins with. */
export function toBlank(kind: ConfigurationKind, projectId: string, language: string): Body {
  const shared = { projectId, language };
  if (kind === "cookies") return { ...shared, steps: [{ name: "welcome", layout: "welcome" }] };
  return shared;
}
