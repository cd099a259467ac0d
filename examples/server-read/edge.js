import { createConsentReader } from "@avow/widget/server";
import { renderPage } from "./page.js";

/** For runtimes of the Fetch API, such as Cloudflare Workers: `env` has the settings. */
let readConsent;

export default {
  async fetch(request, env) {
    readConsent ??= createConsentReader({ project: env.AVOW_PROJECT, url: env.AVOW_URL });
    const consent = await readConsent(request);
    return new Response(renderPage(consent), {
      headers: {
        "content-type": "text/html; charset=utf-8",
        "cache-control": "private",
        vary: "Cookie, Accept-Language, Sec-GPC",
      },
    });
  },
};
