// The entry of /widget.js: <script src="https://…/widget.js" data-project="…" async></script>
import type { Avow } from "./page/api.ts";
import { init } from "./avow.ts";
import { openLoader } from "./banner/lazy.ts";
import type { LocatedOptions } from "./page/options.ts";

declare global {
  interface Window {
    avow?: Avow;
  }
}

type Query = Partial<Record<string, string>>;

/** Path of the published files, relative to this file; the service replaces it with another address if configured. */
const CDN = "cdn";

// `currentScript` is null in a module.
const script = document.currentScript ?? document.querySelector("script[data-project]");
// Elements named `currentScript` or with the id `avow` can shadow the globals.
if (script instanceof HTMLScriptElement && !window.avow?.ready) {
  const address = new URL(script.src);
  // Tag managers cannot set attributes.
  const query = Object.fromEntries(address.searchParams);
  // All members of a DOMStringMap are own properties.
  // oxlint-disable-next-line typescript/no-misused-spread
  const { project = "", consentMode, manual, ...wanted }: Query = { ...query, ...script.dataset };
  const options: LocatedOptions = {
    service: new URL(".", address).href.slice(0, -1),
    cdn: new URL(CDN, address).href,
    ...wanted,
    projectId: project,
    nonce: script.nonce,
    // Any value but "site" is the same as none.
    consentMode: isOn(consentMode) && ((consentMode as "site") || true),
    manual: isOn(manual),
  };
  window.avow = init(options, openLoader(`${options.cdn}/widget/`));
}

/** Whether a boolean attribute is set; "false" counts as unset. */
function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== "false";
}
