import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  type ConsentOptions,
  type Transport,
  createConsent,
  createMemoryStorage,
} from "@avow/widget/headless";
import { TCString } from "@iabtechlabtcf/core";
import { newLiveSite, shopCookies } from "../browser/widget/site.ts";
import { service } from "../harness.ts";
import { poll } from "../poll.ts";
import { smallVendorList, writeVendorList } from "../vendor-list.ts";

const url = service.url;

/** A network that can fail, with the paths of its requests. */
function openNetwork() {
  const paths: string[] = [];
  const network = { paths, isDown: false };
  const transport: Transport = async (address, init) => {
    paths.push(new URL(address).pathname);
    if (network.isDown) throw new Error("no network");
    return fetch(address, init);
  };
  return { network, transport };
}

async function open(options: ConsentOptions) {
  const consent = createConsent(options);
  await consent.ready;
  return consent;
}

describe("createConsent", () => {
  it("asks, records the answer with a ticket, and knows it at the next start", async () => {
    const { projectId: project } = await newLiveSite({ cookies: [shopCookies] });
    const storage = createMemoryStorage();
    const consent = createConsent({ project, url, storage });
    assert.equal(consent.getState().status, "loading");
    assert.equal(consent.isAccepted("shop"), false);
    await consent.ready;
    const { view, pending, vendors, offer } = consent.getState();
    assert.equal(view, "banner");
    assert.deepEqual(pending, ["one", "two"]);
    assert.deepEqual(vendors, { one: false, two: false, shop: true });
    const buttons = offer?.buttons.map(({ name, act }) => [name, act]);
    assert.deepEqual(buttons, [
      ["refuseAll", "answer"],
      ["acceptAll", "answer"],
      ["choose", "choose"],
    ]);
    let changes = 0;
    consent.subscribe(() => (changes += 1));
    const sent = await consent.answer({ one: true, two: false });
    assert.ok(changes > 0);
    assert.ok(sent !== "kept");
    assert.equal(sent.consent.grade, "ticketed");
    const again = await open({ project, url, storage });
    assert.equal(again.getState().view, "closed");
    assert.deepEqual(again.getState().vendors, { one: true, two: false, shop: true });
    assert.equal(again.getState(), again.getState());
  });

  it("opens the preference center, and withdraws a consent there", async () => {
    const { projectId: project } = await newLiveSite({ cookies: [shopCookies] });
    const consent = await open({ project, url });
    await consent.answer(true);
    await consent.show();
    const { view, offer } = consent.getState();
    assert.equal(view, "preferences");
    assert.deepEqual(
      offer?.buttons.map(({ name }) => name),
      ["refuseAll", "acceptAll", "save"],
    );
    assert.deepEqual(
      offer?.steps.map(({ name }) => name),
      ["welcome", "analytics", "needed"],
    );
    const sent = await consent.answer(false);
    assert.ok(sent !== "kept" && sent.consent.accept === false);
    assert.deepEqual(consent.getState().vendors, { one: false, two: false, shop: true });
  });

  it("asks on for the other vendors when one is answered beside the banner", async () => {
    const { projectId: project } = await newLiveSite({ cookies: [shopCookies] });
    const consent = await open({ project, url });
    await consent.answer({ two: true });
    assert.equal(consent.getState().view, "banner");
    assert.deepEqual(consent.getState().pending, ["one"]);
    const sent = await consent.answer(false);
    assert.ok(sent !== "kept" && sent.consent.grade === "ticketed");
    assert.equal(consent.getState().view, "closed");
    assert.equal(consent.isAccepted("two"), true);
  });

  it("keeps answers while the service is unreachable, and sends each once", async () => {
    const { projectId: project, token } = await newLiveSite({ cookies: [shopCookies] });
    const { network, transport } = openNetwork();
    const storage = createMemoryStorage();
    const consent = await open({ project, url, storage, transport });
    network.isDown = true;
    assert.equal(await consent.answer(true), "kept");
    assert.equal(consent.isAccepted("one"), true);
    network.isDown = false;
    const later = await open({ project, url, storage, transport });
    await later.flush();
    await later.flush();
    await consent.flush();
    const { body } = await service.fetch(`/v1/app/consents/${project}`, { token });
    assert.equal(body.length, 1, JSON.stringify(body));
  });

  it("does not ask a known visitor who has answered on another device", async () => {
    const { projectId: project } = await newLiveSite({ cookies: [shopCookies] });
    const account = { project, url, token: "customer-7" };
    await (await open(account)).answer({ one: false, two: true });
    const other = await open(account);
    assert.equal(other.getState().view, "closed");
    assert.deepEqual(other.getState().vendors, { one: false, two: true, shop: true });
    // The same after a sign-in.
    const third = await open({ project, url });
    assert.equal(third.getState().view, "banner");
    await third.identify("customer-7");
    assert.equal(third.getState().view, "closed");
    assert.equal(third.isAccepted("two"), true);
  });

  it("rejects `ready` and lets nothing run when the project is unknown", async () => {
    const consent = createConsent({ project: "none", url });
    await assert.rejects(consent.ready, /not published/);
    const { status, error, vendors } = consent.getState();
    assert.equal(status, "failed");
    assert.match(String(error), /not published/);
    assert.deepEqual(vendors, {});
    await assert.rejects(consent.answer(true), /not published/);
  });

  it("starts without a network from the kept file, and records the answer later", async () => {
    const { projectId: project, token } = await newLiveSite({ cookies: [shopCookies] });
    const { network, transport } = openNetwork();
    const storage = createMemoryStorage();
    const options = { project, url, storage, transport, offline: true };
    network.isDown = true;
    await assert.rejects(createConsent(options).ready, /no network/);
    network.isDown = false;
    await open(options);
    network.isDown = true;
    const consent = await open(options);
    assert.equal(consent.getState().view, "banner");
    assert.equal(await consent.answer({ one: true, two: false }), "kept");
    const again = await open(options);
    assert.equal(again.getState().view, "closed");
    assert.deepEqual(again.getState().vendors, { one: true, two: false, shop: true });
    network.isDown = false;
    await again.flush();
    const { body } = await service.fetch(`/v1/app/consents/${project}`, { token });
    assert.equal(body.length, 1, JSON.stringify(body));
  });

  it("ignores a kept file that is corrupt, of another project, or no longer published", async () => {
    const { projectId: project } = await newLiveSite({ cookies: [shopCookies] });
    const key = `avow_file_${project}.json`;
    const down: Transport = () => Promise.reject(new Error("no network"));
    for (const text of ["{", "null", "[]", '{"projectId":"other"}']) {
      const storage = createMemoryStorage({ [key]: text });
      const consent = createConsent({ project, url, storage, transport: down, offline: true });
      await assert.rejects(consent.ready, /no network/, text);
    }
    const gone: Transport = () =>
      Promise.resolve({ ok: false, status: 404, json: () => Promise.resolve({}) });
    const storage = createMemoryStorage({ [key]: JSON.stringify({ projectId: project }) });
    const consent = createConsent({ project, url, storage, transport: gone, offline: true });
    await assert.rejects(consent.ready, /not published/);
  });

  it("keeps the region for a start without a network", async () => {
    const rule = { ...shopCookies, regions: [{ in: ["US_PRIVACY"], model: "opt-out" }] };
    const { projectId: project } = await newLiveSite({ cookies: [rule] });
    const { network, transport } = openNetwork();
    const storage = createMemoryStorage();
    const located: Transport = async (address, init) =>
      address.endsWith("/region") && !network.isDown
        ? { ok: true, status: 200, json: () => Promise.resolve({ region: "US-CA" }) }
        : transport(address, init);
    const options = { project, url, storage, transport: located, offline: true };
    assert.equal((await open(options)).getState().model, "opt-out");
    network.isDown = true;
    assert.equal((await open(options)).getState().model, "opt-out");
  });

  it("uses the kept file when the network takes longer than three seconds", async (t) => {
    const { projectId: project } = await newLiveSite({ cookies: [shopCookies] });
    const storage = createMemoryStorage();
    await open({ project, url, storage, offline: true });
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const transport: Transport = () => new Promise(() => undefined);
    const consent = createConsent({ project, url, storage, transport, offline: true });
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    t.mock.timers.tick(2_999);
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    assert.equal(consent.getState().status, "loading");
    t.mock.timers.tick(1);
    await consent.ready;
    assert.equal(consent.getState().view, "banner");
  });

  it("stores the unsent record before the answer, so that no answer is without a record", async () => {
    const { projectId: project } = await newLiveSite({ cookies: [shopCookies] });
    const written: string[] = [];
    const held = createMemoryStorage();
    const storage = {
      read: (name: string) => held.read(name),
      async write(name: string, text: string) {
        // A slow storage, such as that of a phone.
        await new Promise((resolve) => setImmediate(resolve));
        written.push(name);
        held.write(name, text);
      },
    };
    const { network, transport } = openNetwork();
    const consent = await open({ project, url, storage, transport });
    network.isDown = true;
    await consent.answer(true);
    assert.deepEqual(written.slice(0, 2), [`avow_unsent_${project}`, "axeptio_cookies"]);
    const again = await open({ project, url, storage: held });
    assert.equal(again.isAccepted("one"), true);
  });

  it("sends what is left of a corrupt queue, and keeps at most 100 answers", async () => {
    const { projectId: project, token } = await newLiveSite({ cookies: [shopCookies] });
    const { network, transport } = openNetwork();
    const unsent = `avow_unsent_${project}`;
    const storage = createMemoryStorage({ [unsent]: encodeURIComponent('[null,5,{"id":"a"}]') });
    const consent = await open({ project, url, storage, transport });
    network.isDown = true;
    for (let count = 0; count < 102; count += 1) await consent.answer(count % 2 === 0);
    const text = String(await storage.read(unsent));
    assert.equal((JSON.parse(decodeURIComponent(text)) as unknown[]).length, 100);
    network.isDown = false;
    await (await open({ project, url, storage, transport })).flush();
    const read = async () => (await storage.read(unsent))?.length ?? 0;
    const isRight = (length: number) => length === encodeURIComponent("[]").length;
    await poll({ read, isRight, waitMs: 10_000, toMessage: () => "the queue was not emptied" });
    const { body } = await service.fetch(`/v1/app/consents/${project}`, { token });
    assert.ok(body.length >= 20, JSON.stringify(body));
  });

  it("asks again when what is stored is corrupt", async () => {
    const { projectId: project } = await newLiveSite({ cookies: [shopCookies] });
    for (const text of ["%", "null", "5", "[]", '"text"', '{"$$token":5}', '{"one":"yes"}']) {
      const storage = createMemoryStorage({
        axeptio_cookies: text,
        [`avow_boxes_${project}`]: text,
        [`avow_unsent_${project}`]: text,
      });
      const consent = await open({ project, url, storage });
      assert.equal(consent.getState().view, "banner", text);
      await consent.answer(false);
      assert.equal(consent.getState().view, "closed", text);
    }
  });

  it("asks again when the clock was wrong by more than the lifetime of an answer", async (t) => {
    const { projectId: project } = await newLiveSite({ cookies: [shopCookies] });
    const storage = createMemoryStorage();
    t.mock.timers.enable({ apis: ["Date"], now: Date.now() + 400 * 86_400_000 });
    await (await open({ project, url, storage })).answer(true);
    t.mock.timers.reset();
    assert.equal((await open({ project, url, storage })).getState().view, "banner");
  });

  it("answers for the pending vendors only when a button is pressed twice", async () => {
    const { projectId: project } = await newLiveSite({ cookies: [shopCookies] });
    const storage = createMemoryStorage();
    await (await open({ project, url, storage })).answer({ one: false });
    const consent = await open({ project, url, storage });
    assert.deepEqual(consent.getState().pending, ["two"]);
    await Promise.all([consent.answer(true), consent.answer(true)]);
    assert.deepEqual(consent.getState().vendors, { one: false, two: true, shop: true });
  });

  it("names the missing polyfill where there are no random numbers", (t) => {
    const { crypto } = globalThis;
    t.after(() => Object.defineProperty(globalThis, "crypto", { value: crypto }));
    for (const value of [undefined, {}]) {
      Object.defineProperty(globalThis, "crypto", { value, configurable: true });
      const create = () => createConsent({ project: "a", url });
      assert.throws(create, /react-native-get-random-values/);
    }
  });

  it("answers a form with its own ticket, and asks again after a withdrawal", async () => {
    const form = { name: "news", title: "News", language: "en", message: "<p>May we write?</p>" };
    const { projectId: project, processings } = await newLiveSite({ processings: [form] });
    const storage = createMemoryStorage();
    const consent = await open({ project, url, storage });
    const { collection, configuration, say } = consent.getForm("news");
    assert.equal(collection, "processings");
    assert.equal(configuration.title, "News");
    assert.equal(say("withdraw"), "Withdraw my consent");
    consent.showForm("news");
    const sent = await consent.answerForm("news", true);
    assert.ok(sent !== "kept");
    assert.equal(sent.consent.grade, "ticketed");
    const id = processings[0] ?? "";
    assert.equal(consent.getState().forms[id]?.accept, true);
    const again = await open({ project, url, storage });
    assert.equal(again.getState().forms[id]?.accept, true);
    await again.answerForm("news", false);
    assert.equal(again.getState().forms[id]?.isWithdrawn, true);
    assert.throws(() => again.getForm("none"), /no form none/);
  });
});

