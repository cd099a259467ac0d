import { type Child, element, openHost, toSheet } from "../banner/dom.ts";
import type { PageContext } from "../banner/features.ts";
import ground from "../banner/ground.css";
import { toLink } from "../banner/html.ts";
import { listVendors } from "../core/site.ts";
import { applyTheme } from "../page/theme.ts";
import type { Say } from "../core/words.ts";
import { takePlace } from "./layout.ts";
import css from "./style.css";

export interface Placeholder {
  host: HTMLElement;
  /** Removes the placeholder, and shows the frame. */
  close: () => void;
}

interface PlaceholderOptions {
  frame: HTMLIFrameElement;
  /** The vendors that the frame waits for. */
  names: readonly string[];
  say: Say;
  onLoad: () => void;
  /** Missing if the visitor is not asked for a vendor. */
  onAllow: (() => void) | false;
}

let sheet: CSSStyleSheet | undefined;

/** Shows a placeholder in the place of a frame. */
export function openPlaceholder(
  { site, cookies, wanted }: PageContext,
  { frame, names, say, onLoad, onAllow }: PlaceholderOptions,
): Placeholder {
  const all = listVendors(cookies);
  const vendors = names.map((name) => all.get(name) ?? { name });
  const titles = vendors.map(({ name, title = name }) => title);
  const vendor = new Intl.ListFormat(cookies.language).format(titles);
  const sayOf = (name: string): string => say(name).replaceAll("{vendor}", () => vendor);
  const links = vendors.flatMap(({ policyUrl }) =>
    policyUrl ? [" ", toLink(policyUrl, say("policy"))] : [],
  );
  const { host, root } = openHost((sheet ??= toSheet(ground + css)));
  applyTheme(host, site);
  host.lang = cookies.language ?? "en";
  host.dir = say("dir");
  root.append(
    element(
      "section",
      { role: "group", "aria-labelledby": frame.title ? "title name" : "title" },
      toPreview(frame.dataset["preview"], wanted.cdn ?? wanted.service),
      element(
        "div",
        {},
        element("p", { id: "title" }, sayOf("embedTitle")),
        frame.title && element("p", { id: "name" }, frame.title),
        element("p", { class: "soft" }, sayOf("embedText"), ...links),
        element(
          "footer",
          {},
          element("button", { type: "button", onclick: onLoad }, say("embedOnce")),
          onAllow &&
            element(
              "button",
              { type: "button", class: "plain", onclick: onAllow },
              sayOf("embedAlways"),
            ),
        ),
      ),
    ),
  );
  return { host, close: takePlace(host, frame) };
}

/** A picture from the site itself or from the service: another host would learn of the visit. */
function toPreview(address: string | undefined, service: string): Child {
  const url = URL.parse(address ?? "", document.baseURI);
  if (!address || !url) return false;
  const own = [location.origin, new URL(service, location.href).origin];
  return own.includes(url.origin) && element("img", { src: url.href, alt: "" });
}
