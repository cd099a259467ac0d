import { createConsentReader } from "@avow/widget/server";

/** The header with the visitor's region that your proxy or CDN sets, and removes from visitors' requests. */
const { REGION_HEADER } = process.env;

/** One for the whole process: it keeps the published file for a minute. */
export const readConsent = createConsentReader({
  project: process.env.AVOW_PROJECT,
  url: process.env.AVOW_URL,
  // Without it the region is unknown, and the browser asks the service.
  region: ({ headers }) =>
    REGION_HEADER && (headers.get?.(REGION_HEADER) ?? headers[REGION_HEADER]),
});

/** Headers of a page that depends on the visitor's consent: no shared cache may keep it. */
export const headers = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "private",
  vary: "Cookie, Accept-Language, Sec-GPC",
};