describe("a consent that waits for `start`", () => {
  it("requests nothing, and begins with the state of the snapshot", async () => {
    const { projectId: project } = await newLiveSite({ cookies: [shopCookies] });
    const snapshot = (await open({ project, url })).toSnapshot();
    const { network, transport } = openNetwork();
    const consent = createConsent({ project, url, snapshot, transport, deferred: true });
    assert.equal(consent.getState().view, "banner");
    assert.deepEqual(network.paths, []);
    consent.start();
    consent.start();
    await consent.ready;
    assert.deepEqual(network.paths, [`/v1/app/tickets/${project}`]);
  });

  it("knows the answers on the device that the snapshot lacks", async () => {
    const form = { name: "news", title: "News", language: "en", message: "<p>May we write?</p>" };
    const { projectId: project, processings } = await newLiveSite({
      cookies: [shopCookies],
      processings: [form],
    });
    const snapshot = (await open({ project, url })).toSnapshot();
    const storage = createMemoryStorage();
    const earlier = await open({ project, url, storage });
    await earlier.answer(true);
    await earlier.answerForm("news", true);
    const consent = createConsent({ project, url, storage, snapshot, deferred: true });
    assert.equal(consent.getState().view, "banner");
    consent.start();
    await consent.ready;
    assert.equal(consent.getState().view, "closed");
    assert.equal(consent.isAccepted("one"), true);
    assert.equal(consent.getState().forms[processings[0] ?? ""]?.accept, true);
  });

  it("shows no banner to a known visitor before the service was asked", async () => {
    const { projectId: project } = await newLiveSite({ cookies: [shopCookies] });
    const snapshot = (await open({ project, url })).toSnapshot();
    const consent = createConsent({ project, url, snapshot, token: "new-1", deferred: true });
    assert.equal(consent.getState().view, "closed");
    consent.start();
    await consent.ready;
    assert.equal(consent.getState().view, "banner");
  });
});

