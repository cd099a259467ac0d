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
  /** Whether something was answered before, or told where there was nothing to ask. */
  $$completed?: boolean;
  $$googleConsentMode?: object | undefined;
  /** What each vendor was asked for, so that it is asked again when that changes. */
  $$asked?: Record<string, string | undefined>;
  /** When the service is asked next what the visitor answers, ms since 1970. */
  $$next?: number;
  /** Until when a link to the visitor's own page lasts that was opened here, RFC 3339: till then it is asked each time. */
  $$personUntil?: string;
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
const tokenPattern = /^[^]{1,256}$/;

/** What was answered on this device; empty where nothing was, storage is blocked, or it was too long ago. */
export function readMemory({ choices, days }: MemoryOptions): Memory {
  let newest: Memory = {};
  try {
    // Another domain of the page's may have one too, which this page can not see apart.
    for (const text of [...readCookies(choices), localStorage[choices] as string]) {
      const memory = toMemory(text);
      if (memory && dateOf(memory) >= dateOf(newest)) newest = memory;
    }
  } catch {
    // Blocked: as if there were none.
  }
  // The browser's storage forgets nothing by itself.
  const isOver = newest.$$date && Date.now() - dateOf(newest) > DAY_SECONDS * 1000 * days;
  return isOver ? {} : newest;
}

function toMemory(text: string): Memory | undefined {
  try {
    const memory = JSON.parse(decodeURIComponent(text)) as Memory;
    const { $$token: token = "-" } = memory;
    return tokenPattern.test(token) ? memory : undefined;
  } catch {
    // Cut, or written by something else.
    return undefined;
  }
}

/** Milliseconds since 1970; 0 for none. */
function dateOf({ $$date }: Memory): number {
  return Date.parse($$date ?? "") || 0;
}

/**
 * Keeps what was answered: a JSON object, and two lists of vendors. Where the browser takes no cookie of
 * its size, the first is kept in the browser's storage.
 */
export function writeMemory(options: MemoryOptions, memory: Memory): void {
  const { choices } = options;
  const text = encodeURIComponent(JSON.stringify(memory));
  const answers = Object.keys(memory).filter((name) => !name.startsWith("$$"));
  try {
    writeCookie(options, choices, text);
    writeCookie(
      options,
      options.authorized,
      encodeURIComponent(toList(answers.filter((name) => memory[name]))),
    );
    writeCookie(options, options.all, encodeURIComponent(toList(answers)));
    localStorage.removeItem(choices);
    if (!readCookies(choices).includes(text)) localStorage.setItem(choices, text);
  } catch {
    // Blocked: the answer holds for as long as the page does, and is asked for again on the next.
  }
}

/** `,a,b,`: each name stands between commas, so that a reader finds it whole. */
export function toList(names: readonly string[]): string {
  return ["", ...names, ""].join();
}

function readCookies(name: string): string[] {
  const found = document.cookie.split("; ").filter((one) => one.startsWith(`${name}=`));
  return found.map((one) => one.slice(name.length + 1));
}

/** One for all: what earlier settings have left for this host or one above it is taken away. */
function writeCookie({ days, domain }: MemoryOptions, name: string, value: string): void {
  const set = (text: string, seconds: number, host?: string): void => {
    const secure = location.protocol === "https:" ? ";secure" : "";
    const where = host ? `;domain=${host}` : "";
    document.cookie = `${name}=${text};path=/;max-age=${seconds};samesite=lax${secure}${where}`;
  };
  set("", 0);
  for (const hosts = location.hostname.split("."); hosts[1]; hosts.shift())
    set("", 0, hosts.join("."));
  set(value, days * DAY_SECONDS, domain);
}
