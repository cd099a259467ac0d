// The entry of /widget.js: <script src="https://…/widget.js" data-project="…" async></script>
import type { Avow } from "./page/api.ts";
import { init } from "./avow.ts";
import { openLoader } from "./banner/lazy.ts";
import type { Options } from "./page/options.ts";

declare global {
  interface Window {
    avow?: Avow;
  }
}

/** Path of the published files, relative to this file; the service replaces it with another address if configured. */
const CDN = "cdn";

// `currentScript` is null in a module.
const script = document.currentScript ?? document.querySelector("script[data-project]");
// Elements named `currentScript` or with the id `avow` can shadow the globals.
if (script instanceof HTMLScriptElement && !window.avow?.ready) {
  const { project = "", consentMode, manual, ...wanted } = script.dataset;
  const options: Options = {
    service: new URL(".", script.src).href.slice(0, -1),
    cdn: new URL(CDN, script.src).href,
    ...wanted,
    projectId: project,
    nonce: script.nonce,
    consentMode: isOn(consentMode),
    manual: isOn(manual),
  };
  window.avow = init(options, openLoader(`${options.cdn}/widget/`));
}

/** Whether a boolean attribute is set; "false" counts as unset. */
function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== "false";
}