describe("two people on one device", () => {
  it("are asked each, and keep their own answers", async () => {
    const { projectId: project } = await newLiveSite({ cookies: [shopCookies] });
    const [alice, bob] = [`alice-${project}`, `bob-${project}`];
    const storage = createMemoryStorage();
    await (await open({ project, url, token: bob })).answer(false);
    const consent = await open({ project, url, storage, token: alice });
    await consent.answer(true);
    await consent.identify(bob);
    assert.deepEqual(consent.getState().vendors, { one: false, two: false, shop: true });
    assert.equal(consent.getState().view, "closed");
    await consent.identify(`carol-${project}`);
    assert.equal(consent.getState().view, "banner");
    assert.deepEqual(consent.getState().pending, ["one", "two"]);
    await consent.identify(alice);
    assert.equal(consent.isAccepted("one"), true);
    const other = await open({ project, url, storage, token: `dave-${project}` });
    assert.equal(other.isAccepted("one"), false);
    assert.equal(other.getState().view, "banner");
  });

  it("leave nothing of a known person after a sign-out, and keep answers from before a sign-in", async () => {
    const { projectId: project } = await newLiveSite({ cookies: [shopCookies] });
    const storage = createMemoryStorage();
    const consent = await open({ project, url, storage });
    await consent.answer({ one: true, two: false });
    const alice = `alice-${project}`;
    await consent.identify(alice);
    assert.equal(consent.isAccepted("one"), true);
    await consent.answer(true);
    await consent.identify(undefined);
    assert.equal(consent.getState().view, "banner");
    assert.notEqual(consent.getState().token, alice);
    const sent = await consent.answer(false);
    assert.ok(sent !== "kept");
    const again = await open({ project, url, token: alice });
    assert.equal(again.isAccepted("two"), true);
  });
});

