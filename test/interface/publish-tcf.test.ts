import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { after, beforeEach, describe, it } from "node:test";
import type { Content } from "@avow/contract/published";
import { readTcf } from "../../packages/server/modules/publish/tcf/vendor-list.ts";
import { service } from "../harness.ts";
import { newVendor, smallVendorList, writeVendorList } from "../vendor-list.ts";
import {
  getFile,
  newCookies,
  newSite,
  publishAndWait,
  subscribe,
  waitForJob,
} from "./publishing.ts";

const { fetch } = service;
const path = service.config.tcfVendorList ?? "";
const french = join(dirname(path), "purposes-fr.json");
const steps = [{ name: "partners", layout: "iab", title: "Partners" }];

/** A paid project with a step of the layout iab and the given tcf document. */
async function newTcfSite(tcf?: object, language = "en") {
  const site = await newSite({ organization: true });
  await subscribe(site.organization, "active");
  await newCookies(site.token, site.project.id, { steps, language });
  if (tcf) {
    const json = { projectId: site.project.id, ...tcf };
    const { status, body } = await fetch("/v1/vault/tcf", { token: site.token, json });
    assert.equal(status, 201, JSON.stringify(body));
  }
  const publish = () => publishAndWait(site.token, site.project.id);
  return { ...site, publish };
}

