import { toTrustedScript, toTrustedUrl } from "./trusted.ts";

/**
 * What waits for a consent: `<script type="text/plain" data-avow-vendor="…">` and anything with
 * `data-avow-vendor` and `data-src`, such as an iframe or an image. Several vendors are separated by
 * spaces: all of them have to be accepted.
 */
const waiting = 'script[type="text/plain"][data-avow-vendor],[data-avow-vendor][data-src]';

/** Lets run what these vendors were accepted for; answers the vendors whose tags run now. */
export function runTags(isAccepted: (vendor: string) => boolean): string[] {
  return [...document.querySelectorAll<HTMLElement>(waiting)].flatMap((tag) => {
    const vendors = vendorsOf(tag);
    if (!vendors.length || !vendors.every(isAccepted)) return [];
    if (tag instanceof HTMLScriptElement) runScript(tag);
    else {
      tag.setAttribute("src", tag.dataset["src"] ?? "");
      tag.removeAttribute("data-src");
    }
    return vendors;
  });
}

function vendorsOf(tag: HTMLElement): string[] {
  return (tag.dataset["avowVendor"] ?? "").split(/\s+/).filter(Boolean);
}

/**
 * A script that the parser has seen as text never runs: it is replaced by a copy. The page wrote it:
 * with its nonce or its address it is as allowed as it would have been without us.
 */
function runScript(tag: HTMLScriptElement): void {
  const script = document.createElement("script");
  for (const { name, value } of tag.attributes)
    if (!/^(type|src|data-src|data-type)$/.test(name)) script.setAttribute(name, value);
  script.type = tag.dataset["type"] ?? "";
  // Inserted scripts do not wait for each other unless they are told to.
  script.async = tag.hasAttribute("async");
  script.nonce = tag.nonce;
  const src = tag.getAttribute("src") ?? tag.dataset["src"];
  if (src) script.src = toTrustedUrl(src);
  else script.text = toTrustedScript(tag.text);
  tag.replaceWith(script);
}
