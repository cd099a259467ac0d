/** The origins of pages that share the app's answers, such as `https://shop.example`, and the cookie's lifetime. */
export interface WebViewOrigins {
  origins: readonly string[];
  /** A random text of this web view. Frames can post messages, too, but do not know it. */
  key: string;
  /** Default: `axeptio_cookies`. */
  cookieName?: string | undefined;
  /** Domain of the cookie, such as `.shop.example`; default: the host of the page. */
  cookieDomain?: string | undefined;
}

/** Answers of a page, as its cookie has them. */
export interface WebViewAnswers {
  /** Percent-encoded JSON. */
  text: string;
  dateMs: number;
}

const LENGTH_MAX = 8_192;
/** The difference of clocks that is accepted. Page and app have the same one. */
const AHEAD_MS_MAX = 60_000;
const COOKIE_SECONDS = 180 * 86_400;
const POLL_MS = 1_000;

/**
 * The script for the start of the document: sets the cookie of the widget to the app's answers unless the page has newer
 * ones, and posts the page's answers to the app when they change. It does nothing on other origins and in frames.
 */
export function toWebViewScript(
  answers: string | undefined,
  { origins, key, cookieName = "axeptio_cookies", cookieDomain }: WebViewOrigins,
): string {
  const given = { answers: toSafeText(answers), origins, key, cookieName, cookieDomain };
  // `<` cannot end a script element; the two separators end a line in old engines.
  const json = JSON.stringify(given).replaceAll(
    /[<\u2028\u2029]/g,
    (one) => `\\u${(one.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
  return `(${pageScript})(${json},${COOKIE_SECONDS},${POLL_MS});true;`;
}

/** The answers for a cookie. Percent-encoded JSON has none of the characters that end a cookie's value. */
function toSafeText(answers = ""): string {
  return /^[\w%.!~*'()-]*$/.test(answers) ? answers : "";
}

/** Reads a message of a page; undefined unless it is valid answers of one of the origins. */
export function readWebViewMessage(
  { data, url }: { data: string; url: string },
  { origins, key }: WebViewOrigins,
): WebViewAnswers | undefined {
  const origin = /^https?:\/\/[^/?#\\@]+(?=[/?#]|$)/.exec(url)?.[0];
  if (data.length > LENGTH_MAX || origin === undefined || !origins.includes(origin))
    return undefined;
  try {
    const message = JSON.parse(data) as { avow?: unknown; answers?: unknown } | null;
    if (message?.avow !== key || typeof message.answers !== "string") return undefined;
    const dateMs = toDateMs(message.answers);
    return dateMs === undefined ? undefined : { text: message.answers, dateMs };
  } catch {
    // Another message of the page.
    return undefined;
  }
}

/** The time of valid answers; undefined for others. @throws Error when the text is no JSON */
export function toDateMs(text: string): number | undefined {
  const members = JSON.parse(decodeURIComponent(text)) as Record<string, unknown> | null;
  const date = members?.["$$date"];
  if (!members || typeof date !== "string" || members["$$completed"] !== true) return undefined;
  const isValid = Object.entries(members).every(
    ([name, value]) => name.startsWith("$$") || typeof value === "boolean",
  );
  const dateMs = Date.parse(date);
  return toSafeText(text) && isValid && dateMs <= Date.now() + AHEAD_MS_MAX ? dateMs : undefined;
}

/** A text, because Hermes does not keep the source of functions. */
const pageScript = `function (given, cookieSeconds, pollMs) {
  if (!given.origins.includes(location.origin) || top !== self) return;
  var read = function () {
    var start = given.cookieName + "=";
    var own = document.cookie.split("; ").find(function (part) { return part.startsWith(start); });
    return own ? own.slice(start.length) : "";
  };
  var toDate = function (text) {
    try { return Date.parse(JSON.parse(decodeURIComponent(text)).$$date) || 0; }
    catch (error) { return 0; }
  };
  if (toDate(given.answers) > toDate(read()))
    document.cookie = given.cookieName + "=" + given.answers + ";path=/;samesite=lax;max-age=" + cookieSeconds +
      (given.cookieDomain ? ";domain=" + given.cookieDomain : "") +
      (location.protocol === "https:" ? ";secure" : "");
  var sent = given.answers;
  var send = function () {
    var text = read();
    if (toDate(text) <= toDate(sent) || !window.ReactNativeWebView) return;
    sent = text;
    window.ReactNativeWebView.postMessage(JSON.stringify({ avow: given.key, answers: text }));
  };
  send();
  setInterval(send, pollMs);
}`;
