import { createConsentReader } from "@avow/widget/server";
import { project, url } from "./settings.js";

const readConsent = createConsentReader({ project, url });

/** Reads the consent of each request, for components: `Astro.locals.consent`. */
export async function onRequest({ locals, request }, next) {
  locals.consent = await readConsent(request);
  const response = await next();
  response.headers.set("cache-control", "private");
  response.headers.set("vary", "Cookie, Accept-Language, Sec-GPC");
  return response;
}
