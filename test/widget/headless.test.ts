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
    await assert.rejects(consent.ready, /nothing is published/);
    const { status, error, vendors } = consent.getState();
    assert.equal(status, "failed");
    assert.match(String(error), /nothing is published/);
    assert.deepEqual(vendors, {});
    await assert.rejects(consent.answer(true), /nothing is published/);
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
    assert.equal(keys.get("IABTCF_PublisherCC"), "FR");
    assert.equal(consent.getState().tcString, tcString);
    assert.equal(consent.getState().view, "closed");
    const again = await open({ project, url, storage, appKeys });
    assert.equal(again.getState().view, "closed");
  });
});
