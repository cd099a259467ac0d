import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { chartSchemaFile, toChartSchema } from "./chart-schema.ts";

test("the Helm chart's values.schema.json has all settings", async () => {
  assert.ok(
    (await readFile(chartSchemaFile, "utf8")) === (await toChartSchema()),
    "deploy/helm/avow/values.schema.json is out of date: run `npm run settings`",
  );
});
