import assert from "node:assert/strict";
import { test } from "node:test";
import { isWithin, openFieldsOf, readField, withField, withoutFields } from "./open-fields.ts";

const body = {
  title: "Banner",
  settings: { share: 50 },
  steps: [
    { name: "welcome", title: "Hello" },
    { name: "stats", vendors: [{ name: "matomo" }] },
  ],
};

test("finds items of lists by their name", () => {
  assert.equal(readField(body, "/steps/welcome/title"), "Hello");
  assert.deepEqual(readField(body, "/steps/stats/vendors/matomo"), { name: "matomo" });
  assert.equal(readField(body, "/steps/other/title"), undefined);
  assert.equal(readField(body, "/__proto__/toString"), undefined);
});

test("changes one field, and adds objects on the way but no items", () => {
  const changed = withField(body, "/steps/welcome/title", "Hi");
  assert.equal(readField(changed, "/steps/welcome/title"), "Hi");
  assert.equal(readField(changed, "/steps/stats/vendors/matomo/name"), "matomo");
  assert.equal(readField(body, "/steps/welcome/title"), "Hello", "the given body is kept");
  assert.deepEqual(withField({}, "/settings/share", 10), { settings: { share: 10 } });
  assert.deepEqual(withField(body, "/steps/other/title", "Hi"), body);
  assert.deepEqual(withField(body, "/title/inner", "Hi"), body);
});

test("removes a field with the objects that it leaves empty, and keeps the places of items", () => {
  assert.deepEqual(Object.keys(withField(body, "/settings/share", undefined)), ["title", "steps"]);
  const { steps } = withoutFields(body, ["/steps/stats"]);
  assert.deepEqual(steps, [{ name: "welcome", title: "Hello" }, { name: "stats" }]);
});

test("opens the fields of a site's operator unless the template lists others", () => {
  assert.ok(openFieldsOf("projects", {}).includes("/DPO"));
  assert.deepEqual(openFieldsOf("cookies", {}), []);
  assert.deepEqual(openFieldsOf("projects", { openFields: [] }), []);
  assert.ok(isWithin("/DPO/email", ["/DPO"]));
  assert.ok(!isWithin("/DPOs", ["/DPO"]));
});
