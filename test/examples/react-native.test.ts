import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import { openPage, skip } from "../browser/widget/browser.ts";
import { type Shop, newLiveSite, openShop } from "../browser/widget/site.ts";
import { service } from "../harness.ts";
import { packTarballs } from "./tarballs.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");
const INSTALL_MS = 300_000;
const BUILD_MS = 120_000;
/** Limit of the package without its dependencies, minified. */
const PACKAGE_BYTES_MAX = 14_000;
const phone = { viewport: { width: 390, height: 844 } };

const cookies = {
  name: "app",
  language: "en",
  isDefault: true,
  steps: [
    {
      name: "welcome",
      layout: "welcome",
      title: "Your privacy",
      message:
        '<p>May <strong>we</strong> count visits? <a href="https://shop.example/privacy">More</a></p><ul><li>No ads</li></ul>',
    },
    {
      name: "services",
      layout: "category",
      title: "Services",
      vendors: [
        { name: "stats", title: "Stats", shortDescription: "Counts visits." },
        { name: "video", title: "Video", policyUrl: "https://video.example/privacy" },
      ],
    },
    {
      name: "needed",
      layout: "category",
      title: "Needed",
      vendors: [{ name: "shop", title: "Shop", required: true }],
    },
  ],
};

const arabic = { ...cookies, name: "app-ar", language: "ar", isDefault: false };
const newsletter = {
  name: "newsletter",
  language: "en",
  title: "Newsletter",
  message: "<p>May we write to you once a month?</p>",
  purpose: "News about new pots",
};

const appPage = `<!doctype html><html><meta charset=utf-8><title>App</title>
<style>html,body,#root{height:100%;margin:0;display:flex;flex:1}</style>
<div id=root></div><script src=/app.js></script></html>`;

/** An app that hands the properties of its web view to the test. */
function toWebViewApp(project: string): string {
  return `
import { ConsentForm, ConsentGate, ConsentProvider, useConsent } from "@avow/react-native";
import { useWebViewConsent } from "@avow/react-native/webview";
import { AppRegistry, Text } from "react-native";

globalThis.texts = {};
const storage = {
  getItem: (name) => texts[name] ?? null,
  setItem: (name, text) => void (texts[name] = text),
};

function Screen() {
  const { state } = useConsent();
  const props = useWebViewConsent({ storage, origins: ["https://shop.example"] });
  globalThis.onMessage = props?.onMessage;
  globalThis.script = props?.injectedJavaScriptBeforeContentLoaded;
  return (
    <>
      <Text>{state.vendors.stats ? "stats may run" : state.view}</Text>
      <ConsentForm form="renamed" />
      <ConsentGate vendor={[]} fallback={<Text>Without a vendor</Text>}>
        <Text>Ungated</Text>
      </ConsentGate>
    </>
  );
}

const App = () => (
  <ConsentProvider project="${project}" url="${service.url}" storage={storage}>
    <Screen />
  </ConsentProvider>
);
AppRegistry.registerComponent("App", () => App);
AppRegistry.runApplication("App", { rootTag: document.getElementById("root") });
`;
}

/** Installs a copy of the example with our packages as they are published. */
async function installExample(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "avow-example-native-"));
  await cp(join(root, "examples/react-native"), folder, { recursive: true });
  const file = join(folder, "package.json");
  const manifest = JSON.parse(await readFile(file, "utf8")) as {
    dependencies: Record<string, string>;
  };
  const tarballs = await packTarballs();
  for (const name of Object.keys(manifest.dependencies))
    if (tarballs[name] !== undefined) manifest.dependencies[name] = `file:${tarballs[name]}`;
  await writeFile(file, JSON.stringify(manifest));
  await runNode(folder, INSTALL_MS, [
    "npm",
    "install",
    "--prefer-offline",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
  ]);
  return folder;
}

async function runNode(
  cwd: string,
  timeout: number,
  [command = "", ...args]: readonly string[],
  env: Record<string, string> = {},
): Promise<void> {
  const PATH = `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}`;
  const options = { cwd, timeout, env: { ...process.env, PATH, ...env } };
  await run(command, args, { ...options, maxBuffer: 64 * 1024 * 1024 });
}