describe("answers", () => {
  it("given twice at once are one, and the last of two different ones holds", async () => {
    const { projectId: project, token } = await newLiveSite({ cookies: [shopCookies] });
    const consent = await open({ project, url });
    const [first, second] = await Promise.all([consent.answer(true), consent.answer(true)]);
    assert.equal(first, second);
    await consent.show();
    await Promise.all([consent.answer(true), consent.answer(false)]);
    assert.deepEqual(consent.getState().vendors, { one: false, two: false, shop: true });
    const { body } = await service.fetch(`/v1/app/consents/${project}`, { token });
    assert.equal(body.length, 3);
  });

  it("that the service rejects accept nothing, and refuse what they refuse", async () => {
    const { projectId: project } = await newLiveSite({ cookies: [shopCookies] });
    const { transport } = openNetwork();
    const rejecting: Transport = (address, init) =>
      address.includes("/consents/")
        ? Promise.resolve({ ok: false, status: 403, json: () => Promise.resolve({}) })
        : transport(address, init);
    const consent = await open({ project, url, transport: rejecting });
    await assert.rejects(consent.answer({ one: true, two: false }));
    assert.equal(consent.isAccepted("one"), false);
    assert.equal(consent.getState().view, "banner");
    assert.deepEqual(consent.getState().pending, ["one"]);
    assert.ok(consent.getState().error);
  });

  it("are validated", async () => {
    const { projectId: project } = await newLiveSite({ cookies: [shopCookies] });
    const consent = await open({ project, url });
    for (const given of [
      { typo: true },
      { one: "yes" },
      "yes",
      undefined,
      null,
      {},
      { shop: true },
    ])
      await assert.rejects(consent.answer(given as never), TypeError, JSON.stringify(given));
    assert.equal(consent.getState().isAnswered, false);
    for (const options of [{}, { project }, { url }])
      assert.throws(() => createConsent(options as never), TypeError);
  });

  it("work after a start without a network, and with a slash after the address", async () => {
    const { projectId: project } = await newLiveSite({ cookies: [shopCookies] });
    const { network, transport } = openNetwork();
    network.isDown = true;
    const consent = createConsent({ project, url: `${url}/`, token: "", transport });
    await assert.rejects(consent.ready);
    assert.equal(consent.getState().status, "failed");
    network.isDown = false;
    await consent.flush();
    const { status, view, error } = consent.getState();
    assert.deepEqual([status, view, error], ["ready", "banner", undefined]);
    assert.ok((await consent.answer(true)) !== "kept");
  });
});

