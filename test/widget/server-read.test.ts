import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createConsent } from "@avow/widget/headless";
import { createConsentReader, toScriptJson } from "@avow/widget/server";
import { newLiveSite, shopCookies } from "../browser/widget/site.ts";
import { service } from "../harness.ts";

const url = service.url;
const french = {
  ...shopCookies,
  name: "shop-fr",
  language: "fr",
  isDefault: false,
};

/** The cookie of an answer, as the browser has it after it was given. */
async function answerAsVisitor(project: string, answer: Record<string, boolean>) {
  const texts = new Map<string, string>();
  const storage = {
    read: (name: string) => texts.get(name),
    write: (name: string, text: string) => texts.set(name, text),
  };
  const consent = createConsent({ project, url, storage });
  await consent.ready;
  await consent.answer(answer);
  return `theme=dark; axeptio_cookies=${texts.get("axeptio_cookies") ?? ""}; other=1`;
}

describe("createConsentReader", () => {
  it("reads requests of the Fetch API and of Node", async () => {
    const { projectId: project } = await newLiveSite({ cookies: [shopCookies] });
    const cookie = await answerAsVisitor(project, { one: true, two: false });
    const readConsent = createConsentReader({ project, url });
    for (const request of [
      new Request("https://shop.example/cart?id=1", { headers: { cookie } }),
      { url: "/cart", headers: { cookie } },
      { headers: { cookie: ["other=2", cookie] } },
    ]) {
      const { state, isAccepted } = await readConsent(request);
      assert.equal(state.status, "ready");
      assert.equal(state.view, "closed");
      assert.deepEqual(state.vendors, { one: true, two: false, shop: true });
      assert.equal(isAccepted("one"), true);
      assert.equal(isAccepted("unknown"), false);
    }
  });

  it("lets a page begin with the same state, without a request", async () => {
    const { projectId: project } = await newLiveSite({ cookies: [shopCookies, french] });
    const readConsent = createConsentReader({ project, url });
    const request = { headers: { "accept-language": "de;q=0.4, fr-CA, en;q=0.8" } };
    const { state, snapshot } = await readConsent(request);
    assert.equal(state.view, "banner");
    assert.equal(state.offer?.language, "fr");
    const sent = JSON.parse(toScriptJson(snapshot)) as typeof snapshot;
    const { widget } = sent.site as { widget?: { words?: object } };
    assert.deepEqual(Object.keys(widget?.words ?? {}), ["fr"]);
    const consent = createConsent({
      project,
      url,
      snapshot: sent,
      transport: () => Promise.reject(new Error("no network")),
    });
    const own = consent.getState();
    assert.equal(own.view, "banner");
    assert.deepEqual(own.vendors, state.vendors);
    assert.deepEqual(own.offer?.buttons, state.offer.buttons);
    await consent.ready;
  });

  it("does not count answers that are invalid, expired or given before a material change", async () => {
    const site = await newLiveSite({ cookies: [shopCookies] });
    const { projectId: project } = site;
    const cookie = await answerAsVisitor(project, { one: true, two: true });
    const readConsent = createConsentReader({ project, url, maxAgeSeconds: 0 });
    const vendorsOf = async (text: string) =>
      (await readConsent({ headers: { cookie: text } })).state.vendors;
    assert.deepEqual(await vendorsOf(cookie), { one: true, two: true, shop: true });
    const none = { one: false, two: false, shop: true };
    const memory = JSON.parse(
      decodeURIComponent(/axeptio_cookies=([^;]+)/.exec(cookie)?.[1] ?? ""),
    ) as object;
    const toCookie = (value: unknown) =>
      `axeptio_cookies=${encodeURIComponent(JSON.stringify(value))}`;
    for (const text of [
      "axeptio_cookies=%E0%A4%A",
      "axeptio_cookies={}",
      toCookie(null),
      toCookie([1]),
      toCookie({ ...memory, one: "yes", two: 1 }),
      toCookie({ ...memory, $$date: "2020-01-01T00:00:00.000Z" }),
      toCookie({ ...memory, $$token: "x".repeat(300) }),
      `axeptio_cookies=${"x".repeat(40_000)}`,
    ])
      assert.deepEqual(await vendorsOf(text), none, text.slice(0, 80));
  });

  it("does not apply the answers of another person of the device", async () => {
    const { projectId: project } = await newLiveSite({ cookies: [shopCookies] });
    const texts = new Map<string, string>();
    const storage = {
      read: (name: string) => texts.get(name),
      write: (name: string, text: string) => texts.set(name, text),
    };
    const alice = createConsent({ project, url, storage, token: "alice" });
    await alice.ready;
    await alice.answer(true);
    const cookie = `axeptio_cookies=${texts.get("axeptio_cookies") ?? ""}`;
    const read = (token: string) =>
      createConsentReader({ project, url, token: () => token })({ headers: { cookie } });
    assert.equal((await read("alice")).isAccepted("one"), true);
    const { state, isAccepted, snapshot } = await read("bob");
    assert.equal(isAccepted("one"), false);
    assert.equal(state.isAnswered, false);
    assert.doesNotMatch(JSON.stringify(snapshot.stored), /alice/);
  });

  it("takes the region from the site, and is strict without one", async () => {
    const cookies = {
      ...shopCookies,
      regions: [
        { in: ["US"], model: "opt-out" },
        { in: ["*"], model: "opt-in" },
      ],
    };
    const { projectId: project } = await newLiveSite({ cookies: [cookies] });
    const readConsent = createConsentReader({
      project,
      url,
      region: ({ headers }) => (headers as Record<string, string>)["x-country"],
    });
    const american = await readConsent({ headers: { "x-country": "US" } });
    assert.deepEqual(american.state.vendors, { one: true, two: true, shop: true });
    const gpc = await readConsent({ headers: { "x-country": "US", "sec-gpc": "1" } });
    assert.deepEqual(gpc.state.vendors, { one: false, two: false, shop: true });
    for (const country of ["", "XX", "T1", "*", "US; DROP", "x".repeat(1000)]) {
      const { state } = await readConsent({ headers: { "x-country": country } });
      assert.equal(state.model, "opt-in", country);
    }
  });

  it("leaves the banner of a known visitor to the browser, which asks the service first", async () => {
    const { projectId: project } = await newLiveSite({ cookies: [shopCookies] });
    const token = "customer-8";
    const readConsent = createConsentReader({ project, url, token: () => token });
    const first = createConsent({ project, url, token });
    await first.ready;
    const { state, snapshot } = await readConsent({ headers: {} });
    assert.equal(state.view, "closed");
    const asked = createConsent({ project, url, token, snapshot });
    assert.equal(asked.getState().view, "closed");
    await asked.ready;
    assert.equal(asked.getState().view, "banner");
    await first.answer({ one: true, two: false });
    const other = createConsent({ project, url, token, snapshot });
    await other.ready;
    assert.equal(other.getState().view, "closed");
    assert.deepEqual(other.getState().vendors, { one: true, two: false, shop: true });
  });

  it("lets the browser find the region that the server did not know", async () => {
    const regions = [
      { in: ["US"], model: "opt-out" },
      { in: ["*"], model: "opt-in" },
    ];
    const { projectId: project } = await newLiveSite({ cookies: [{ ...shopCookies, regions }] });
    const { state, snapshot } = await createConsentReader({ project, url })({ headers: {} });
    assert.equal(state.model, "opt-in");
    const consent = createConsent({ project, url, snapshot, region: "US" });
    assert.equal(consent.getState().model, "opt-in");
    await consent.ready;
    assert.equal(consent.getState().model, "opt-out");
  });

  it("keeps the banner closed that the visitor closes before the browser has loaded", async () => {
    const { projectId: project } = await newLiveSite({ cookies: [shopCookies] });
    const { snapshot } = await createConsentReader({ project, url })({ headers: {} });
    const consent = createConsent({ project, url, snapshot });
    assert.equal(consent.getState().view, "banner");
    consent.close();
    await consent.ready;
    assert.equal(consent.getState().view, "closed");
  });

  it("answers from the last published file while the service is away", async () => {
    const { projectId: project } = await newLiveSite({ cookies: [shopCookies] });
    let isDown = false;
    let reads = 0;
    const readConsent = createConsentReader({
      project,
      url,
      maxAgeSeconds: 0,
      transport: async (address, init) => {
        reads += 1;
        if (isDown) throw new Error("no network");
        return fetch(address, init);
      },
    });
    await Promise.all([readConsent({ headers: {} }), readConsent({ headers: {} })]);
    assert.equal(reads, 1);
    isDown = true;
    const { state } = await readConsent({ headers: {} });
    assert.equal(state.status, "ready");
    await assert.rejects(createConsentReader({ project: "none", url })({ headers: {} }));
  });

  it("answers from the last published file while a read of a newer one never ends", async () => {
    const { projectId: project } = await newLiveSite({ cookies: [shopCookies] });
    let isHanging = false;
    const readConsent = createConsentReader({
      project,
      url: `${url}/`,
      maxAgeSeconds: 0,
      transport: (address, init) =>
        isHanging ? new Promise(() => undefined) : fetch(address, init),
    });
    await readConsent({ headers: {} });
    isHanging = true;
    assert.equal((await readConsent({ headers: {} })).state.status, "ready");
  });

  it("rejects options without a project or an address", () => {
    const project = process.env["NONE"] as unknown as string;
    assert.throws(() => createConsentReader({ project, url }), /needs the options project and url/);
  });

  it("writes a snapshot that cannot end its script element", () => {
    const text = toScriptJson({ title: "</script><!--\u2028&" });
    assert.ok(!/[<>&\u2028]/.test(text));
    assert.deepEqual(JSON.parse(text), { title: "</script><!--\u2028&" });
  });
});
