import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { openApiFile } from "./openapi-file.ts";
import { fieldsFile, toFieldsText } from "./openapi-fields.ts";
import { type Document, operationsFile, toOperationsText } from "./openapi-types.ts";

test("the client's operations and the admin app's fields are generated from docs/reference/openapi.json", async () => {
  const document = JSON.parse(await readFile(openApiFile, "utf8")) as Document;
  assert.ok(
    toOperationsText(document) === (await readFile(operationsFile, "utf8")),
    "run npm run openapi",
  );
  assert.ok(toFieldsText(document) === (await readFile(fieldsFile, "utf8")), "fields.ts is old");
});
