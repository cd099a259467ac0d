import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import type { Locator, Page } from "playwright-core";
import type { AdminSite } from "../../../packages/lab/screenshots/admin/site.ts";
import { skip } from "../widget/browser.ts";
import { site } from "./full-site.ts";
import { openAdmin, settle, signIn } from "./visits.ts";

interface FormCase {
  place: (site: AdminSite) => string;
  /** The button that opens its dialog. */
  opener?: string;
  /** The text of its button. */
  submit: string;
  /** Values of required fields, by label. */
  values?: Readonly<Record<string, string>>;
  boxes?: readonly string[];
  /** The fields, by the pointer of the error. */
  fields: Readonly<Record<string, string>>;
}

const inProject =
  (screen: string) =>
  ({ projectId }: AdminSite): string =>
    `/projects/${projectId}${screen}`;

/** The forms of the app that send fields of the interface. */
const forms: Readonly<Record<string, FormCase>> = {
  "new project": {
    place: () => "/projects/new",
    submit: "Create project",
    values: { "Address of the website": "https://shop.example" },
    fields: { websiteURL: "Address of the website", title: "Title" },
  },
  "new organization": {
    place: () => "/organizations",
    opener: "New organization",
    submit: "Create",
    values: { Name: "Acme" },
    fields: { name: "Name" },
  },
  invitation: {
    place: inProject("/team"),
    opener: "Invite somebody",
    submit: "Send the invitation",
    values: { "E-mail address": "ada@example.org" },
    fields: { email: "E-mail address", role: "Role" },
  },
  "new webhook": {
    place: inProject("/webhooks"),
    opener: "New webhook",
    submit: "Create webhook",
    values: { URL: "https://hooks.example/a" },
    fields: { url: "URL", headers: "Custom headers" },
  },
  "webhook settings": {
    place: ({ projectId, webhookId }) => `/projects/${projectId}/webhooks/${webhookId}`,
    opener: "Edit",
    submit: "Save",
    fields: { url: "URL", headers: "Custom headers" },
  },
  "new API key": {
    place: () => "/account",
    opener: "New API key",
    submit: "Create key",
    values: { Purpose: "Newsletter" },
    boxes: ["consents:read"],
    fields: { label: "Purpose" },
  },
};

const message = "is refused by the test";

/** Answers all writes with an error of one field. */
async function refuseWrites(page: Page, pointer: string): Promise<void> {
  await page.route(/\/v1\//, async (route) => {
    if (route.request().method() === "GET") return route.continue();
    await route.fulfill({
      status: 422,
      contentType: "application/problem+json",
      body: JSON.stringify({
        type: "https://avow.example/problems/invalid",
        title: "Invalid",
        status: 422,
        kind: "invalid",
        detail: "The request contains an error.",
        errors: [{ path: `/${pointer}`, message }],
      }),
    });
  });
}

/** Lists with their state for a project or user without content, and the action that they name. */
const lists: readonly [
  name: string,
  place: (site: AdminSite) => string,
  text: RegExp,
  action: ((main: Locator) => Locator) | undefined,
][] = [
  [
    "banners",
    ({ emptyId }) => `/projects/${emptyId}/cookies`,
    /banner/,
    (main) => main.locator(".empty").getByRole("link"),
  ],
  [
    "answers",
    ({ emptyId }) => `/projects/${emptyId}/consents`,
    /appear here once/,
    (main) => main.locator(".empty").getByRole("link"),
  ],
  [
    "people",
    ({ emptyId }) => `/projects/${emptyId}/consents?view=people`,
    /appear here once/,
    (main) => main.locator(".empty").getByRole("link"),
  ],
  [
    "answers by a filter",
    ({ projectId }) => `/projects/${projectId}/consents?token=nobody`,
    /fewer filters/,
    (main) => main.getByRole("button", { name: "Clear the filters" }),
  ],
  [
    "audit entries by a filter",
    ({ projectId }) => `/projects/${projectId}/audit?event=nothing.happened`,
    /matches your search/,
    (main) => main.getByRole("button", { name: "Clear the filters" }),
  ],
  [
    "webhooks",
    ({ emptyId }) => `/projects/${emptyId}/webhooks`,
    /sends each event/,
    (main) => main.getByRole("button", { name: "New webhook" }),
  ],
  [
    "scans",
    ({ emptyId }) => `/projects/${emptyId}/scans`,
    /lists its cookies/,
    (main) => main.getByRole("button", { name: /scan/i }),
  ],
  [
    "imports",
    ({ emptyId }) => `/projects/${emptyId}/transfers`,
    /Choose a file above/,
    (main) => main.getByRole("button", { name: "Start" }),
  ],
  [
    "publications",
    ({ emptyId }) => `/projects/${emptyId}/publish`,
    /./,
    (main) => main.locator(".empty").getByRole("link"),
  ],
  ["statistics", ({ emptyId }) => `/projects/${emptyId}/statistics`, /appear/, undefined],
];

describe("the admin app", { skip }, async () => {
  const signed = await openAdmin("/signin");
  after(() => signed[Symbol.asyncDispose]());
  const { page } = signed;
  await signIn(page, site.accounts.owner.email, site.accounts.owner.password);
  await page.getByRole("heading", { level: 1, name: "Projects" }).waitFor();

  for (const [name, { place, opener, submit, values = {}, boxes = [], fields }] of Object.entries(
    forms,
  ))
    for (const [pointer, label] of Object.entries(fields))
      it(`shows a rejected ${pointer} of the form “${name}” beside its field, and moves the focus there`, async () => {
        await page.unrouteAll();
        await signed.open(place(site));
        await settle(signed);
        if (opener !== undefined)
          await page.getByRole("main").getByRole("button", { name: opener }).first().click();
        const scope = opener === undefined ? page.getByRole("main") : page.getByRole("dialog");
        for (const [one, value] of Object.entries(values))
          await scope.getByLabel(one, { exact: true }).first().fill(value);
        for (const one of boxes) await scope.getByLabel(one).check();
        await refuseWrites(page, pointer);
        await scope.getByRole("button", { name: submit }).first().click();
        const field = scope.getByLabel(label, { exact: true }).first();
        await scope.getByText(message).waitFor();
        assert.equal(await field.getAttribute("aria-invalid"), "true");
        const described = (await field.getAttribute("aria-describedby")) ?? "";
        const ids = described.split(" ").map((id) => `[id="${id}"]`);
        const notes = await scope.locator(ids.join(",")).allInnerTexts();
        assert.ok(notes.includes(message), described);
        assert.ok(
          await field.evaluate((one: { matches: (selector: string) => boolean }) =>
            one.matches(":focus"),
          ),
        );
        await page.unrouteAll();
      });

  for (const [name, place, text, action] of lists)
    it(`explains the empty list of ${name}, with the next step`, async () => {
      await page.unrouteAll();
      await signed.open(place(site));
      await settle(signed);
      const main = page.getByRole("main");
      await main.getByText(text).first().waitFor();
      if (action) await action(main).first().waitFor();
    });
});
