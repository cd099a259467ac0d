import { computed, signal } from "@preact/signals";
import { base } from "./base.ts";

const root = `${base}/admin`;

const moves = { count: 0 };

/** Whether the user has navigated within the app since the page was loaded. */
export function isMoved(): boolean {
  return moves.count > 0;
}

const here = signal(location.pathname + location.search);
addEventListener("popstate", () => {
  opened.value += 1;
  follow();
});

function follow(): void {
  moves.count += 1;
  here.value = location.pathname + location.search;
}

const opened = signal(0);

/** Identifies the shown entry of the history, so that a link to another view of the same screen starts it again. */
export const entry = computed(() => `${path.value} ${opened.value}`);

/** The current path below `/admin`, with a leading slash: `/projects`. */
export const path = computed(() => {
  const { pathname } = new URL(here.value, location.origin);
  return pathname.slice(root.length).replace(/\/+$/, "") || "/";
});

/** The query parameters of the current address. */
export const parameters = computed(() => new URL(here.value, location.origin).searchParams);

/** The address of a path of the app, for links. */
export function toHref(to: string): string {
  return root + (to === "/" ? "" : to);
}

/** Navigates to a path of the app. `replace` replaces the current history entry. */
export function go(to: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, "", toHref(to));
  else {
    history.pushState(null, "", toHref(to));
    opened.value += 1;
  }
  follow();
  scrollTo(0, 0);
}

/** Changes query parameters in place, without moving the page. An empty value removes one. */
export function setParameters(changes: Readonly<Record<string, string>>): void {
  const next = new URLSearchParams(parameters.peek());
  for (const [name, value] of Object.entries(changes)) {
    if (value === "") next.delete(name);
    else next.set(name, value);
  }
  history.replaceState(null, "", location.pathname + (next.size > 0 ? `?${next.toString()}` : ""));
  here.value = location.pathname + location.search;
}

/** Returns a query parameter and removes it from the address, so that e-mailed tokens do not stay in the history. */
export function takeParameter(name: string): string | undefined {
  const url = new URL(location.href);
  const value = url.searchParams.get(name);
  if (value === null) return undefined;
  url.searchParams.delete(name);
  history.replaceState(null, "", url);
  return value;
}

/** Returns the fragment of the address and removes it, for tokens that no server may log. */
export function takeFragment(): string | undefined {
  const { hash, pathname, search } = location;
  if (hash.length <= 1) return undefined;
  history.replaceState(null, "", pathname + search);
  return hash.slice(1);
}

/** Follows links within the app without loading the page, except for clicks with modifier keys. */
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

/** The parameters of `pattern` (`/projects/:id`) if `path` matches it. */
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

/** Decodes a path segment; a malformed one is returned unchanged. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
