import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { promisify } from "node:util";
import { build } from "esbuild";
import { buildWidget } from "../../../scripts/build/widget.ts";
import { service } from "../../harness.ts";
import { openPage, skip, waitUntilTrue } from "./browser.ts";
import { newLiveSite, openShop, shopCookies } from "./site.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../../..");

it(
  "the package @avow/widget has types, is bundled by a site, and asks there",
  { skip },
  async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "avow-package-"));
    t.after(() => rm(folder, { recursive: true, force: true }));
    await mkdir(join(folder, "node_modules", "@avow"), { recursive: true });
    await buildWidget(join(folder, "node_modules", "@avow", "widget"));
    const site = await newLiveSite({ cookies: [shopCookies] });
    await writeFile(
      join(folder, "main.ts"),
      `import { type Avow, init } from "@avow/widget";
import { connectPage, createBrowserConsent } from "@avow/widget/browser";
import { type Consent, createConsent, createMemoryStorage } from "@avow/widget/headless";
import { type ConsentReader, createConsentReader } from "@avow/widget/server";
const avow: Avow = init({ projectId: ${JSON.stringify(site.projectId)}, service: ${JSON.stringify(service.url)} });
const token: string | undefined = avow.token;
// @ts-expect-error an unknown option is rejected
export const wrong = (): Avow => init({ projectID: "" });
export function typed(url: string): [ConsentReader, () => void, boolean | undefined, string | undefined] {
  const consent: Consent = createConsent({ project: "", url, storage: createMemoryStorage() });
  const { vendors, offer } = consent.getState();
  const title = offer?.steps[0]?.vendors?.[0]?.title;
  const disconnect = connectPage(createBrowserConsent({ project: "", url }));
  return [createConsentReader({ project: "", url }), disconnect, vendors["two"], title];
}
void avow.whenAccepted("two").then(() => { document.title = "two may run " + typeof token; });
`,
    );
    const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
    const options = ["--strict", "--noEmit", "--module", "nodenext", "--lib", "es2022,dom"];
    await run(process.execPath, [compiler, ...options, "--types", "", "main.ts"], { cwd: folder });
    await build({
      entryPoints: [join(folder, "main.ts")],
      outfile: join(folder, "main.js"),
      bundle: true,
      format: "iife",
      logLevel: "silent",
    });
    const script = await readFile(join(folder, "main.js"), "utf8");
    await using shop = await openShop({
      "/": "<!doctype html><html lang=en><title>Shop</title><script src=/main.js defer></script><body>",
      "/main.js": (_, response) =>
        response.setHeader("content-type", "text/javascript").end(script),
    });
    await using opened = await openPage();
    const { page, faults } = opened;
    await page.goto(shop.url);
    await page.getByRole("button", { name: "Accept all" }).click();
    await waitUntilTrue(page, "document.title.startsWith('two may run')");
    assert.deepEqual(faults, []);
  },
);