describe("rules by region", () => {
  const vendors = [
    { name: "ads", title: "Ads" },
    { name: "count", title: "Count", uses: [] },
  ];
  const cookies = {
    name: "us",
    language: "en",
    steps: [
      { name: "welcome", layout: "welcome", title: "Privacy", message: "<p>We share.</p>" },
      { name: "all", layout: "category", title: "Services", vendors },
    ],
    settings: { gpp: "national" },
    regions: [
      { in: ["US_PRIVACY"], model: "opt-out" },
      { in: ["*"], model: "opt-in" },
    ],
  };

  it("run vendors until an opt-out, which is confirmed", async () => {
    const { projectId: project } = await newLiveSite({ cookies: [cookies] });
    const consent = await open({ project, url, region: "US-CA" });
    const { view, model, vendors: running, offer, gppString } = consent.getState();
    assert.equal(view, "banner");
    assert.equal(model, "opt-out");
    assert.deepEqual(running, { ads: true, count: true });
    assert.match(gppString ?? "", /^DB/);
    const optOut = offer?.buttons.find(({ name }) => name === "doNotSell");
    assert.ok(optOut?.answer !== undefined);
    await consent.answer(optOut.answer);
    assert.deepEqual(consent.getState().vendors, { ads: false, count: true });
    assert.match(consent.getState().offer?.note ?? "", /^Done: your data is not sold or shared/);
    assert.notEqual(consent.getState().gppString, gppString);
    consent.close();
    assert.equal(consent.getState().view, "closed");
  });

  it("refuse what Global Privacy Control refuses, without a click", async () => {
    const { projectId: project } = await newLiveSite({ cookies: [cookies] });
    const consent = await open({ project, url, region: "US-CA", gpc: true });
    assert.deepEqual(consent.getState().vendors, { ads: false, count: true });
  });

  it("are the strictest for an unknown region", async () => {
    const { projectId: project } = await newLiveSite({ cookies: [cookies] });
    const consent = await open({ project, url, region: null });
    assert.equal(consent.getState().model, "opt-in");
    assert.deepEqual(consent.getState().vendors, { ads: false, count: false });
  });
});

