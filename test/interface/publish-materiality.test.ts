import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../harness.ts";
import { waitForJob } from "./publishing.ts";
import {
  type Site,
  collect,
  newSite,
  publishAsIs as publish,
  readStatuses,
  vendors,
} from "./site.ts";

const { fetch } = service;

async function patch(site: Site, resource: string, id: string, json: object): Promise<void> {
  const at = `/v1/vault/${resource}/${id}`;
  const { status, body } = await fetch(at, { token: site.token, method: "PATCH", json });
  assert.equal(status, 200, JSON.stringify(body));
}

async function readChanges(site: Site, from = "live", to = "next") {
  const at = `/v1/publish/projects/${site.id}/versions/${from}/diff/${to}`;
  const { status, body } = await fetch(at, { token: site.token });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/** The job of the project's latest publication. */
async function readJob(site: Site) {
  const { body } = await fetch(`/v1/publish/jobs/${site.id}`, { token: site.token });
  return waitForJob(site.token, body);
}

/** Three people who accepted everything, and one who refused. */
async function answerAll(site: Site): Promise<void> {
  for (const [token, accept] of [
    ["ann", true],
    ["bob", true],
    ["cyd", true],
    ["dan", false],
  ] as const)
    for (const [collection, id] of [
      ["cookies", site.cookies],
      ["processings", site.processing],
      ["contracts", site.contract],
    ] as const)
      assert.equal((await collect(site, collection, id, { accept, token })).status, 201);
}

const setVendors = (site: Site, list: object[]) =>
  patch(site, "cookies", site.cookies, {
    steps: [{ name: "analytics", layout: "category", vendors: list }],
  });

describe("re-consent", () => {
  it("is not required for changes of words and looks only, and nobody's answer ends", async () => {
    const site = await newSite();
    await publish(site);
    await answerAll(site);
    await patch(site, "processings", site.processing, { title: "Our newsletter", accept: "Yes" });
    await setVendors(
      site,
      vendors.map((vendor) => ({ ...vendor, shortDescription: "Words" })),
    );
    const changes = await readChanges(site);
    assert.deepEqual(changes.classes, ["wording"]);
    assert.deepEqual([changes.asksAgain.count, changes.asksAgain.tokens], [0, 0]);
    await publish(site);
    const statuses = await readStatuses(site, "ann");
    assert.equal(statuses[site.processing], "accepted");
    assert.equal(statuses[`${site.cookies}/matomo`], "accepted");
  });

  it("is required for new purposes and vendors, of those who accepted, and nothing else", async () => {
    const site = await newSite();
    await publish(site);
    await answerAll(site);
    const [matomo, ...others] = vendors;
    await setVendors(site, [
      { ...matomo, type: "advertising" },
      ...others,
      { name: "new", title: "New", domain: "new.example" },
    ]);
    await patch(site, "processings", site.processing, { purpose: "Sell your address" });
    const changes = await readChanges(site);
    assert.deepEqual(changes.classes.slice(0, 2), ["new-vendor", "new-purpose"]);
    const { asksAgain } = changes;
    assert.deepEqual([asksAgain.tokens, asksAgain.count, asksAgain.atLeast], [3, 2, false]);
    assert.deepEqual(
      asksAgain.items.map((one: Record<string, unknown>) => [
        one["identifier"],
        one["item"],
        one["additions"],
        one["tokens"],
      ]),
      [
        [site.cookies, "matomo", ["new-purpose"], 3],
        [site.processing, "", ["new-purpose"], 3],
      ],
    );
    await publish(site);
    assert.deepEqual((await readJob(site)).asksAgain, asksAgain);
    const statuses = await readStatuses(site, "bob");
    assert.equal(statuses[`${site.cookies}/matomo`], "superseded");
    assert.equal(statuses[`${site.cookies}/chat`], "accepted");
    assert.equal(statuses[`${site.cookies}/new`], "never-asked");
    assert.equal(statuses[site.processing], "superseded");
    assert.equal(statuses[site.contract], "accepted");
    const { body } = await fetch(`/v1/publish/projects/${site.id}/versions`, { token: site.token });
    assert.equal(body[0].asksAgain.tokens, 3);
    assert.equal((await readChanges(site)).asksAgain.count, 0, "once it is published");
  });

  it("is not required when less is asked for, but is after returning to more", async () => {
    const site = await newSite();
    await patch(site, "processings", site.processing, {
      storageDuration: 24,
      personalDataTypes: ["email", "name"],
    });
    await publish(site);
    await answerAll(site);
    const less = { storageDuration: 12, personalDataTypes: ["email"], processors: [] };
    await patch(site, "processings", site.processing, less);
    assert.equal((await readChanges(site)).asksAgain.count, 0);
    await publish(site);
    assert.equal((await readStatuses(site, "ann"))[site.processing], "accepted");
    // Acceptance of twelve months does not cover the previous twenty-four.
    await collect(site, "processings", site.processing, { accept: true, token: "eve" });
    await patch(site, "processings", site.processing, { storageDuration: 24 });
    const { asksAgain, classes } = await readChanges(site);
    assert.ok(classes.includes("longer-storage"), classes.join());
    assert.deepEqual(asksAgain.items[0].additions, ["longer-storage"]);
    assert.equal(asksAgain.tokens, 1);
    await publish(site);
    assert.equal((await readStatuses(site, "eve"))[site.processing], "superseded");
    assert.equal((await readStatuses(site, "ann"))[site.processing], "accepted");
  });

  it("is not required after a rollback of those who accepted that version or more", async () => {
    const site = await newSite();
    await publish(site);
    await answerAll(site);
    await patch(site, "processings", site.processing, { storageDuration: 24 });
    await publish(site);
    assert.equal((await readStatuses(site, "ann"))[site.processing], "superseded");
    await collect(site, "processings", site.processing, { accept: true, token: "eve" });
    const { body } = await fetch(`/v1/publish/projects/${site.id}/versions`, { token: site.token });
    const rollback = await fetch(body[1].links.rollback, { token: site.token, json: {} });
    const job = await waitForJob(site.token, rollback.body);
    assert.deepEqual([job.status, job.asksAgain.count], ["Done", 0], job.message);
    for (const token of ["ann", "eve"])
      assert.equal((await readStatuses(site, token))[site.processing], "accepted", token);
    const list = `/v1/client/${site.id}/tokens/accepted/${site.processing}`;
    const accepted = await fetch(list, { token: site.token });
    assert.deepEqual(accepted.body.items.map((one: { token: string }) => one.token).toSorted(), [
      "ann",
      "bob",
      "cyd",
      "eve",
    ]);
  });

  it("is in the feed of changes", async () => {
    const site = await newSite();
    await publish(site);
    await answerAll(site);
    const list = `/v1/client/${site.id}/tokens/accepted/${site.processing}`;
    const accepted = new Set<string>();
    let mark = "";
    const readAll = async () => {
      const first = mark ? `${list}?since=${encodeURIComponent(mark)}` : list;
      for (let next: string | undefined = first; next;) {
        const { body } = await fetch(next, { token: site.token });
        for (const { token, change } of body.items) {
          if (change === "removed") accepted.delete(token);
          else accepted.add(token);
        }
        mark = new URL(body.changes, service.url).searchParams.get("since") ?? "";
        next = body.links.next;
      }
      return [...accepted].toSorted();
    };
    const publishMonths = async (storageDuration: number) => {
      await patch(site, "processings", site.processing, { storageDuration });
      await publish(site);
    };
    assert.deepEqual(await readAll(), ["ann", "bob", "cyd"]);
    await publishMonths(24);
    assert.deepEqual(await readAll(), []);
    await collect(site, "processings", site.processing, { accept: true, token: "eve" });
    assert.deepEqual(await readAll(), ["eve"]);
    await publishMonths(6);
    assert.deepEqual(await readAll(), ["ann", "bob", "cyd", "eve"]);
    await publishMonths(18);
    assert.deepEqual(await readAll(), ["eve"]);
  });

  it("is required for new recipients of data, also if only the policy or the country differs, but not for a fixed comma", async () => {
    const site = await newSite();
    const own = { name: "stats", title: "Matomo", policyUrl: "https://matomo.org/privacy" };
    await setVendors(site, [own]);
    await publish(site);
    const reads: [object, object, string[]][] = [
      [{ purpose: "send  news." }, { ...own, title: "Matomo Cloud" }, []],
      [{ processors: [{ name: "mailer", role: "posts" }] }, own, []],
      [{}, { ...own, title: "Ads", policyUrl: "https://policies.google.com/" }, ["new-recipient"]],
      [{ processors: [{ name: "Mailer", website: "https://mailer.cn" }] }, own, ["new-recipient"]],
      [{ processors: [{ name: "Mailer", country: "CN" }] }, own, ["fewer-safeguards"]],
    ];
    for (const [box, vendor, expected] of reads) {
      await patch(site, "processings", site.processing, {
        purpose: "Send news",
        processors: [{ name: "Mailer", role: "sends" }],
        ...box,
      });
      await setVendors(site, [vendor]);
      const { asksAgain } = await readChanges(site);
      const found = asksAgain.items.flatMap((one: { additions: string[] }) => one.additions);
      assert.deepEqual(found, expected, JSON.stringify([box, vendor]));
    }
    const at = `/v1/vault/projects/${site.id}`;
    const json = { DPO: { organization: "Data Broker Inc" } };
    await fetch(at, { token: site.token, method: "PATCH", json });
    assert.ok((await readChanges(site)).classes.includes("new-controller"));
  });

  it("distinguishes longer storage, new recipients, more data, fewer safeguards and new terms", async () => {
    const site = await newSite();
    await publish(site);
    const more = {
      "longer-storage": { storageDuration: 13 },
      "new-recipient": { processors: [{ name: "Mailer" }, { name: "Broker" }] },
      "more-data": { personalDataTypes: ["email", "iris"] },
      "fewer-safeguards": {
        automatedDecisions: true,
        automatedDecisionsContact: "x",
        automatedDecisionsDetails: "y",
      },
    };
    for (const [kind, json] of Object.entries(more)) {
      await patch(site, "processings", site.processing, json);
      const { changes } = await readChanges(site);
      const [first] = changes;
      assert.deepEqual([first.class, first.path], [kind, "/processings/0"], JSON.stringify(first));
      await publish(site);
    }
    await patch(site, "contracts", site.contract, { file: "https://shop.example/terms-2.pdf" });
    assert.equal((await readChanges(site)).changes[0].class, "new-terms");
    await patch(site, "processings", site.processing, { consentWithdraw: "" });
    const { changes } = await readChanges(site);
    assert.ok(
      changes.some(
        (one: { class: string; path: string }) =>
          one.class === "fewer-safeguards" && one.path === "/processings/0/consentWithdraw",
      ),
      JSON.stringify(changes),
    );
  });

  it("is also requested by the widget: the file has the same digests where it is not required", async () => {
    const site = await newSite();
    const readSubstances = async () => {
      const { body } = await fetch(`${service.config.cdnUrl}/${site.id}.json`);
      return body.widget.substances;
    };
    await publish(site);
    const first = await readSubstances();
    await patch(site, "processings", site.processing, { storageDuration: 6 });
    await publish(site);
    const lesser = await readSubstances();
    const [, ...covered] = lesser[site.processing][""].split(" ");
    assert.deepEqual(
      covered,
      [first[site.processing][""]],
      "people who accepted more are not asked",
    );
    await patch(site, "processings", site.processing, { storageDuration: 36 });
    await publish(site);
    const third = await readSubstances();
    assert.equal(third[site.processing][""].includes(first[site.processing][""]), false);
    assert.deepEqual(third[site.cookies], first[site.cookies]);
  });
});

describe("GET /v1/publish/projects/{projectId}/versions/{from}/diff/{to}", () => {
  it("compares two versions, with the operations (RFC 6902)", async () => {
    const site = await newSite();
    await publish(site);
    await patch(site, "cookies", site.cookies, { title: "Another banner" });
    await publish(site);
    const { from, to, changes, operations, asksAgain, truncated } = await readChanges(
      site,
      "1",
      "2",
    );
    assert.deepEqual([from, to, asksAgain, truncated], [1, 2, undefined, false]);
    const path = operations[0].path;
    assert.deepEqual(operations, [{ op: "replace", path, value: "Another banner" }]);
    assert.match(path, /^\/cookies\/0\/title$/);
    const [{ configuration, before, message, ...change }] = changes;
    assert.equal(configuration.identifier, site.cookies);
    assert.deepEqual([configuration.collection, configuration.name], ["cookies", "Another banner"]);
    assert.deepEqual(change, {
      class: "wording",
      kind: "changed",
      path,
      about: ["Another banner", "Title"],
      asks: "nobody",
      field: "title",
      after: { type: "text", text: "Another banner", parts: change.after.parts },
    });
    assert.equal(
      message,
      `“Another banner”: “Title” changed: “${before.text}” → “Another banner”.`,
    );
    assert.deepEqual((await readChanges(site, "2", "live")).operations, []);
    assert.deepEqual((await readChanges(site, "live", "next")).operations, []);
  });

  it("compares any two versions in either direction, by the identifiers of steps and vendors", async () => {
    const site = await newSite();
    const steps = (...names: string[]) =>
      patch(site, "cookies", site.cookies, {
        steps: names.map((name) => ({ name, title: name.toUpperCase(), layout: "category" })),
      });
    for (const names of [
      ["a", "b"],
      ["z", "a", "c", "b"],
      ["b", "z"],
    ]) {
      await steps(...names);
      await publish(site);
    }
    const describeDiff = async (from: string, to: string) =>
      (await readChanges(site, from, to)).changes.map(
        (one: Record<string, string>) => one["message"],
      );
    assert.deepEqual(await describeDiff("1", "2"), [
      "The step “Z” is new.",
      "The step “C” is new.",
    ]);
    assert.deepEqual(await describeDiff("1", "3"), [
      "The step “Z” is new.",
      "The step “A” was removed.",
    ]);
    assert.deepEqual(await describeDiff("3", "2"), [
      "The step “Z” moved from 2 to 1.",
      "The step “A” is new.",
      "The step “C” is new.",
    ]);
    await steps("b", "z");
    assert.deepEqual(await describeDiff("2", "next"), await describeDiff("2", "3"));
    assert.deepEqual(await describeDiff("1", "1"), []);
  });

  it("marks changes that require re-consent exactly where the publication asks for it", async () => {
    const site = await newSite();
    await publish(site);
    await patch(site, "processings", site.processing, { storageDuration: 24 });
    const longer = await readChanges(site);
    assert.deepEqual(
      longer.changes.map((one: Record<string, unknown>) => [
        one["asks"],
        one["field"],
        one["after"],
      ]),
      [["again", "storageDuration", { type: "number", text: "24" }]],
    );
    assert.equal(longer.asksAgain.count, 1);
    await publish(site);
    const session = { name: "session", title: "Session", type: "necessary", required: true };
    await setVendors(site, [{ ...session, domain: "shop.example" }]);
    await publish(site);
    // Consent is never asked for vendors that are always on.
    await setVendors(site, [{ ...session, domain: "cloud.example" }]);
    const { asksAgain, changes, count } = await readChanges(site);
    assert.deepEqual(
      [asksAgain.count, count, changes[0].class, changes[0].asks],
      [0, 1, "new-recipient", "nobody"],
    );
  });

  it("compares with nothing before the first publication", async () => {
    const site = await newSite();
    const { from, to, classes } = await readChanges(site);
    assert.deepEqual([from, to], [null, null]);
    assert.deepEqual(classes, ["new-configuration", "new-vendor", "new-purpose"]);
  });

  it("returns 404 for unknown versions and projects, 400 for malformed ones", async () => {
    const site = await newSite();
    const stranger = await service.newUser();
    const read = (token: string, from: string, to: string) =>
      fetch(`/v1/publish/projects/${site.id}/versions/${from}/diff/${to}`, { token });
    assert.equal((await read(site.token, "1", "next")).status, 404);
    assert.equal((await read(site.token, "next", "live")).status, 404);
    assert.equal((await read(stranger.token, "live", "next")).status, 404);
    for (const name of ["0", "x", "-1", "1e3", "9999999999"])
      assert.equal((await read(site.token, name, "next")).status, 400, name);
  });
});
