import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { openPage, skip } from "../browser/widget/browser.ts";
import { service } from "../harness.ts";
import { type Example, type Running, installExample } from "./example.ts";
import { newExampleSite } from "./shop.ts";

describe("the example for Nuxt", { skip }, async () => {
  if (skip) return;
  const site = await newExampleSite();
  const example: Example = await installExample("nuxt");
  after(() => example[Symbol.asyncDispose]());
  await example.run("build");
  const app: Running = await example.start([".output/server/index.mjs"], {
    NUXT_PUBLIC_AVOW_PROJECT: site.projectId,
    NUXT_PUBLIC_AVOW_URL: service.url,
  });
  const { url } = app;

  it("has the banner in the server's page, which no shared cache keeps", async () => {
    const response = await fetch(url);
    const html = await response.text();
    assert.match(html, /<dialog[^>]* open/);
    assert.match(html, /Refuse all/);
    assert.match(html, /Statistics are off/);
    assert.doesNotMatch(html, /<iframe/);
    assert.equal(response.headers.get("cache-control"), "private");
    assert.match(response.headers.get("vary") ?? "", /cookie/);
  });

  it("runs nothing after a refusal, a tag once after acceptance, and is rendered so", async () => {
    await using opened = await openPage();
    const { page, faults, requests } = opened;
    const countTags = () => requests.filter((one) => one.endsWith("/stats.js")).length;
    const banner = page.getByRole("dialog", { name: "Your privacy" });
    await page.goto(url);
    await banner.getByRole("button", { name: "Refuse all" }).click();
    await banner.waitFor({ state: "detached" });
    await page.reload();
    await page.getByText("Statistics are off.").waitFor();
    await page.getByText("Content from Video").waitFor();
    assert.equal(await banner.count(), 0);
    assert.equal(countTags(), 0);
    await page.getByRole("button", { name: "Privacy choices" }).click();
    const center = page.getByRole("dialog", { name: "Cookie settings" });
    await center.getByRole("button", { name: "Accept all" }).click();
    await page.getByText("Statistics are on.").waitFor();
    await page.frameLocator("iframe").getByText("The film.").waitFor();
    assert.equal(countTags(), 1);
    assert.equal(await page.evaluate("statsFired"), 1);
    const cookie = (await page.context().cookies())
      .map(({ name, value }) => `${name}=${value}`)
      .join("; ");
    const html = await (await fetch(url, { headers: { cookie } })).text();
    assert.match(html, /Statistics are on\./);
    assert.match(html, /<iframe/);
    assert.doesNotMatch(html, /<dialog/);
    await page.reload();
    await page.getByText("Statistics are on.").waitFor();
    assert.equal(countTags(), 2);
    await page.getByRole("button", { name: "Cookie settings" }).click();
    await center.getByRole("switch", { name: "Stats" }).click();
    const reloaded = page.waitForEvent("load");
    await center.getByRole("button", { name: "Save my choices" }).click();
    await reloaded;
    await page.getByText("Statistics are off.").waitFor();
    await page.frameLocator("iframe").getByText("The film.").waitFor();
    assert.equal(countTags(), 2);
    assert.deepEqual(faults, []);
  });

  it("does not ask a signed-in visitor on another device, and takes a withdrawal along", async () => {
    const session = { name: "session", value: "customer-31", url };
    await using first = await openPage();
    await first.page.context().addCookies([session]);
    await first.page.goto(url);
    await first.page.getByRole("button", { name: "Accept all" }).click();
    await first.page.getByText("Statistics are on.").waitFor();
    await using other = await openPage();
    await other.page.context().addCookies([session]);
    const html = await (await fetch(url, { headers: { cookie: "session=customer-31" } })).text();
    assert.doesNotMatch(html, /<dialog/);
    await other.page.goto(url);
    await other.page.getByText("Statistics are on.").waitFor();
    assert.equal(await other.page.getByRole("dialog").count(), 0);
    await other.page.getByRole("button", { name: "Privacy choices" }).click();
    const reloaded = other.page.waitForEvent("load");
    await other.page.getByRole("dialog").getByRole("button", { name: "Refuse all" }).click();
    await reloaded;
    await other.page.getByText("Statistics are off.").waitFor();
    await first.page.getByRole("button", { name: "Privacy choices" }).click();
    await first.page.getByText("Statistics are off.").waitFor();
    assert.deepEqual([...first.faults, ...other.faults], []);
  });

  it("renders a page that is cached for all visitors without any visitor", async () => {
    await using opened = await openPage();
    const { page, faults } = opened;
    await page.goto(url);
    await page.getByRole("button", { name: "Accept all" }).click();
    await page.getByText("Statistics are on.").waitFor();
    const cookies = await page.context().cookies();
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
    const [, token = "missing"] = /"\$\$token":"([^"]+)"/.exec(decodeURIComponent(cookie)) ?? [];
    const html = await (await fetch(url, { headers: { cookie } })).text();
    assert.ok(html.includes(token), "a page of the visitor's own has their token");
    for (const path of ["/about", "/studio"]) {
      const shared = await (await fetch(url + path, { headers: { cookie } })).text();
      assert.ok(!shared.includes(token), path);
      assert.match(shared, /Statistics are off/);
      assert.doesNotMatch(shared, /<dialog/);
    }
    await page.goto(`${url}/about`);
    await page.getByText("Statistics are on.").waitFor();
    await page.context().clearCookies();
    await page.evaluate("localStorage.clear()");
    await page.goto(`${url}/about`);
    await page.getByRole("dialog", { name: "Your privacy" }).waitFor();
    assert.deepEqual(faults, []);
  });

  it("asks by a consent form, and shows the answer", async () => {
    await using opened = await openPage();
    const { page, faults } = opened;
    await page.goto(url);
    await page.getByRole("button", { name: "Refuse all" }).click();
    const form = page.getByRole("group", { name: "Newsletter" });
    await form.getByRole("button", { name: "I agree" }).click();
    await form.getByText("Accepted").waitFor();
    await page.reload();
    await form.getByText("Accepted").waitFor();
    await form.getByRole("button", { name: "Withdraw my consent" }).click();
    await form.getByText("Withdrawn").waitFor();
    assert.deepEqual(faults, []);
  });
});