describe("the example for React Native", { skip }, () => {
  let folder = "";
  let shop: Shop;
  before(
    async () => {
      const site = await newLiveSite({ cookies: [cookies, arabic], processings: [newsletter] });
      folder = await installExample();
      await runNode(folder, BUILD_MS, ["npm", "run", "web"], {
        AVOW_PROJECT: site.projectId,
        AVOW_URL: service.url,
        STATS_URL: "/app-started",
        CUSTOMER: "customer-41",
      });
      const script = await readFile(join(folder, "dist/app.js"), "utf8");
      shop = await openShop({
        "/": appPage,
        "/app.js": (_, response) =>
          response.setHeader("content-type", "text/javascript").end(script),
        "/empty": "<!doctype html><title>App</title><div id=root></div>",
        "/app-started": (_, response) => response.writeHead(204).end(),
      });
    },
    { timeout: INSTALL_MS + BUILD_MS },
  );
  after(async () => {
    await shop[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  });
  const toBanner = (shown: Page) => shown.getByRole("dialog");
  const countStarts = (requests: readonly string[]) =>
    requests.filter((one) => one.endsWith("/app-started")).length;

  it("fires nothing after a refusal, once after acceptance, and does not ask again", async () => {
    await using opened = await openPage(phone);
    const { page: app, faults, requests } = opened;
    await app.goto(shop.url);
    await toBanner(app).getByRole("heading", { name: "Your privacy" }).waitFor();
    await screenshot(app, "banner");
    await app.getByRole("button", { name: "Refuse all" }).click();
    await toBanner(app).waitFor({ state: "detached" });
    await app.getByText("Statistics are off").waitFor();
    await app.reload();
    await app.getByText("Ready").waitFor();
    assert.equal(await toBanner(app).count(), 0);
    assert.equal(countStarts(requests), 0);
    await app.getByRole("button", { name: "Privacy" }).click();
    const center = toBanner(app);
    await center.getByRole("heading", { name: "Services" }).waitFor();
    await screenshot(app, "preferences");
    await center.getByRole("switch", { name: "Stats" }).click();
    await center.getByRole("button", { name: "Save my choices" }).click();
    await app.getByText("Statistics are on").waitFor();
    assert.equal(countStarts(requests), 1);
    await app.reload();
    await app.getByText("Statistics are on").waitFor();
    assert.equal(await toBanner(app).count(), 0);
    assert.deepEqual(faults, []);
  });

  it("does not ask a signed-in visitor again on another device", async () => {
    await using first = await openPage(phone);
    await first.page.goto(shop.url);
    await toBanner(first.page).waitFor();
    // The sheet covers the button of the app.
    await first.page.evaluate(`[...document.querySelectorAll("button, [role=button]")]
      .find(({ textContent }) => textContent === "Sign in").click()`);
    await toBanner(first.page).getByRole("button", { name: "Accept all" }).click();
    await first.page.getByText("Statistics are on").waitFor();
    await using other = await openPage(phone);
    await other.page.goto(shop.url);
    await toBanner(other.page).waitFor();
    await other.page.evaluate(`[...document.querySelectorAll("button, [role=button]")]
      .find(({ textContent }) => textContent === "Sign in").click()`);
    await toBanner(other.page).waitFor({ state: "detached" });
    await other.page.getByText("Statistics are on").waitFor();
    assert.deepEqual([...first.faults, ...other.faults], []);
  });

  it("starts without a network with the answers of before", async () => {
    await using opened = await openPage(phone);
    const { page: app } = opened;
    await app.goto(shop.url);
    await app.getByRole("button", { name: "Accept all" }).click();
    await app.getByText("Statistics are on").waitFor();
    await app.route(`${service.url}/**`, (route) => route.abort());
    await app.reload();
    await app.getByText("Statistics are on").waitFor();
    assert.equal(await toBanner(app).count(), 0);
  });

  it("answers and withdraws a form", async () => {
    await using opened = await openPage(phone);
    const { page: app, faults } = opened;
    await app.goto(shop.url);
    await app.getByRole("button", { name: "Refuse all" }).click();
    await app.getByText("News about new pots").waitFor();
    await app.getByRole("button", { name: "I agree" }).click();
    await app.getByText("Accepted").waitFor();
    await app.getByRole("button", { name: "Withdraw my consent" }).click();
    await app.getByText("Withdrawn").waitFor();
    await screenshot(app, "form");
    assert.deepEqual(faults, []);
  });

  it("is dark on a dark device, and from right to left in Arabic", async () => {
    await using opened = await openPage({ ...phone, colorScheme: "dark", locale: "ar" });
    const { page: app, faults } = opened;
    await app.goto(shop.url);
    await toBanner(app).waitFor();
    const title = app.getByRole("heading", { name: "Your privacy" });
    await title.waitFor();
    await screenshot(app, "dark-rtl");
    const style = await title.evaluate((node: object) => {
      const { color, textAlign } = (
        globalThis as unknown as {
          getComputedStyle: (node: object) => { color: string; textAlign: string };
        }
      ).getComputedStyle(node);
      return { color, textAlign };
    });
    assert.deepEqual(style, { color: "rgb(242, 242, 242)", textAlign: "right" });
    assert.deepEqual(faults, []);
  });

  it("gives a web view the app's answers, and adopts those of its pages only", async () => {
    const site = await newLiveSite({ cookies: [cookies] });
    await writeFile(join(folder, "webview.jsx"), toWebViewApp(site.projectId));
    const bundled = await build({
      absWorkingDir: folder,
      entryPoints: ["webview.jsx"],
      bundle: true,
      write: false,
      format: "iife",
      jsx: "automatic",
      alias: { "react-native": "react-native-web" },
      define: { "process.env.NODE_ENV": '"production"' },
      logLevel: "silent",
    });
    await using opened = await openPage(phone);
    const { page: app, faults } = opened;
    await app.goto(`${shop.url}/empty`);
    await app.addScriptTag({ content: bundled.outputFiles[0]?.text ?? "" });
    await app.getByText("banner").waitFor();
    await app.getByText("Without a vendor").waitFor();
    assert.equal(await app.getByText("Ungated").count(), 0);
    const text = encodeURIComponent(
      JSON.stringify({ $$date: new Date().toISOString(), $$completed: true, stats: true }),
    );
    const post = (key: string, url: string) =>
      app.evaluate(`onMessage({ nativeEvent: { data: JSON.stringify({ avow: ${key},
        answers: ${JSON.stringify(text)} }), url: ${JSON.stringify(url)} } })`);
    const key = String.raw`/"key":"([\d-]+)"/.exec(script)[1]`;
    await post('"guess"', "https://shop.example/");
    await post(key, "https://evil.example/");
    assert.equal(await app.evaluate("texts.axeptio_cookies"), undefined);
    await post(key, "https://shop.example/");
    await app.getByText("stats may run").waitFor();
    assert.equal(await app.evaluate("texts.axeptio_cookies"), text);
    assert.deepEqual(faults, ['Avow: no form "renamed" is published.']);
  });

  it("compiles against the types of React Native, as the sources of the package do", async () => {
    const sources = join(folder, "sources");
    await cp(join(root, "packages/react-native"), sources, { recursive: true });
    await cp(join(root, "packages/widget/headless/portable.d.ts"), join(sources, "native.d.ts"));
    const compiler = [process.execPath, join(root, "node_modules/typescript/bin/tsc")];
    await runNode(folder, BUILD_MS, [...compiler, "-p", "."]);
    const options = ["--allowImportingTsExtensions", "true", "--skipLibCheck", "true"];
    const entries = ["sources/package.ts", "sources/webview/package.ts", "sources/native.d.ts"];
    const own = [
      "--strict",
      "--noEmit",
      "--jsx",
      "react-jsx",
      "--module",
      "esnext",
      "--ignoreConfig",
    ];
    const lib = ["--moduleResolution", "bundler", "--lib", "es2024", "--types", "react"];
    await runNode(folder, BUILD_MS, [...compiler, ...own, ...lib, ...options, ...entries]);
  });

  it("adds at most 14,000 bytes to an app", async () => {
    const bundled = await build({
      stdin: {
        contents: 'export * from "@avow/react-native"; export * from "@avow/react-native/webview";',
        resolveDir: folder,
      },
      bundle: true,
      minify: true,
      write: false,
      format: "esm",
      external: ["react", "react/jsx-runtime", "react-native", "@avow/widget/*", "@avow/react/*"],
    });
    const bytes = bundled.outputFiles[0]?.contents.length ?? Infinity;
    assert.ok(bytes <= PACKAGE_BYTES_MAX, `${bytes} bytes`);
    assert.ok((await stat(join(folder, "node_modules/@avow/react-native/package.json"))).isFile());
  });
});

/** Writes a picture of the app to the folder `SCREENSHOTS`, if it is set. */
async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env["SCREENSHOTS"];
  // The sheet slides in.
  await page.getByRole("dialog").or(page.getByText("Withdrawn")).first().waitFor();
  if (folder !== undefined) {
    await page.evaluate("Promise.all(document.getAnimations().map((one) => one.finished))");
    await page.screenshot({ path: join(folder, `${name}.png`) });
  }
}
