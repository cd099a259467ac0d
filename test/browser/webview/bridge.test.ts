import assert from "node:assert/strict";
import { it } from "node:test";
import {
  readWebViewMessage,
  toWebViewScript,
} from "../../../packages/react-native/webview/protocol.ts";
import { createConsent, createMemoryStorage } from "@avow/widget/headless";
import { poll } from "../../poll.ts";
import { service } from "../../harness.ts";
import { openPage, skip, waitUntilTrue } from "../widget/browser.ts";
import { newLiveSite, openShop, shopCookies, toPage } from "../widget/site.ts";

const url = service.url;

/** An app that has answered, or not, and a web view with the site's page. */
async function openWebView(project: string, answer?: Record<string, boolean>) {
  const storage = createMemoryStorage();
  const consent = createConsent({ project, url, storage });
  await consent.ready;
  if (answer) await consent.answer(answer);
  const shop = await openShop({ "/": toPage(project) });
  const opened = await openPage();
  const messages: { data: string; url: string }[] = [];
  await opened.page.exposeFunction("postToApp", (data: string) =>
    messages.push({ data, url: opened.page.url() }),
  );
  const script = toWebViewScript(consent.toSnapshot().stored.answers[0], {
    origins: [shop.url],
    key: "key-1",
  });
  await opened.page.addInitScript(
    `window.ReactNativeWebView = { postMessage: (text) => postToApp(text) };${script}`,
  );
  return {
    ...opened,
    consent,
    storage,
    shop,
    messages,
    async [Symbol.asyncDispose]() {
      await opened[Symbol.asyncDispose]();
      await shop[Symbol.asyncDispose]();
    },
  };
}

it("a page in a web view does not ask again, and knows the app's answers", { skip }, async () => {
  const { projectId } = await newLiveSite({ cookies: [shopCookies] });
  await using view = await openWebView(projectId, { one: true, two: false });
  const { page, shop, messages, consent, faults } = view;
  await page.goto(shop.url);
  await waitUntilTrue(page, "window.avow && window.avow.isAccepted && avow.isAccepted('one')");
  assert.equal(await page.evaluate("avow.isAccepted('two')"), false);
  assert.equal(await page.evaluate("avow.token"), consent.getState().token);
  assert.equal(await page.getByRole("dialog").count(), 0);
  assert.deepEqual(messages, []);
  assert.deepEqual(faults, []);
});

it("the app adopts the answers of a page, once", { skip }, async () => {
  const { projectId } = await newLiveSite({ cookies: [shopCookies] });
  await using view = await openWebView(projectId);
  const { page, shop, messages, consent, storage } = view;
  await page.goto(shop.url);
  await page.getByRole("button", { name: "Accept all" }).click();
  await poll({
    read: () => messages.length,
    isRight: (count) => count > 0,
    waitMs: 10_000,
    toMessage: () => "the page sent nothing",
  });
  const [message = { data: "", url: "" }] = messages;
  const answers = readWebViewMessage(message, { origins: [shop.url], key: "key-1" });
  assert.ok(answers);
  await storage.write("axeptio_cookies", answers.text);
  await consent.refresh();
  assert.equal(consent.getState().view, "closed");
  assert.deepEqual(consent.getState().vendors, { one: true, two: true, shop: true });
  await page.reload();
  await waitUntilTrue(page, "window.avow && window.avow.isAccepted && avow.isAccepted('one')");
  assert.equal(await page.getByRole("dialog").count(), 0);
});

it("neither other origins nor frames get the answers", { skip }, async () => {
  const { projectId } = await newLiveSite({ cookies: [shopCookies] });
  await using view = await openWebView(projectId, { one: true, two: false });
  await using other = await openShop({
    "/": `<!doctype html><title>Other</title><iframe src="${view.shop.url}/"></iframe>`,
  });
  await view.page.goto(other.url.replace("127.0.0.1", "localhost"));
  const frame = view.page.frames().find((one) => one.url().startsWith(view.shop.url));
  assert.ok(frame);
  assert.equal(await view.page.evaluate("document.cookie"), "");
  assert.equal(await frame.evaluate("document.cookie"), "");
});
