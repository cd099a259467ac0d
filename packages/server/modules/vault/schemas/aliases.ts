import type { JsonObject } from "@avow/contract/json";
import type { FieldFault } from "../../../platform/errors.ts";

/** A project's fields with `name` as its title where there is no `title`, as older clients send it. */
export function toTitled(input: JsonObject): JsonObject {
  if (input["title"] !== undefined || input["name"] === undefined) return input;
  const entries = Object.entries(input);
  return Object.fromEntries(
    entries.map(([name, value]) => [name === "name" ? "title" : name, value]),
  );
}

/**
 * An organization's fields with one value for `name` and `companyName` (wire section 9). If both are sent and differ,
 * the one that differs from the stored value applies, and `name` if both do or nothing is stored; a warning names the
 * other. Null for one of them has no effect.
 */
export function joinNames(
  input: JsonObject,
  present: JsonObject | undefined,
): { body: JsonObject; warnings: FieldFault[] } {
  const [name, companyName] = [input["name"] ?? undefined, input["companyName"] ?? undefined];
  if (name === undefined && companyName === undefined)
    return { body: withoutLoneNull(input), warnings: [] };
  const isCompanyName =
    name === undefined ||
    (companyName !== undefined &&
      name === present?.["name"] &&
      companyName !== present?.["companyName"]);
  const joined = isCompanyName ? companyName : name;
  const body = { ...input, name: joined, companyName: joined };
  if (name === undefined || companyName === undefined || name === companyName)
    return { body, warnings: [] };
  const [kept, path] = isCompanyName ? ["companyName", "/name"] : ["name", "/companyName"];
  return { body, warnings: [{ path, message: `Replaced by the value of \`${kept}\`.` }] };
}

/** A merge patch with null for both removes the name, which validation rejects. */
function withoutLoneNull(input: JsonObject): JsonObject {
  if ("name" in input === "companyName" in input) return input;
  const { name: _name, companyName: _companyName, ...rest } = input;
  return rest;
}
