import { readFileSync } from "node:fs";
import { parse } from "yaml";
import type { Permissions } from "./sandbox.ts";

/** A custom template of Google Tag Manager, as its editor exports it. */
export interface Template {
  info: {
    type: string;
    displayName: string;
    description: string;
    containerContexts: string[];
  };
  parameters: Parameter[];
  /** Sandboxed JavaScript: the body of a function. */
  code: string;
  permissions: Permissions;
  /** Runs before each scenario. */
  setup: string;
  scenarios: Scenario[];
}

export interface Parameter {
  type: string;
  name: string;
  valueValidators?: { type: string; args?: string[] }[];
  subParams?: Parameter[];
  paramTableColumns?: { param: Parameter }[];
  simpleTableColumns?: Parameter[];
}

export interface Scenario {
  name: string;
  code: string;
}

/** A value of the permissions: a string (1), a list (2), a map (3) or a boolean (8). */
interface Value {
  type: number;
  string?: string;
  boolean?: boolean;
  listItem?: Value[];
  mapKey?: Value[];
  mapValue?: Value[];
}

interface PermissionEntry {
  instance: {
    key: { publicId: string; versionId: string };
    param: { key: string; value: Value }[];
  };
}

/** The suffixes of the sections of code and of permissions by the kind of container. */
const kinds = {
  web: { code: "SANDBOXED_JS_FOR_WEB_TEMPLATE", permissions: "WEB_PERMISSIONS" },
  server: { code: "SANDBOXED_JS_FOR_SERVER", permissions: "SERVER_PERMISSIONS" },
};

/** Reads a file of `integrations/google-tag-manager/`. @throws Error when a section is missing or invalid */
export function readTemplate(file: string): Template {
  const folder = new URL("../../integrations/google-tag-manager/", import.meta.url);
  return parseTemplate(readFileSync(new URL(file, folder), "utf8"));
}

/** @throws Error when a section is missing or invalid */
export function parseTemplate(text: string): Template {
  const [, ...parts] = text.split(/^___([A-Z_]+)___$/m);
  const sections = new Map<string, string>();
  for (let at = 0; at < parts.length; at += 2)
    sections.set(parts[at] ?? "", (parts[at + 1] ?? "").trim());
  const { code, permissions } = sections.has(kinds.server.code) ? kinds.server : kinds.web;
  const order = ["TERMS_OF_SERVICE", "INFO", "TEMPLATE_PARAMETERS", code, permissions, "TESTS"];
  const names = [...sections.keys()];
  if (names.join() !== [...order, "NOTES"].join())
    throw new Error(`The sections are ${names.join(", ")}.`);
  const read = (name: string): string => sections.get(name) ?? "";
  const tests = parse(read("TESTS")) as { setup?: string; scenarios: Scenario[] };
  return {
    info: JSON.parse(read("INFO")) as Template["info"],
    parameters: JSON.parse(read("TEMPLATE_PARAMETERS")) as Parameter[],
    code: read(code),
    permissions: toPermissions(JSON.parse(read(permissions)) as PermissionEntry[]),
    setup: tests.setup ?? "",
    scenarios: tests.scenarios,
  };
}

/** All parameters, with those in groups and the columns of tables. */
export function listParameters(parameters: readonly Parameter[]): Parameter[] {
  return parameters.flatMap((one) => [
    one,
    ...listParameters(one.subParams ?? []),
    ...listParameters((one.paramTableColumns ?? []).map(({ param }) => param)),
    ...listParameters(one.simpleTableColumns ?? []),
  ]);
}

function toPermissions(entries: readonly PermissionEntry[]): Permissions {
  return Object.fromEntries(
    entries.map(({ instance: { key, param } }) => [
      key.publicId,
      Object.fromEntries(param.map(({ key: name, value }) => [name, toPlain(value)])),
    ]),
  );
}

function toPlain({
  type,
  string,
  boolean,
  listItem = [],
  mapKey = [],
  mapValue = [],
}: Value): unknown {
  if (type === 1 && string !== undefined) return string;
  if (type === 8 && boolean !== undefined) return boolean;
  if (type === 2) return listItem.map(toPlain);
  if (type === 3)
    return Object.fromEntries(
      mapKey.map((key, at) => [toPlain(key), toPlain(mapValue[at] ?? { type: 0 })]),
    );
  throw new Error(`A permission has a value of type ${type}.`);
}
