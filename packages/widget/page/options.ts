import type { Names, Selector } from "../core/selector.ts";

/** Options of the widget. */
export interface Options extends Selector, Partial<Names> {
  projectId: string;
  /** Base address of the service, such as `https://consent.example`. */
  service: string;
  /** Base address of published files; `/cdn` of the service by default. */
  cdn?: string | undefined;
  /** `production`, or `staging`. */
  environment?: string | undefined;
  /** The visitor's token, if the site knows them. */
  token?: string | undefined;
  /**
   * Whether the default "denied" is set for Google's and Microsoft's tags immediately, before the published file has
   * loaded; `site` if the site sets that of Google's tags itself, such as by its tag manager.
   */
  consentMode?: boolean | "site";
  /** The nonce of the page's policy, if any. Then only scripts with this nonce run for a vendor. */
  nonce?: string;
  /**
   * The visitor's region, such as `FR` or `US-CA`, or a function that finds it; by default the service finds it, if the
   * configuration has rules by region.
   */
  region?: string | (() => string | undefined | Promise<string | undefined>) | undefined;
  /** Whether the banner waits for `open()`. */
  manual?: boolean;
}
