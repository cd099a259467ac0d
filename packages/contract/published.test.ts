import assert from "node:assert/strict";
import { test } from "node:test";
import { isDocumentOf } from "./configuration.ts";
import { labelOf } from "./labels.ts";
import { vendorsOf } from "./published.ts";
import { titleOf } from "./labels.ts";

test("a slug names the first vendor that has it", () => {
  const steps = [
    { name: "a", layout: "category", vendors: [{ name: "x", title: "X" }, { name: "y" }] },
    { name: "b", layout: "category", vendors: [{ name: "x", title: "Other" }] },
    { name: "c", layout: "welcome" },
  ] as const;
  const vendors = vendorsOf({ steps: structuredClone(steps) as never });
  assert.deepEqual([...vendors.keys()], ["x", "y"]);
  assert.equal(vendors.get("x")?.title, "X");
  assert.equal(vendorsOf({}).size, 0);
});

test("a title is the first text of title, text, name and full name", () => {
  assert.equal(titleOf({ name: "main", title: " " }), "main");
  assert.equal(titleOf({ name: "main", title: "Shop" }), "Shop");
  assert.equal(titleOf({ text: "Yes", name: "yes" }), "Yes");
  assert.equal(titleOf({ fullname: "Ada" }), "Ada");
  assert.equal(titleOf(null), undefined);
});

test("prefers the label by parent field, then by name, then the name", () => {
  assert.equal(labelOf(["colors", "title"]), "Titles");
  assert.equal(labelOf(["title"]), "Title");
  assert.equal(labelOf(["settings", "own"]), "own");
});

test("recognizes a document by its resource", () => {
  const document = { id: "a", resource: "cookies", body: { steps: [] } };
  assert.equal(isDocumentOf(document, "cookies"), true);
  assert.equal(isDocumentOf(document, "contracts"), false);
});
