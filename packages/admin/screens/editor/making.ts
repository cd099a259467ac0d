import type { JsonObject } from "@avow/contract/json";
import {
  createContract,
  createCookieConfiguration,
  createProcessing,
} from "@avow/client/operations";
import { send } from "../../api/send.ts";
import type { BlankConfiguration } from "../../ready-made/blank.ts";
import { type ConfigurationKind, type Doc, toOwn } from "../../data/documents/documents.ts";

const creations = {
  cookies: createCookieConfiguration,
  processings: createProcessing,
  contracts: createContract,
} as const;

/** Creates a configuration and returns its id. @throws Problem */
export async function createConfiguration(
  kind: ConfigurationKind,
  body: BlankConfiguration,
): Promise<string> {
  return (await send<{ body: BlankConfiguration }, { id: string }>(creations[kind], { body })).id;
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
