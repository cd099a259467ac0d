// /widget.js, as a page loads it: <script src="https://…/widget.js" data-project="…" async></script>
import type { Avow } from "./core/api.ts";
import { init } from "./avow.ts";
import { loadFeature } from "./banner/lazy.ts";
import type { Options } from "./core/options.ts";

declare global {
  interface Window {
    avow?: Avow;
  }
}

/** Where published files are, seen from this file; the service writes another address where there is one. */
const CDN = "cdn";

// A module has no current script.
const script = document.currentScript ?? document.querySelector("script[data-project]");
// An element whose name is `currentScript` is that, too; one with the id `avow` is not ready.
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
  const load = loadFeature(`${options.cdn}/widget/`);
  window.avow = init(options, { boxes: () => load("boxes"), tcf: () => load("tcf") });
}

/** An attribute that is there, as in HTML; who writes "false" does not mean it. */
function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== "false";
}
