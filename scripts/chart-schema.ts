// The settings of the service in the schema of the Helm chart's values.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Setting } from "../packages/server/config/schema.ts";
import { settings } from "../packages/server/config/settings.ts";

/** Settings that the chart decides. */
const chartOwned = new Set(["PORT", "DATA_DIR", "MIGRATE_AT_START"]);

export const chartSchemaFile = join(import.meta.dirname, "../deploy/helm/avow/values.schema.json");

/** A JSON schema of one value, or of an object. */
interface Schema {
  properties?: Record<string, Schema>;
  [keyword: string]: unknown;
}

/** The text of values.schema.json with the current settings. */
export async function toChartSchema(): Promise<string> {
  const schema = JSON.parse(await readFile(chartSchemaFile, "utf8")) as Schema;
  const entries = Object.entries<Setting>(settings);
  const { config, secretEnv } = schema.properties ?? {};
  if (!config || !secretEnv) throw new Error(`${chartSchemaFile} has no config or secretEnv.`);
  const required = config["required"] as string[];
  config.properties = Object.fromEntries(
    entries
      .filter(([name, { secret }]) => !secret && !chartOwned.has(name))
      .map(([name, setting]) => [name, toValueSchema(setting, required.includes(name))]),
  );
  secretEnv.properties = Object.fromEntries(
    entries.filter(([, { secret }]) => secret).map(([name]) => [name, secretKey]),
  );
  return `${JSON.stringify(schema, null, 2)}\n`;
}

const secretKey: Schema = {
  type: "object",
  additionalProperties: false,
  required: ["name", "key"],
  properties: { name: { type: "string" }, key: { type: "string" } },
};

/** YAML reads on and off as booleans and digits as numbers; the chart writes them as text again. */
function toValueSchema({ kind, description }: Setting, isRequired: boolean): Schema {
  const [, min, max] = /^(\d+) to (\d+)\b/.exec(kind.values ?? "") ?? [];
  if (min !== undefined)
    return {
      description,
      type: ["integer", "string"],
      minimum: Number(min),
      maximum: Number(max),
      pattern: "^[0-9]*$",
    };
  const choices = (kind.values ?? kind.expected.replace("one of ", "")).split(", ");
  const isChoice = choices.length > 1 && choices.every((one) => kind.parse(one) !== undefined);
  if (isChoice && kind.parse("\u0001") === undefined)
    return {
      description,
      enum: ["", ...choices, ...(choices.includes("on") ? [true, false] : [])],
    };
  const accepts = (text: string) => kind.parse(text) !== undefined;
  return {
    description,
    type: ["string", ...(accepts("1") ? ["integer"] : []), ...(accepts("off") ? ["boolean"] : [])],
    ...(isRequired && { minLength: 1 }),
  };
}
