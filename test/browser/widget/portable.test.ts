import assert from "node:assert/strict";
import { it } from "node:test";
import {
  bundlePackedCore,
  publishWholeSite,
  scenarioResult,
  toScenario,
} from "../../widget/portable.ts";
import { openPage, skip } from "./browser.ts";
import { openShop } from "./site.ts";

it("the packed core runs on a page and in a worker of a browser", { skip }, async () => {
  const { script } = await bundlePackedCore();
  const scenario = toScenario(await publishWholeSite());
  const worker = `${script}\n${scenario}.then(postMessage, (error) => postMessage(String(error)));`;
  await using shop = await openShop({
    "/": "<!doctype html><title>Shop</title><script src=/core.js></script>",
    "/core.js": (_, response) => response.setHeader("content-type", "text/javascript").end(script),
    "/worker.js": (_, response) =>
      response.setHeader("content-type", "text/javascript").end(worker),
  });
  await using opened = await openPage();
  const { page, faults } = opened;
  await page.goto(shop.url);
  assert.deepEqual(JSON.parse(await page.evaluate<string>(scenario)), scenarioResult);
  const inWorker = await page.evaluate<string>(`new Promise((resolve, reject) => {
    const worker = new Worker("/worker.js");
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = reject;
  })`);
  assert.deepEqual(JSON.parse(inWorker), scenarioResult);
  assert.deepEqual(faults, []);
});