describe("keys of an app", () => {
  it("are those of IAB's TCF, and disappear with the answer", async () => {
    await writeVendorList(smallVendorList);
    const step = { name: "partners", layout: "iab", title: "Partners" };
    const { projectId: project } = await newLiveSite({
      cookies: [{ name: "tcf-en", language: "en", isDefault: true, steps: [step] }],
      tcf: { cmpId: 31, cmpVersion: 3, publisherCC: "FR", vendors: [2, 5, 8, 9] },
    });
    const keys = new Map<string, unknown>();
    const appKeys = {
      set(values: Readonly<Record<string, unknown>>) {
        for (const [name, value] of Object.entries(values))
          if (value === undefined) keys.delete(name);
          else keys.set(name, value);
      },
    };
    const storage = createMemoryStorage();
    const consent = await open({ project, url, storage, appKeys, region: "FR" });
    assert.equal(consent.getState().view, "banner");
    assert.equal(keys.get("IABTCF_TCString"), undefined);
    const choices = consent.tcf();
    assert.ok(choices);
    choices.draft.purposes.add(1);
    choices.draft.vendors.add(9);
    await consent.answer({}, choices);
    const tcString = String(keys.get("IABTCF_TCString"));
    const model = TCString.decode(tcString);
    assert.deepEqual(
      [...model.vendorConsents].filter(([, isOn]) => isOn).map(([id]) => id),
      [9],
    );
    assert.equal(keys.get("IABTCF_PurposeConsents"), "10000000000");
    assert.equal(keys.get("IABTCF_VendorConsents"), "000000001");
    assert.equal(keys.get("IABTCF_CmpSdkID"), 31);
    assert.equal(keys.get("IABTCF_gdprApplies"), 1);
    assert.equal(keys.get("IABTCF_PublisherCC"), "FR");
    assert.equal(consent.getState().tcString, tcString);
    assert.equal(consent.getState().view, "closed");
    const again = await open({ project, url, storage, appKeys });
    assert.equal(again.getState().view, "closed");
  });

  it("are written again after a sign-in, and do not stop the consent when they fail", async () => {
    const gpp = { ...shopCookies, settings: { gpp: "national" } };
    const rules = { regions: [{ in: ["US_PRIVACY"], model: "opt-out" }] };
    const { projectId: project } = await newLiveSite({ cookies: [{ ...gpp, ...rules }] });
    const known = { project, url, region: "US-CA", token: "customer-8" };
    await (await open(known)).answer(false);
    const written: unknown[] = [];
    const set = (values: Readonly<Record<string, unknown>>) =>
      written.push(values["IABGPP_HDR_GppString"]);
    const consent = await open({ project, url, region: "US-CA", appKeys: { set } });
    await consent.identify("customer-8");
    assert.equal(written.at(-1), consent.getState().gppString);
    assert.notEqual(written.at(-1), written[0]);
    const broken = { set: () => Promise.reject(new Error("no preferences")) };
    const other = await open({ project, url, region: "US-CA", appKeys: broken });
    assert.match(String(other.getState().error), /no preferences/);
    assert.equal(other.getState().status, "ready");
    assert.notEqual(await other.answer(true), "kept");
  });
});
