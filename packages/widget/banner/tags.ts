import { toTrustedScript, toTrustedUrl } from "../core/trusted.ts";

/**
 * Lets run what waits for a consent, and notes in `ran` for whom: `<script type="text/plain" data-avow-vendor="…">` and anything with
 * `data-avow-vendor` and `data-src`, such as an iframe or an image. Several vendors are separated by
 * spaces: all of them have to be accepted. As on the page, a script without an address waits for those before it that have one and are not told otherwise.
 * With a nonce only scripts that have it run: else one that somebody got into the page could use the
 * trust that a policy with `strict-dynamic` gives to what we insert.
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
    if (!isWaiting || !vendors?.every(isAccepted)) continue;
    if (!isScript) {
      tag.setAttribute("src", src ?? "");
      tag.removeAttribute("data-src");
    } else if (nonce && tag.nonce !== nonce) continue;
    else
      try {
        runScript(tag, before);
      } catch (error) {
        // A policy of the page's keeps this one back, not those after it.
        reportError(error);
      }
    for (const vendor of vendors) ran.add(vendor);
  }
}

/**
 * A script that the parser has seen as text never runs: it is replaced by a copy, which has its nonce and
 * its address, and is allowed by them as it would have been without us.
 */
function runScript(tag: HTMLScriptElement, before: Promise<unknown>[]): void {
  const script = tag.cloneNode() as HTMLScriptElement;
  const { src, type = "" } = tag.dataset;
  delete script.dataset["src"];
  script.type = type;
  // Inserted scripts do not wait for each other unless they are told to.
  script.async = tag.hasAttribute("async");
  if (src) script.src = toTrustedUrl(src);
  tag.replaceWith(script);
  // It runs as soon as there is a text in it.
  if (!script.src) void Promise.all(before).then(() => (script.text = toTrustedScript(tag.text)));
  else if (!script.async && !script.defer && type !== "module")
    before.push(
      new Promise((resolve) => {
        for (const name of ["load", "error"]) script.addEventListener(name, resolve);
      }),
    );
}
