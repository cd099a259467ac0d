/**
 * What is kept on the device of what the visitor answered, as readers of this family of widgets know it:
 * beside these members, a boolean for each vendor.
 */
export interface Memory {
  $$token?: string;
  /** When it was answered, RFC 3339. */
  $$date?: string;
  /** The cookie configuration that was answered. */
  $$cookiesVersion?: { name: string; identifier: string };
  $$completed?: boolean;
  $$googleConsentMode?: object | undefined;
  /** What each vendor was asked for, so that it is asked again when that changes. */
  $$asked?: Record<string, string>;
  $$tcString?: string;
  /** What TCF's vendors declared then, as digests. */
  $$tcfDeclared?: string;
  [vendor: string]: unknown;
}

/** How cookies are called, how long they are kept and where they count. */
export interface MemoryOptions {
  choices: string;
  authorized: string;
  all: string;
  days: number;
  /** Such as `.shop.example`, for all of its hosts. */
  domain?: string | undefined;
}

const DAY_SECONDS = 86_400;

/** What was answered on this device; empty where nothing was, storage is blocked, or it was too long ago. */
export function readMemory({ choices, days }: MemoryOptions): Memory {
  try {
    const text = readCookie(choices) ?? localStorage.getItem(choices) ?? "{}";
    const memory: Memory = { ...(JSON.parse(text) as object) };
    // The browser's storage forgets nothing by itself.
    const isOver = Date.now() - Date.parse(memory.$$date ?? "") > days * DAY_SECONDS * 1000;
    return isOver ? {} : memory;
  } catch {
    // Blocked, cut, or written by something else: as if there were none.
    return {};
  }
}

/**
 * Keeps what was answered: a JSON object, and two lists of vendors. Where the browser takes no cookie of
 * its size, the first is kept in the browser's storage.
 */
export function writeMemory(options: MemoryOptions, memory: Memory): void {
  const { choices } = options;
  const text = JSON.stringify(memory);
  const answers = Object.keys(memory).filter((name) => !name.startsWith("$$"));
  try {
    writeCookie(options, choices, text);
    writeCookie(options, options.authorized, toList(answers.filter((name) => memory[name])));
    writeCookie(options, options.all, toList(answers));
    localStorage.removeItem(choices);
    if (readCookie(choices) !== text) localStorage.setItem(choices, text);
  } catch {
    // Blocked: the answer holds for as long as the page does, and is asked for again on the next.
  }
}

/** `,a,b,`: each name stands between commas, so that a reader finds it whole. */
export function toList(names: readonly string[]): string {
  return `,${names.map((name) => `${name},`).join("")}`;
}

function readCookie(name: string): string | undefined {
  const found = document.cookie.split("; ").find((one) => one.startsWith(`${name}=`));
  return found && decodeURIComponent(found.slice(name.length + 1));
}

function writeCookie({ days, domain }: MemoryOptions, name: string, value: string): void {
  const secure = location.protocol === "https:" ? ";secure" : "";
  const where = domain ? `;domain=${domain}` : "";
  const set = (text: string, seconds: number): string =>
    (document.cookie = `${name}=${text};path=/;max-age=${seconds};samesite=lax${secure}${where}`);
  // A browser that takes no cookie of this size would leave the one of before.
  set("", 0);
  set(encodeURIComponent(value), days * DAY_SECONDS);
}