describe("publishing the layout iab", () => {
  after(() => rm(french, { force: true }));
  beforeEach(() => writeVendorList());
  it("publishes the vendor list reduced to the project's vendors, and its version", async () => {
    const site = await newTcfSite({
      cmpId: 31,
      cmpVersion: 4,
      publisherCC: "fr",
      vendors: [8, 2, 11],
    });
    const job = await site.publish();
    assert.equal(job.status, "Done", job.message);
    assert.match(
      job.steps[0].message,
      /Vendor list 12, 2 of its vendors\..*IAB has removed them: 11\./,
    );
    const { tcf, words } = (await getFile(site.project.id)).body.widget;
    assert.deepEqual(Object.keys(tcf.vendors), ["2", "8"]);
    assert.deepEqual(
      { ...tcf, vendors: undefined, texts: undefined },
      {
        cmpId: 31,
        cmpVersion: 4,
        publisherCC: "FR",
        vendorListVersion: 12,
        tcfPolicyVersion: 5,
        lastUpdated: smallVendorList.lastUpdated,
        vendors: undefined,
        texts: undefined,
      },
    );
    assert.deepEqual(Object.keys(tcf.texts.en.purposes), ["1", "3", "7"]);
    assert.deepEqual(Object.keys(tcf.texts.en.specialPurposes), ["1"]);
    assert.match(words.en.tcfIntro, /our partners \(\{count\}\)/);
  });

  it("uses IAB's translation beside the list, and warns where there is none", async () => {
    const site = await newTcfSite({ cmpId: 31, vendors: [2] }, "fr");
    const without = await site.publish();
    assert.match(
      without.steps[0].message,
      /IAB's texts are in English for fr, .*purposes-fr\.json/,
    );
    assert.deepEqual(Object.keys((await getFile(site.project.id)).body.widget.tcf.texts), ["en"]);
    const { vendors: _, ...texts } = smallVendorList;
    const purposes = { ...texts.purposes, 1: { ...texts.purposes[1], name: "Finalité 1" } };
    await writeFile(french, JSON.stringify({ ...texts, purposes }));
    const job = await site.publish();
    assert.doesNotMatch(job.steps[0].message, /English/);
    const { tcf } = (await getFile(site.project.id)).body.widget;
    assert.deepEqual(Object.keys(tcf.texts), ["fr"]);
    assert.equal(tcf.texts.fr.purposes[1].name, "Finalité 1");
    assert.deepEqual(
      tcf.vendors[2].urls.map(({ langId }: { langId: string }) => langId),
      ["fr", "en"],
    );
  });

  it("keeps the list of an earlier version that is published again", async () => {
    const site = await newTcfSite({ cmpId: 31, vendors: [2] });
    const { version } = await site.publish();
    await writeVendorList({ ...smallVendorList, vendorListVersion: 13 });
    await site.publish();
    const { body } = await fetch(
      `/v1/publish/projects/${site.project.id}/versions/${version}/rollback`,
      { method: "POST", token: site.token },
    );
    assert.equal((await waitForJob(site.token, body)).status, "Done");
    assert.equal((await getFile(site.project.id)).body.widget.tcf.vendorListVersion, 12);
  });

  it("treats another partner as a material change for everybody", async () => {
    const site = await newTcfSite({ cmpId: 31, vendors: [2] });
    await site.publish();
    const { token, project } = site;
    const found = await fetch(`/v1/vault/tcf?projectId=${project.id}`, { token });
    const at = `/v1/vault/tcf/${found.body[0].id}`;
    await fetch(at, { method: "PATCH", token, json: { vendors: [2, 8] } });
    const diff = `/v1/publish/projects/${project.id}/versions/live/diff/next`;
    const { body } = await fetch(diff, { token });
    assert.deepEqual(
      body.changes.map((one: Record<string, string>) => [one["class"], one["path"]]),
      [["new-vendor", "/widget/tcf/vendors/8"]],
    );
    const job = await site.publish();
    assert.match(job.steps[0].message, /The layout iab asks everybody again: 1 partner is new/);
    assert.deepEqual((await fetch(diff, { token })).body.changes, []);
  });

  it("publishes the restrictions that apply, and notes those that do not", async () => {
    const site = await newTcfSite({
      cmpId: 31,
      vendors: [2, 5],
      restrictions: [
        { purpose: 7, type: "require-consent" },
        { purpose: 7, type: "not-allowed", vendors: [2] },
        { purpose: 9, type: "not-allowed" },
      ],
    });
    const job = await site.publish();
    assert.match(job.steps[0].message, /Restrictions that apply to none of the vendors, .*: 9\./);
    const { tcf } = (await getFile(site.project.id)).body.widget;
    assert.deepEqual(tcf.restrictions, [
      { purpose: 7, type: "not-allowed", vendors: [2] },
      { purpose: 7, type: "require-consent", vendors: [5] },
    ]);
  });

  it("publishes Google's providers by id, and treats another one as a material change", async () => {
    const provider = (id: number) => ({ id, name: `Provider ${id}` });
    const site = await newTcfSite({
      cmpId: 31,
      vendors: [2],
      googleProviders: [provider(89), provider(43), provider(89)],
    });
    await site.publish();
    const { tcf } = (await getFile(site.project.id)).body.widget;
    assert.deepEqual(tcf.googleProviders, [provider(43), provider(89)]);
    const { token, project } = site;
    const found = await fetch(`/v1/vault/tcf?projectId=${project.id}`, { token });
    const json = { googleProviders: [provider(43), provider(70)] };
    await fetch(`/v1/vault/tcf/${found.body[0].id}`, { method: "PATCH", token, json });
    const diff = `/v1/publish/projects/${project.id}/versions/live/diff/next`;
    const { body } = await fetch(diff, { token });
    assert.deepEqual(
      body.changes.map((one: Record<string, string>) => [one["class"], one["path"]]),
      [
        ["new-vendor", "/widget/tcf/googleProviders/70"],
        ["removed-vendor", "/widget/tcf/googleProviders/89"],
      ],
    );
    const job = await site.publish();
    assert.match(job.steps[0].message, /1 partner is new or declares more/);
  });

  it("treats a lifted restriction as a material change", async () => {
    const site = await newTcfSite({
      cmpId: 31,
      vendors: [2],
      restrictions: [{ purpose: 3, type: "not-allowed" }],
    });
    await site.publish();
    const { token, project } = site;
    const found = await fetch(`/v1/vault/tcf?projectId=${project.id}`, { token });
    const at = `/v1/vault/tcf/${found.body[0].id}`;
    await fetch(at, { method: "PATCH", token, json: { restrictions: null } });
    const job = await site.publish();
    assert.match(job.steps[0].message, /1 partner is new or declares more/);
  });

  it("publishes none of it for a project without the layout", async () => {
    const site = await newSite();
    await publishAndWait(site.token, site.project.id);
    const { widget } = (await getFile(site.project.id)).body;
    assert.equal("tcf" in widget, false);
    assert.equal("tcfIntro" in widget.words.en, false);
  });

  it("lists IAB's vendors by name, in pages, without removed ones, from the current file", async () => {
    const { token } = await service.newUser();
    const read = (query = "") => fetch(`/v1/publish/tcf/vendors${query}`, { token });
    const { status, body } = await read();
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(
      body.map(({ id }: { id: number }) => id),
      [2, 5, 8, 9],
    );
    assert.deepEqual(body[0], {
      id: 2,
      name: "Vendor 2",
      purposes: [1, 3],
      legIntPurposes: [7],
      specialPurposes: [],
      features: [2],
      specialFeatures: [],
      policyUrl: "https://vendor-2.example/privacy",
    });
    const page = await read("?perPage=3&page=2");
    assert.deepEqual(
      [page.body.length, page.body[0].id, page.headers.get("x-total-count")],
      [1, 9, "4"],
    );
    const vendors = { 77: newVendor(77, { name: "Another" }) };
    await writeVendorList({ ...smallVendorList, vendors });
    assert.deepEqual((await read()).body[0].name, "Another");
    await rm(path);
    const missing = await read();
    assert.equal(missing.status, 422);
    assert.match(missing.body.detail, /TCF_VENDOR_LIST/);
    assert.equal((await fetch("/v1/publish/tcf/vendors")).status, 403);
  });
});

