import type { BrowserContextOptions, Locator } from "playwright-core";
import { type OpenPage, openPage, waitUntilTrue } from "../widget/browser.ts";
import { type ReactShop, type ReactShopOptions, openReactShop } from "./react-shop.ts";

/** A visitor on a page of a shop in React. */
export interface ReactVisit extends OpenPage {
  shop: ReactShop;
  dialog: Locator;
  /** The button that reopens the choices. */
  launcher: Locator;
  /** Waits until React has hydrated the page, so that its buttons work. */
  hydrate: () => Promise<void>;
}

/** Opens the page and waits until its buttons work. */
export async function openReactVisit(
  options: ReactShopOptions,
  contextOptions: BrowserContextOptions = {},
): Promise<ReactVisit> {
  await using resources = new AsyncDisposableStack();
  const shop = resources.use(await openReactShop(options));
  const opened = resources.use(await openPage(contextOptions));
  const { page } = opened;
  const hydrate = () =>
    waitUntilTrue(
      page,
      `Object.keys(document.querySelector("main button") ?? {}).some((key) => key.startsWith("__reactFiber"))`,
    );
  await page.goto(shop.url);
  await hydrate();
  const kept = resources.move();
  return {
    ...opened,
    shop,
    dialog: page.getByRole("dialog"),
    launcher: page.getByRole("button", { name: "Cookie settings" }),
    hydrate,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
