/** In this order, since most browsers also name those that they derive from. */
const families: readonly (readonly [RegExp, string])[] = [
  [/\b(bot|crawler|spider)\b|bot\//i, "bot"],
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\b(OPR|Opera)\b/, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(Chrome|Chromium|CriOS)\//, "Chrome"],
  [/\bVersion\/\S+ .*Safari\//, "Safari"],
  [/\bAppleWebKit\//, "WebKit"],
  [/^curl\//i, "curl"],
  [/^(node|undici)\b/i, "Node.js"],
  [/^python|^aiohttp/i, "Python"],
  [/^okhttp\//i, "OkHttp"],
];

const LENGTH_MAX = 1_024;

/** The family of a browser or client. Only the family is stored, since the full text can identify people. */
export function toUserAgentFamily(header: string | undefined): string {
  const text = (header ?? "").slice(0, LENGTH_MAX);
  return families.find(([pattern]) => pattern.test(text))?.[1] ?? "other";
}
