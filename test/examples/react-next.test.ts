import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { it } from "node:test";
import type { Page } from "playwright-core";
import { findViolations } from "../browser/widget/axe.ts";
import { openPage, skip, waitUntilTrue } from "../browser/widget/browser.ts";
import { newLiveSite } from "../browser/widget/site.ts";
import { runAvow } from "../command.ts";
import { service } from "../harness.ts";
import { installExample } from "./example.ts";

const example = join(import.meta.dirname, "../../examples/react-next");
const NEXT = "node_modules/next/dist/bin/next";
const personal = "Because you liked the soup bowl";

async function signIn(page: Page): Promise<void> {
  await page.getByLabel("Customer number").fill("customer-42");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Sign out" }).waitFor();
}

it(
  "the example in Next.js asks, runs tags by consent, and is rendered by it",
  { skip },
  async () => {
    const { cookies, processings } = JSON.parse(
      await readFile(join(example, "configuration.json"), "utf8"),
    );
    const { projectId } = await newLiveSite({ cookies: [cookies], processings: [processings] });
    const env = { AVOW_PROJECT: projectId, AVOW_URL: service.url };
    await using copy = await installExample("react-next");

    // The names that the example commits are those that `avow types` writes.
    const { out } = await runAvow(["types", "--project", projectId, "--url", service.url]);
    const withoutHeader = (text: string) => text.slice(text.indexOf("\n"));
    const committed = await readFile(join(example, "avow.d.ts"), "utf8");
    assert.equal(withoutHeader(out), withoutHeader(committed));

    // The build checks the types, too.
    await copy.run("build", env);
    const { url } = await copy.start([NEXT, "start", "-H", "127.0.0.1"], env);

    const html = await (await fetch(url)).text();
    assert.match(html, /<dialog[^>]* open/);
    assert.match(html, /Refuse all/);
    assert.match(html, /Our best sellers/);
    assert.doesNotMatch(html, /src="\/tag\.js"|src="\/film\.html"/);

    await using opened = await openPage();
    const { page, faults, requests } = opened;
    const listRuns = (path: string) => requests.filter((one) => one.endsWith(path));
    await page.goto(url);
    const dialog = page.getByRole("dialog");
    await waitForHydration(page);
    assert.deepEqual(await findViolations(page), []);
    await dialog.getByRole("button", { name: "Refuse all" }).click();
    await dialog.waitFor({ state: "detached" });
    assert.deepEqual([...listRuns("/tag.js"), ...listRuns("/film.html")], []);

    await signIn(page);
    await waitForHydration(page);
    await page.getByRole("button", { name: "Privacy choices" }).click();
    await dialog.getByRole("switch", { name: "Analytics" }).click();
    await dialog.getByRole("switch", { name: "Recommendations" }).click();
    const saved = page.waitForResponse(/\/v1\/app\/consents\//);
    await dialog.getByRole("button", { name: "Save" }).click();
    const [record] = await (await saved).json();
    assert.equal(record.grade, "ticketed");
    await waitUntilTrue(page, "analyticsRuns === 1");
    await page.getByText(personal).waitFor();
    assert.equal(listRuns("/tag.js").length, 1);

    const response = await page.reload();
    const rendered = await response?.text();
    assert.match(rendered ?? "", new RegExp(personal));
    assert.match(rendered ?? "", /Chosen for you this week/);
    assert.doesNotMatch(rendered ?? "", /<dialog/);
    await waitUntilTrue(page, "window.analyticsRuns === 1");

    await using other = await openPage();
    await other.page.goto(url);
    await signIn(other.page);
    await other.page.getByText(personal).waitFor();
    assert.equal(await other.page.getByRole("dialog").count(), 0);
    await waitUntilTrue(other.page, "window.analyticsRuns === 1");

    // The provider lives on and applies the missing token, since the page is not loaded again.
    await using leaving = await openPage();
    await leaving.page.goto(url);
    await waitForHydration(leaving.page);
    await signIn(leaving.page);
    await leaving.page.evaluate("window.isKept = true");
    await leaving.page.getByRole("button", { name: "Sign out" }).click();
    await leaving.page.getByLabel("Customer number").waitFor();
    assert.equal(await leaving.page.evaluate("window.isKept"), true);

    await waitForHydration(page);
    await page.getByRole("button", { name: "Privacy choices" }).click();
    await dialog.getByRole("button", { name: "Refuse all" }).click();
    // The page reloads, because a running tag cannot be stopped.
    await waitUntilTrue(page, "window.analyticsRuns === undefined");
    await page.getByText("Our best sellers").waitFor();
    assert.equal(await page.getByText(personal).count(), 0);
    assert.deepEqual([...faults, ...other.faults], []);
  },
);

/** Waits until React handles clicks. */
async function waitForHydration(page: Page): Promise<void> {
  await waitUntilTrue(
    page,
    `Object.keys(document.querySelector("footer button") ?? {}).some((key) => key.startsWith("__reactFiber"))`,
  );
}
