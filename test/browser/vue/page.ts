import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createConsentReader, toScriptJson } from "@avow/widget/server";
import { build } from "esbuild";
import type { BrowserContextOptions, Locator } from "playwright-core";
import type { App } from "vue";
import { renderToString } from "vue/server-renderer";
import { service } from "../../harness.ts";
import { type OpenPage, openPage } from "../widget/browser.ts";
import { type Shop, openShop } from "../widget/site.ts";

const css = readFileSync(join(import.meta.dirname, "../../../packages/vue/styles.css"), "utf8");

/** Checked by `packages/vue/tsconfig.tests.json`, since it runs in browsers as well. */
const app: string = join(import.meta.dirname, "app/shop.ts");
const { createShop } = (await import(app)) as { createShop: (given: object) => App };

/** A page of a Vue app that a server has rendered. */
export interface VuePage extends OpenPage {
  shop: Shop;
  dialog: Locator;
}

interface VuePageOptions extends BrowserContextOptions {
  project: string;
  cookies?: string;
  forms?: readonly string[];
  policy?: string;
  /** Whether the server renders the page (true). */
  isRendered?: boolean;
}

let script: Promise<string> | undefined;

/** Opens a page in a new profile. Each request is rendered by its cookies. */
export async function openVuePage(options: VuePageOptions): Promise<VuePage> {
  const { project, cookies, forms = [], policy, isRendered = true, ...visitor } = options;
  const { url } = service;
  const main = await (script ??= bundle());
  const readConsent = createConsentReader({ project, url, cookies });
  const shop = await openShop(
    {
      "/": async (request, response) => {
        const snapshot = isRendered ? (await readConsent(request)).snapshot : undefined;
        const given = { project, url, cookies, forms, snapshot };
        const html = isRendered ? await renderToString(createShop(given)) : "";
        if (policy !== undefined) response.setHeader("content-security-policy", policy);
        response.setHeader("content-type", "text/html; charset=utf-8");
        response.end(`<!doctype html><html lang="en"><title>Shop</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/styles.css">
<div id="app">${html}</div>
<script type="application/json" id="given">${toScriptJson(given)}</script>
<script src="/main.js" defer></script></html>`);
      },
      "/main.js": (_, response) => response.setHeader("content-type", "text/javascript").end(main),
      "/styles.css": (_, response) => response.setHeader("content-type", "text/css").end(css),
      "/film": "<!doctype html><html lang=en><title>Film</title><p>The film.</p>",
      "/sent": "<!doctype html><html lang=en><title>Sent</title><p>Thank you.</p>",
    },
    policy,
  );
  const opened = await openPage(visitor);
  await opened.page.goto(shop.url);
  return {
    ...opened,
    shop,
    dialog: opened.page.getByRole("dialog"),
    async [Symbol.asyncDispose]() {
      await opened[Symbol.asyncDispose]();
      await shop[Symbol.asyncDispose]();
    },
  };
}

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "app/main.ts")],
    bundle: true,
    write: false,
    format: "iife",
    minify: true,
    logLevel: "warning",
    define: {
      "process.env.NODE_ENV": '"production"',
      __VUE_OPTIONS_API__: "false",
      __VUE_PROD_DEVTOOLS__: "false",
      // Differences between the server's page and the browser's are errors of the console.
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "true",
    },
  });
  return outputFiles[0]?.text ?? "";
}
