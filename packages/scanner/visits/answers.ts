import type { Page } from "playwright-core";
import { within } from "./within.ts";

/** Consent tools with a documented way to answer from a script. The order is that of detection. */
type Tool =
  | "Avow"
  | "OneTrust"
  | "Cookiebot"
  | "Didomi"
  | "Usercentrics"
  | "tarteaucitron"
  | "Klaro"
  | "CookieConsent"
  | "Complianz"
  | "CookieYes"
  | "consentmanager";

const POLL_MS = 200;

/**
 * Answers for all purposes through the page's consent tool.
 * @returns the tool's name; undefined if there is none that the scanner knows
 */
export async function answerAll(
  page: Page,
  { isAccepted, timeoutMs }: { isAccepted: boolean; timeoutMs: number },
): Promise<Tool | undefined> {
  const finding = page
    .waitForFunction(findTool, undefined, { timeout: timeoutMs, polling: POLL_MS })
    .then((found) => found.jsonValue());
  const tool = await within(timeoutMs + POLL_MS, finding, null);
  if (tool === null) return undefined;
  const giving = page.evaluate(give, { tool, isAccepted }).then(
    () => true,
    // An answer may reload the page, which ends the call.
    isReload,
  );
  return (await within(timeoutMs, giving, false)) ? tool : undefined;
}

const isReload = (error: unknown): boolean =>
  error instanceof Error && /context was destroyed|navigat/i.test(error.message);

/** Runs in the page. */
function findTool(): Tool | null {
  type Bag = Record<string, unknown>;
  const page = globalThis as unknown as Bag;
  const has = (path: string): boolean => {
    let value: unknown = page;
    for (const name of path.split(".")) {
      if (value === null || (typeof value !== "object" && typeof value !== "function"))
        return false;
      value = (value as Bag)[name];
    }
    return typeof value === "function";
  };
  if (has("avow.answer") && has("avow.whenAccepted")) return "Avow";
  if (has("OneTrust.RejectAll") && has("OneTrust.AllowAll")) return "OneTrust";
  if (has("Cookiebot.submitCustomConsent")) return "Cookiebot";
  if (has("Didomi.setUserDisagreeToAll")) return "Didomi";
  if (has("UC_UI.denyAllConsents") && has("UC_UI.isInitialized")) {
    const { isInitialized } = page["UC_UI"] as { isInitialized: () => boolean };
    if (isInitialized()) return "Usercentrics";
  }
  if (has("tarteaucitron.userInterface.respondAll")) return "tarteaucitron";
  if (has("klaro.getManager")) return "Klaro";
  if (has("CookieConsent.acceptCategory") && has("CookieConsent.run")) return "CookieConsent";
  if (has("cmplz_deny_all") && has("cmplz_accept_all")) return "Complianz";
  if (has("performBannerAction")) return "CookieYes";
  if (has("__cmp") && page["cmp_id"] !== undefined) return "consentmanager";
  return null;
}

/** Runs in the page, with the functions that the tools' documentation names. */
async function give({ tool, isAccepted }: { tool: Tool; isAccepted: boolean }): Promise<void> {
  /* oxlint-disable typescript/no-explicit-any -- interfaces of other products */
  const page = globalThis as any;
  switch (tool) {
    case "Avow": {
      await page.avow.ready;
      const names = Object.keys(page.avow.vendors);
      await page.avow.answer(Object.fromEntries(names.map((name) => [name, isAccepted])));
      return;
    }
    case "OneTrust":
      return void (isAccepted ? page.OneTrust.AllowAll() : page.OneTrust.RejectAll());
    case "Cookiebot":
      return void page.Cookiebot.submitCustomConsent(isAccepted, isAccepted, isAccepted);
    case "Didomi":
      return void (isAccepted
        ? page.Didomi.setUserAgreeToAll()
        : page.Didomi.setUserDisagreeToAll());
    case "Usercentrics":
      return void (await (isAccepted
        ? page.UC_UI.acceptAllConsents()
        : page.UC_UI.denyAllConsents()));
    case "tarteaucitron":
      return void page.tarteaucitron.userInterface.respondAll(isAccepted);
    case "Klaro": {
      const manager = page.klaro.getManager();
      manager.changeAll(isAccepted);
      return void manager.saveAndApplyConsents();
    }
    case "CookieConsent":
      return void page.CookieConsent.acceptCategory(isAccepted ? "all" : []);
    case "Complianz":
      return void (isAccepted ? page.cmplz_accept_all() : page.cmplz_deny_all());
    case "CookieYes":
      return void page.performBannerAction(isAccepted ? "accept_all" : "reject");
    case "consentmanager":
      return void page.__cmp("setConsent", isAccepted ? 1 : 0);
  }
  /* oxlint-enable typescript/no-explicit-any */
}
