import { createConsentReader } from "@avow/widget/server";

/** One for the whole process: it keeps the published file for a minute. */
export const readConsent = createConsentReader({
  project: process.env.AVOW_PROJECT,
  url: process.env.AVOW_URL,
  // A header that your proxy or CDN sets, and removes from visitors' requests.
  region: ({ headers }) => headers.get?.("cf-ipcountry") ?? headers["cf-ipcountry"],
});

/** Headers of a page that depends on the visitor's consent: no shared cache may keep it. */
export const headers = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "private",
  vary: "Cookie, Accept-Language, Sec-GPC",
};
