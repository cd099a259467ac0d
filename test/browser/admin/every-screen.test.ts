import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, describe, it } from "node:test";
import type { AdminSite } from "../../../packages/lab/screenshots/admin/site.ts";
import { findViolations } from "../widget/axe.ts";
import { skip, waitUntilTrue } from "../widget/browser.ts";
import { site } from "./full-site.ts";
import { walk, walkDialog } from "./keyboard.ts";
import { paths } from "./paths.ts";
import { findScenes, patterns } from "./screen-table.ts";
import { type AdminVisit, listFaults, openAdmin, settle, signIn } from "./visits.ts";

const dark = { colorScheme: "dark", reducedMotion: "reduce" } as const;
const phone = { width: 390, height: 844 };
const desktop = { width: 1280, height: 800 };

/** The screen that opens each dialog, and its button. */
const dialogs: readonly [place: (site: AdminSite) => string, button: string][] = [
  [({ projectId }) => `/projects/${projectId}/cookies`, "Delete"],
  [({ projectId }) => `/projects/${projectId}/publish`, "Publish later…"],
  [({ projectId }) => `/projects/${projectId}/publish`, "Changes 1"],
  [({ projectId }) => `/projects/${projectId}/publish`, "Unpublish"],
  [({ projectId }) => `/projects/${projectId}/settings`, "Delete"],
  [({ projectId }) => `/projects/${projectId}/webhooks`, "New webhook"],
  [({ projectId, webhookId }) => `/projects/${projectId}/webhooks/${webhookId}`, "Edit"],
  [({ projectId, webhookId }) => `/projects/${projectId}/webhooks/${webhookId}`, "New secret"],
  [({ projectId }) => `/projects/${projectId}/team`, "Invite somebody"],
  [({ projectId }) => `/projects/${projectId}/team`, "Remove Noé Lambert"],
  [
    ({ projectId, personToken }) => `/projects/${projectId}/consents/${personToken}`,
    "Erase this person",
  ],
  [
    ({ projectId, configurations }) =>
      `/projects/${projectId}/processings/${configurations.processings}`,
    "Choose a file",
  ],
  [() => "/organizations", "New organization"],
  [() => "/account", "New API key"],
  [({ assetId }) => `/assets/${assetId}`, "Delete"],
];

/** The texts of buttons that overflow, in the page. */
const clipped = `[...document.querySelectorAll("button, .button")]
  .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.textContent)`;

async function checkScreen(visit: AdminVisit, pattern: string): Promise<void> {
  const { page } = visit;
  await settle(visit);
  assert.deepEqual(await findViolations(page), []);
  const width = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
  assert.equal(await page.evaluate(width), 0, "it scrolls sideways");
  assert.deepEqual(await page.evaluate(clipped), [], "text overflows its button");
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize(desktop);
  assert.deepEqual(await findViolations(page), []);
  assert.deepEqual(await page.evaluate(clipped), [], "text overflows its button");
  assert.ok((await walk(page, pattern)) > 1);
  assert.deepEqual(listFaults(visit), []);
}

describe("every screen of the admin app", () => {
  it("has a test for its main path", () => {
    assert.deepEqual(Object.keys(paths).toSorted(), patterns.toSorted());
    for (const [pattern, [file, name]] of Object.entries(paths)) {
      const source = readFileSync(new URL(`${file}.test.ts`, import.meta.url), "utf8");
      assert.ok(source.includes(`it("${name}"`), `${pattern}: ${file} has no test “${name}”`);
    }
  });

  it("has a row in the table of screens", () => {
    const page = readFileSync(
      new URL("../../../docs/reference/admin-app.md", import.meta.url),
      "utf8",
    );
    const rows = [...page.matchAll(/^\| `(\/[^`]*)`/gm)].map(([, pattern = ""]) => pattern);
    assert.deepEqual(rows.toSorted(), patterns.toSorted());
  });

  describe("in a browser", { skip }, async () => {
    const { owner } = site.accounts;
    const signed = await openAdmin("/signin");
    after(() => signed[Symbol.asyncDispose]());
    await signIn(signed.page, owner.email, owner.password);
    await signed.page.getByRole("heading", { level: 1, name: "Projects" }).waitFor();

    for (const pattern of patterns)
      it(`${pattern} has a screenshot, no axe-core violations, no overflow on a phone, and full keyboard access`, async () => {
        const [scene] = findScenes(pattern, site);
        assert.ok(scene, "no scene of npm run screenshots has this screen");
        if (scene.who === "nobody") {
          await using visit = await openAdmin(scene.at(site), { ...dark, viewport: phone });
          await checkScreen(visit, pattern);
        } else {
          signed.faults.length = 0;
          await signed.page.emulateMedia(dark);
          await signed.page.setViewportSize(phone);
          await signed.go(scene.at(site));
          await checkScreen(signed, pattern);
        }
      });

    it("traps the focus in a dialog, and returns it to the button that opened it", async () => {
      const { page } = signed;
      for (const [place, name] of dialogs) {
        await signed.go(place(site));
        await settle(signed);
        const opener = page.getByRole("main").getByRole("button", { name, exact: true }).first();
        await opener.focus();
        await page.evaluate("window.opened = document.activeElement");
        await page.keyboard.press("Enter");
        const dialog = page.getByRole("dialog");
        await dialog.waitFor();
        assert.ok(
          await page.evaluate(
            "document.activeElement.matches('dialog :is(h2, input, select, textarea)')",
          ),
          `${name}: the focus starts in the first field, or on the title`,
        );
        await walkDialog(page, name);
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "detached" });
        await waitUntilTrue(page, "window.opened === document.activeElement");
      }
    });
  });
});