const good = { cmpId: 31, vendors: [2] };
const refused: [string, object | undefined, RegExp, (() => Promise<void>)?][] = [
  [
    "no tcf document",
    undefined,
    /needs a registered CMP\. .* tcf document \(\/v1\/vault\/tcf\) with cmpId and vendors/,
  ],
  ["no CMP id", { vendors: [2] }, /needs cmpId, the number that IAB Europe/],
  ["no vendors", { cmpId: 31, vendors: [] }, /needs vendors, the ids of 1 to 2000/],
  [
    "vendors that the list does not have",
    { cmpId: 31, vendors: [2, 77, 78] },
    /lacks these vendors .*: 77, 78\. Remove them/,
  ],
  [
    "none but vendors that were struck off",
    { cmpId: 31, vendors: [11] },
    /IAB has removed all vendors .*Choose other vendors/,
  ],
  [
    "no list",
    good,
    /TCF_VENDOR_LIST does not exist\. .*vendor-list\.json/,
    () => rm(path, { force: true }),
  ],
  [
    "a list that is no JSON",
    good,
    /vendor-list\.json is not valid JSON/,
    () => writeFile(path, "{"),
  ],
  [
    "a list of another kind",
    good,
    /TCF_VENDOR_LIST is invalid/,
    () => writeVendorList({ vendors: {} }),
  ],
  [
    "a list that is too long",
    good,
    /has \d+ bytes; the maximum is 8388608/,
    () => writeFile(path, " ".repeat(8_388_609)),
  ],
  [
    "a list without the declarations that a vendor refers to",
    good,
    /lacks texts .*: purposes 4/,
    () =>
      writeVendorList({
        ...smallVendorList,
        vendors: { ...smallVendorList.vendors, 2: newVendor(2, { purposes: [4] }) },
      }),
  ],
];

it("a service without a vendor list returns advice for its operator", async () => {
  const configuration = { identifier: "a".repeat(24), projectId: "b".repeat(24), steps };
  const content = { cookies: [configuration] } as unknown as Content;
  const config = { tcfVendorList: undefined, tcfVendorListUrl: undefined };
  const { db } = service;
  const reading = readTcf({ db, config }, content, good);
  await assert.rejects(
    reading,
    /stores IAB Europe's vendor-list\.json on the server .* TCF_VENDOR_LIST/,
  );
});

describe("publishing the layout iab ends with an Error at bundle that has advice", () => {
  beforeEach(() => writeVendorList());
  for (const [what, tcf, message, prepare] of refused) {
    it(`for ${what}`, async () => {
      await prepare?.();
      const job = await (await newTcfSite(tcf)).publish();
      assert.deepEqual([job.status, job.step], ["Error", "bundle"], job.message);
      assert.match(job.message, message);
    });
  }
});
