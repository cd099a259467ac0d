import type { Step } from "@avow/contract/configuration";
import type { Page } from "playwright-core";
import type { Act } from "./scene.ts";

const title = (page: Page) => page.getByLabel("Title", { exact: true }).first();
const dialog = (page: Page, name: string) => page.getByRole("dialog", { name }).waitFor();

/** Opens the command palette and searches in it. */
export const searchEverywhere: Act = async (page) => {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("pub");
  await page.getByRole("status").filter({ hasText: "result" }).waitFor();
};

export const openPalette: Act = async (page) => {
  await page.keyboard.press("Control+k");
  await page.getByRole("option").first().waitFor();
};

/** Opens the search for another project. */
export const switchProject: Act = async (page) => {
  await page.locator(".switcher").evaluate((button: { click: () => void }) => button.click());
  await page.getByRole("option").first().waitFor();
};

/** Checks the proof of a person's newest answer. */
export const checkProof: Act = async (page) => {
  await page.locator(".records summary").first().click();
  await page.getByRole("button", { name: "Verify here" }).first().click();
  await page.locator(".report").waitFor();
};

export const openDetails: Act = async (page) => {
  for (const summary of await page.locator("summary").all()) await summary.click();
};

/** Saves the document as another user while it is being edited. */
export const meetConflict: Act = async (page, { client, journal }) => {
  const at = `/v1/vault/cookies/${journal.bannerId}`;
  const { steps } = await client.send<{ steps: Step[] }>(at);
  const [first, ...rest] = steps;
  const changed = { ...first, title: `Before you read on (${Date.now() % 1_000})` };
  await client.send(at, { method: "PATCH", json: { steps: [changed, ...rest] } });
  await title(page).fill("Before the next firing");
  await dialog(page, "Somebody else has changed this too");
};

export const loseSession: Act = async (page) => {
  await page.context().clearCookies();
  await title(page).fill("Typed before the session ended");
  await dialog(page, "Your session has ended");
};

export const loseNetwork: Act = async (page) => {
  await page.route("**/v1/vault/**", (route) => route.abort());
  await title(page).fill("Written on a train");
  await page.getByText(/nothing is lost/).waitFor();
};

export const makeKey: Act = async (page) => {
  await page.getByRole("button", { name: "New API key" }).click();
  await page.getByLabel("Purpose").fill("Newsletter sync");
  await page.getByLabel("consents:read").check();
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByRole("button", { name: "I have copied it" }).waitFor();
};

/** Selects rows of a table and opens its menu. */
export const selectRows: Act = async (page) => {
  const boxes = page.locator("tbody .pick input");
  await boxes.nth(0).check();
  await boxes.nth(1).click({ modifiers: ["Shift"] });
  await page.locator(".menu > summary").click();
  await page.getByRole("group", { name: "Columns" }).waitFor();
};

/** Reloads the editor with changes that the service has not received. */
export const returnUnsaved: Act = async (page) => {
  await page.route("**/v1/vault/cookies/**", (route) => route.abort());
  await title(page).fill("Written before the reload");
  await page.getByText(/nothing is lost/).waitFor();
  await page.unrouteAll();
  await page.reload();
  await page.getByRole("button", { name: "Restore" }).waitFor();
};

export const openPartners: Act = async (page) => {
  await page.locator(".step-open").nth(1).click();
  await page.getByRole("button", { name: "Choose partners" }).waitFor();
};

export const choosePartners: Act = async (page, site) => {
  await openPartners(page, site);
  await page.getByRole("button", { name: "Choose partners" }).click();
  await page.getByRole("dialog").getByRole("checkbox").first().waitFor();
};

export const pickFile: Act = async (page) => {
  await page
    .getByRole("button", { name: /^Choose a (picture|file)$/ })
    .first()
    .click();
  await page.getByRole("dialog").locator(".thumb img").last().waitFor();
  await page.evaluate(
    "Promise.all([...document.querySelectorAll('.thumb img')].map((one) => one.decode()))",
  );
};

/** Fills in a form without its required fields. */
export const leaveOut: Act = async (page) => {
  await page.getByRole("button", { name: "New webhook" }).click();
  await page.getByRole("dialog").locator("button.primary").click();
  await page.locator(".fault").first().waitFor();
};

export const breakExport: Act = async (page) => {
  await page.route("**/v1/app/exports/**", (route) => route.abort());
  await page.getByRole("button", { name: "Export", exact: true }).click();
  await page.getByRole("alert").waitFor();
};

export const showRefused: Act = async (page) => {
  await page.locator(".counts button").first().click();
  await page.getByRole("dialog").locator("td").first().waitFor();
};

/** Answers on the person's own page. */
export const withdraw: Act = async (page) => {
  await page
    .getByRole("button", { name: /^(Accept|Withdraw): / })
    .first()
    .click();
  await page.waitForLoadState("load");
};

const oldConfiguration = {
  app: {
    name: "Pottery shop",
    privacyPolicyURL: "https://shop.example/privacy",
    vendors: {
      iab: { enabled: true },
      custom: [
        { id: "matomo", name: "Matomo", purposeIds: ["analytics"] },
        { id: "ads", name: "Ads Inc.", purposeIds: ["advertising_personalization", "cookies"] },
      ],
    },
  },
  notice: {
    position: "popup",
    closeOnScroll: true,
    content: {
      notice: { en: "We use cookies.", fr: "Nous utilisons des cookies." },
      dismiss: { en: "Agree", fr: "Accepter" },
    },
  },
  languages: { default: "en", enabled: ["en", "fr"] },
};

/** Answers the reading of a website with this configuration. */
export const readOldSite: Act = async (page) => {
  const script = `window.didomiConfig = ${JSON.stringify(oldConfiguration)}`;
  const text = `<!doctype html><html lang="en"><script>${script}</script>`;
  const json = { files: [{ name: "https://shop.example/", text }], failed: [] };
  await page.route("**/v1/move-in/files", (route) => route.fulfill({ json }));
  await page.getByLabel("Address of the website, or of the file").fill("shop.example");
  await page.getByRole("button", { name: "Read the website" }).click();
  await page.getByRole("heading", { name: "From Didomi" }).waitFor();
};

export const failToReadOldSite: Act = async (page) => {
  const detail =
    "https://shop.example/ cannot be fetched. The server answered 403. It may reject programs. Save the page or the file in your browser, and pass it as a file.";
  await page.route("**/v1/move-in/files", (route) =>
    route.fulfill({ status: 422, json: { type: "/problems/impossible", detail } }),
  );
  await page.getByLabel("Address of the website, or of the file").fill("shop.example");
  await page.getByRole("button", { name: "Read the website" }).click();
  await page.getByRole("alert").waitFor();
};

/** Shows the created project without creating one, which later screens would list. */
export const moveIn: Act = async (page, site) => {
  await readOldSite(page, site);
  const json = { id: "0123456789abcdef01234567" };
  await page.route(/\/v1\/vault\/(?:projects|cookies)$/, (route) =>
    route.fulfill({ status: 201, json }),
  );
  await page.getByLabel("Address of the website", { exact: true }).fill("https://shop.example/");
  await page.getByRole("button", { name: "Create the project" }).click();
  await page.getByRole("heading", { name: /is created$/ }).waitFor();
};
