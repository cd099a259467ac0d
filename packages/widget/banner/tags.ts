import { toTrustedScript, toTrustedUrl } from "../page/trusted.ts";

/**
 * Runs the tags of accepted vendors, and adds vendors whose tags run to `ran`. Tags are `<script type="text/plain"
 * data-avow-vendor="…">` and elements with `data-avow-vendor` and `data-src`, such as an iframe or an image. Several vendors
 * are separated by spaces: all of them must be accepted. As in a page, an inline script waits for the blocking external
 * scripts before it. With a nonce only scripts that have it run: otherwise an injected script could use the trust that a
 * policy with `strict-dynamic` gives to the scripts we insert.
 */
export function runTags(
  isAccepted: (vendor: string) => boolean,
  ran: Set<string>,
  nonce?: string,
): void {
  const before: Promise<unknown>[] = [];
  for (const tag of document.querySelectorAll<HTMLElement>("[data-avow-vendor]")) {
    const { avowVendor = "", src } = tag.dataset;
    const isScript = tag instanceof HTMLScriptElement;
    const isWaiting = src !== undefined || (isScript && tag.type === "text/plain");
    const vendors = avowVendor.match(/\S+/g);
    // A tag that does not wait runs already: the page, or automatic blocking, has let it.
    if (!vendors || !(isWaiting ? vendors.every(isAccepted) : "src" in tag)) continue;
    for (const vendor of vendors) ran.add(vendor);
    if (!isWaiting) continue;
    if (!isScript) {
      tag.setAttribute("src", src ?? "");
      tag.removeAttribute("data-src");
    } else if (!nonce || tag.nonce === nonce)
      try {
        runScript(tag, before);
      } catch (error) {
        // A policy of the page may block this tag, but not the next ones.
        reportError(error);
      }
  }
}

/**
 * Replaces a script with a copy, because the parser never runs one of type text/plain. The copy has the same nonce and
 * address, so a policy allows it as it would the original.
 */
function runScript(tag: HTMLScriptElement, before: Promise<unknown>[]): void {
  const script = tag.cloneNode() as HTMLScriptElement;
  const { src, type = "" } = tag.dataset;
  delete script.dataset["src"];
  script.type = type;
  // Inserted scripts are async by default.
  script.async = tag.hasAttribute("async");
  if (src) script.src = toTrustedUrl(src);
  tag.replaceWith(script);
  // An inline script runs as soon as it has a text.
  if (!script.src) void Promise.all(before).then(() => (script.text = toTrustedScript(tag.text)));
  else if (!script.async && !script.defer && type !== "module")
    before.push(
      new Promise((resolve) => {
        for (const name of ["load", "error"]) script.addEventListener(name, resolve);
      }),
    );
}
