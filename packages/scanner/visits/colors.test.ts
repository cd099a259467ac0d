import assert from "node:assert/strict";
import { test } from "node:test";
import { toMeasuredColors } from "./colors.ts";

test("measured colors are hexadecimal, and the first readable accent is taken", () => {
  const colors = toMeasuredColors({
    background: "rgb(250, 250, 250)",
    text: "rgba(20, 20, 20, 1)",
    accents: ["rgb(255, 240, 120)", "rgb(80, 80, 80)", "rgb(10, 90, 70)"],
  });
  assert.deepEqual(colors, { background: "#fafafa", text: "#141414", accent: "#0a5a46" });
});

test("unreadable and invalid colors of a hostile page are left out", () => {
  const colors = toMeasuredColors({
    background: "url(javascript:alert(1))",
    text: "rgb(200, 200, 200)",
    accents: ["rgb(999, 0, 0)", 7, null, "rgb(255, 250, 200)"],
  });
  assert.deepEqual(colors, { background: "#ffffff", text: null, accent: null });
  assert.deepEqual(toMeasuredColors({}), { background: "#ffffff", text: null, accent: null });
});
