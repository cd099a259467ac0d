import { computed, signal } from "@preact/signals";
import { base } from "./base.ts";

const root = `${base}/admin`;

const moves = { count: 0 };

/** Whether somebody came to where they are from elsewhere in the app. */
export function isMoved(): boolean {
  return moves.count > 0;
}

const here = signal(location.pathname + location.search);
addEventListener("popstate", follow);

function follow(): void {
  moves.count += 1;
  here.value = location.pathname + location.search;
}

/** Where in the app, beginning with a slash, as it stands in the address: `/projects`. */
export const path = computed(() => {
  const { pathname } = new URL(here.value, location.origin);
  return pathname.slice(root.length).replace(/\/+$/, "") || "/";
});

/** What the address asks of a screen beside its place. */
export const parameters = computed(() => new URL(here.value, location.origin).searchParams);

/** The address of a place in the app, for links. */
export function toHref(to: string): string {
  return root + (to === "/" ? "" : to);
}

/** Goes to a place in the app; `replace` leaves no way back to the present one. */
export function go(to: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, "", toHref(to));
  else history.pushState(null, "", toHref(to));
  follow();
  scrollTo(0, 0);
}

/** A parameter of the address, taken out of it: what was mailed to somebody stays in no history. */
export function takeParameter(name: string): string | undefined {
  const url = new URL(location.href);
  const value = url.searchParams.get(name);
  if (value === null) return undefined;
  url.searchParams.delete(name);
  history.replaceState(null, "", url);
  return value;
}

/** Follows links to places in the app without loading the page anew, unless the browser is asked for more. */
export function followLinks(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || link.target !== "" || link.hasAttribute("download")) return;
  const { origin, pathname, search, hash } = new URL(link.href);
  if (origin !== location.origin || hash !== "") return;
  if (pathname !== root && !pathname.startsWith(`${root}/`)) return;
  event.preventDefault();
  go(pathname.slice(root.length) + search);
}

/**
 * The parameters of `pattern` (`/projects/:id`) where `path` matches it.
 */
export function match(pattern: string, given: string): Record<string, string> | undefined {
  const wanted = pattern.split("/");
  const parts = given.split("/");
  if (wanted.length !== parts.length) return undefined;
  const found: Record<string, string> = {};
  for (const [at, one] of wanted.entries()) {
    const part = parts[at] ?? "";
    if (one.startsWith(":") && part !== "") found[one.slice(1)] = decode(part);
    else if (one !== part) return undefined;
  }
  return found;
}

/** A part of an address as it was before it was encoded; one that was not stays as it is. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
