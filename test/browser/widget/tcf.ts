import { TCString } from "@iabtechlabtcf/core";
import type { Page } from "playwright-core";
import { service } from "../../harness.ts";
import { smallVendorList, writeVendorList } from "../../vendor-list.ts";
import { newLiveSite } from "./site.ts";

/** The strictest possible policy for a page. */
export const policy = `default-src 'none'; script-src ${service.url} 'nonce-early'; connect-src ${service.url}; require-trusted-types-for 'script'; trusted-types avow`;
export const CMP_ID = 31;

/** An event or answer of `__tcfapi`. */
export type Event = Record<string, unknown> & { eventStatus: string; tcString: string };

/** Listens from the start, as tags with IAB's stub do: calls are queued until the API exists. */
export const listening = `<script nonce="early">
  window.events = [];
  const queue = [];
  window.__tcfapi = (...call) => (call.length ? void queue.push(call) : queue);
  __tcfapi("addEventListener", 2, (data, isGood) => isGood && events.push(structuredClone(data)));
</script>`;

const cookies = {
  name: "tcf-en",
  language: "en",
  isDefault: true,
  steps: [{ name: "partners", layout: "iab", title: "Partners", message: "<p>May they?</p>" }],
};

/** Published files are cached for a minute: disables the cache for a page that must see the next version. */
export async function keepNoFiles(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
}

/** A site whose only step has the layout iab, with these vendors of a list. */
export async function newTcfSite(
  vendors: readonly number[],
  list: object = smallVendorList,
  more: object = {},
) {
  await writeVendorList(list);
  const tcf = { cmpId: CMP_ID, cmpVersion: 3, publisherCC: "FR", vendors, ...more };
  return newLiveSite({ cookies: [cookies], tcf });
}

export const dialogOf = (page: Page) => page.getByRole("dialog");
/** Toggles a switch by name. */
export const flip = (page: Page, name: string | RegExp) =>
  dialogOf(page)
    .getByRole("switch", { name, exact: typeof name === "string" })
    .click();

/** Clicks a button of the banner, and returns the record that the service answers. */
export async function answerBy(page: Page, button: string) {
  const saved = page.waitForResponse(/\/v1\/app\/consents\//);
  await dialogOf(page).getByRole("button", { name: button }).click();
  const [consent] = await (await saved).json();
  return consent;
}

/** The events for a listener that was added at the start. */
export function eventsOf(page: Page): Promise<Event[]> {
  return page.evaluate("window.events");
}

/** The answer of `__tcfapi` to a command. */
export function ask(page: Page, command: string): Promise<Event> {
  return page.evaluate(
    `new Promise((resolve) => window.__tcfapi(${JSON.stringify(command)}, 2, resolve))`,
  );
}

/** The contents of a TC string, as sorted lists of ids. */
export function read(tcString: string) {
  const model = TCString.decode(tcString);
  const of = (vector: { values(): Iterable<number> }) =>
    [...vector.values()].toSorted((a, b) => a - b);
  return {
    purposes: of(model.purposeConsents),
    interests: of(model.purposeLegitimateInterests),
    specialFeatures: of(model.specialFeatureOptins),
    vendors: of(model.vendorConsents),
    vendorInterests: of(model.vendorLegitimateInterests),
    disclosed: of(model.vendorsDisclosed),
  };
}
