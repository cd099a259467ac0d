import assert from "node:assert/strict";
import { type Json, assertProblem, assertStatus, toList, toText, toPlain } from "../client.ts";
import { behaviour, section } from "../behaviour.ts";
import { dataProtectionOfficer, toBanner, toContract, toProcessing, vendor } from "../documents.ts";
import { create, createProject, select } from "../site.ts";
import { once, openOwner, runId } from "../target.ts";

const openProject = once(async () => toText((await createProject())["_id"]));

/** Every field of the tables Cookie configuration and Step, and of wire section 2. */
function toWholeBanner(projectId: string): object {
  return {
    projectId,
    name: `whole-${runId}`,
    title: "Whole banner",
    language: "en",
    country: "EU",
    isDefault: true,
    steps: [
      {
        name: "welcome",
        layout: "welcome",
        title: "Cookies",
        topTitle: "Welcome",
        subTitle: "Your choice",
        message: "<p>Choose <strong>freely</strong>.</p>",
        image: "https://conformance.example.com/cookie.png",
        strings: { accept: "Accept all" },
      },
      {
        name: "statistics",
        layout: "category",
        title: "Statistics",
        topTitle: "Step 2",
        subTitle: "Measuring",
        message: "<p>We count visits.</p>",
        image: "cookie-bienvenue",
        showToggleAllSwitch: true,
        strings: { next: "Continue" },
        vendors: [
          {
            ...vendor,
            image: "https://statistics.example.com/logo.png",
            required: false,
            googleConsentMode: ["analytics_storage"],
            category: "Analytics",
          },
        ],
      },
    ],
    strings: { title: "Cookies", welcome: { accept: "OK" } },
    consentWidgetStrings: { title: "Your consent" },
    settings: { position: "bottom-left", showOnce: false, delay: 10 },
    googleConsentMode: { display: true, default: { analytics_storage: "denied" } },
    a11yStrings: {},
    uiSettings: { theme: null },
    icon: "icon_v2_marketing",
  };
}

const wholeProcessing = {
  picture: "https://conformance.example.com/mail.png",
  confirmations: {
    accepted: { title: "Thank you", message: "<p>You are in.</p>", backButtonText: "Back" },
    refused: { title: "Noted", message: "<p>No mail.</p>", backButtonText: "Back" },
  },
  automatedDecisions: true,
  automatedDecisionsContact: "privacy@example.com",
  automatedDecisionsDetails: "<p>A score decides on the offer.</p>",
  storageDuration: 0.5,
  name: `newsletter-${runId}`,
};

/** Creates a document, and returns it as POST, GET, the list and PUT answer it. */
async function sendAndRead(resource: string, sent: object): Promise<Record<string, Json>> {
  const { client } = await openOwner();
  const path = resource.startsWith("/") ? resource : `/v1/vault/${resource}`;
  const created = await create(resource, sent);
  const id = toText(created["_id"]);
  const read = assertStatus(await client.get(`${path}/${id}`), 200).json;
  const query = { sort: "-createdAt", perPage: "1000" };
  const list = toList(assertStatus(await client.get(path, { query }), 200).json);
  const listed = list.find(({ _id }) => toPlain(_id) === id);
  assert.ok(listed, "the document is in the list");
  const replaced = assertStatus(await client.put(`${path}/${id}`, sent), 200).json;
  return { created, read, listed, replaced };
}

/** Asserts that a document is answered with every field as sent. */
async function assertRoundTrip(resource: string, sent: object): Promise<void> {
  for (const [name, answer] of Object.entries(await sendAndRead(resource, sent)))
    assert.deepEqual(select(answer, sent), sent, name);
}

/** Asserts that the keys of a document, at any depth, are answered in the order sent. */
async function assertOrder(resource: string, sent: object): Promise<void> {
  for (const [name, answer] of Object.entries(await sendAndRead(resource, sent))) {
    const own = Object.fromEntries(Object.entries(answer).filter(([key]) => key in sent));
    assert.equal(JSON.stringify(own), JSON.stringify(sent), `${resource}, ${name}`);
  }
}

section("Configurations", { isConcurrent: false }, () => {
  behaviour("keeps every field of a cookie configuration", "interface: Step; wire 2", async () => {
    await assertRoundTrip("cookies", toWholeBanner(await openProject()));
  });

  behaviour("keeps every field of a processing", "interface: Processing; wire 2", async () => {
    await assertRoundTrip("processings", toProcessing(await openProject(), wholeProcessing));
  });

  behaviour("keeps every field of a contract", "interface: Contract; wire 2", async () => {
    const name = `terms_${runId}`;
    await assertRoundTrip("contracts", toContract(await openProject(), { name }));
  });

  behaviour("keeps every field of a vault vendor", "wire 2: Vendor", async () => {
    const projectId = await openProject();
    const more = { name: `vendor_${runId}`, required: true, googleConsentMode: ["ad_storage"] };
    const image = "https://statistics.example.com/logo.png";
    await assertRoundTrip("vendors", { projectId, ...vendor, ...more, image });
  });

  behaviour("keeps the fields of media, dpo and tcf documents", "wire 2", async () => {
    const projectId = await openProject();
    const media = { url: "https://conformance.example.com/cookie.png", alt: "A cookie" };
    await assertRoundTrip("media", { projectId, name: `media-${runId}`, ...media });
    await assertRoundTrip("dpo", { projectId, ...dataProtectionOfficer });
    await assertRoundTrip("tcf", { projectId, name: `tcf-${runId}`, language: "en" });
  });

  behaviour("keeps the fields of a long document", "wire 2: /v1/content/contracts", async () => {
    const projectId = await openProject();
    const config = { title: "Terms", sections: ["scope", "price"], numbered: true };
    const content = "<h2>Terms</h2><p>Scope and price.</p>";
    await assertRoundTrip("/v1/content/contracts", { projectId, config, content });
  });

  behaviour("lists the revisions of a long document", "wire 9: Aliases", async () => {
    const { client } = await openOwner();
    const projectId = await openProject();
    const path = "/v1/content/contracts";
    const created = await create(path, { projectId, config: {}, content: "<p>One</p>" });
    const address = `${path}/${toText(created["_id"])}`;
    assertStatus(await client.patch(address, { content: "<p>Two</p>" }), 200);
    const revisions = assertStatus(await client.get(`${address}/revisions`), 200);
    const versions = assertStatus(await client.get(`${address}/versions`), 200);
    assert.deepEqual(revisions.json, versions.json);
    assert.ok(toList(revisions.json).length > 0);
  });

  behaviour(
    "answers the keys of every kind of document in the order sent",
    "wire 9: Order of keys",
    async () => {
      const nested = { zebra: 1, apple: { y: [{ d: 1, a: 2 }], x: null }, mango: true };
      const projectId = await openProject();
      const ends = { zulu: nested, projectId, beta: 2, alpha: "first" };
      const steps = [{ title: "Hi", layout: "welcome", name: "welcome", alpha: 1 }];
      await assertOrder("cookies", {
        ...ends,
        steps,
        title: "Order",
        name: `o-${runId}`,
      });
      await assertOrder("processings", { ...ends, ...toProcessing(projectId) });
      await assertOrder("contracts", { ...ends, ...toContract(projectId) });
      await assertOrder("vendors", { ...ends, ...vendor, name: `o_${runId}` });
      await assertOrder("dpo", { ...ends, ...dataProtectionOfficer });
      await assertOrder("media", {
        ...ends,
        url: "https://conformance.example.com/a.png",
        name: "a",
      });
      await assertOrder("/v1/content/contracts", { ...ends, content: "<p>A</p>", config: nested });
      const websiteURL = "https://conformance.example.com";
      await assertOrder("projects", {
        zulu: nested,
        title: "Order",
        colors: nested,
        websiteURL,
        a: 1,
      });
      await assertOrder("organizations", { zulu: nested, name: "Order", city: "Paris", a: 1 });
    },
  );

  behaviour("requires a project that exists", "wire 2", async () => {
    const { client } = await openOwner();
    for (const [resource, body] of [
      ["cookies", toBanner("0".repeat(24))],
      ["processings", toProcessing("0".repeat(24))],
      ["contracts", toContract("0".repeat(24))],
    ] as const)
      assertProblem(await client.post(`/v1/vault/${resource}`, body), 400, 404, 422);
    assertProblem(await client.post("/v1/vault/cookies", { name: "without" }), 400);
  });

  behaviour(
    "validates steps: names, layouts, vendors and timeout",
    "interface: Step; wire 2",
    async () => {
      const { client } = await openOwner();
      const projectId = await openProject();
      const welcome = { name: "welcome", layout: "welcome" };
      const category = { name: "category", layout: "category" };
      const wrong: Record<string, readonly object[]> = {
        "two steps of one name": [welcome, { ...category, name: "welcome" }],
        "an unknown layout": [{ name: "a", layout: "popup" }],
        "vendors with the layout welcome": [{ ...welcome, vendors: [vendor] }],
        "a timeout with the layout category": [{ ...category, timeout: 500 }],
        "two vendors of one name": [{ ...category, vendors: [vendor, vendor] }],
      };
      for (const [name, steps] of Object.entries(wrong)) {
        const answer = await client.post("/v1/vault/cookies", toBanner(projectId, { steps }));
        assert.equal(answer.status, 400, name);
        assertProblem(answer, 400);
      }
    },
  );

  behaviour(
    "answers 422 to a paid layout on the free tier, naming the step",
    "wire 2",
    async (t) => {
      const { client } = await openOwner();
      const project = await createProject();
      const projectId = toText(project["_id"]);
      for (const layout of ["info", "iab", "soft_consent"]) {
        const steps = [{ name: `paid-${layout}`, layout }];
        const answer = await client.post("/v1/vault/cookies", toBanner(projectId, { steps }));
        if (answer.status === 201) return t.skip("the free plan of this service has all layouts");
        assertProblem(answer, 422);
        assert.ok(answer.text.includes(`paid-${layout}`) || /steps[/.[]0/.test(answer.text));
      }
    },
  );

  behaviour("sanitizes HTML, and reports it in warnings", "wire 2", async () => {
    const projectId = await openProject();
    const message = '<p onclick="x()">Hello</p><script>alert(1)</script>';
    const created = await create("processings", toProcessing(projectId, { message }));
    assert.doesNotMatch(JSON.stringify(created["message"]), /script|onclick/);
    assert.match(JSON.stringify(created["message"]), /Hello/);
    assert.ok(toList(created["warnings"]).length > 0, "warnings");
  });

  behaviour("requires contact and details of automated decisions: 400", "wire 2", async () => {
    const { client } = await openOwner();
    const body = toProcessing(await openProject(), { automatedDecisions: true });
    const answer = assertProblem(await client.post("/v1/vault/processings", body), 400);
    const paths = toList(answer.json["errors"]).map(({ path }) => toPlain(path));
    assert.match(paths.join(" "), /automatedDecisionsContact/);
    assert.match(paths.join(" "), /automatedDecisionsDetails/);
  });

  behaviour(
    "rejects a negative duration, a wrong colour and a wrong file: 400",
    "wire 2",
    async () => {
      const { client } = await openOwner();
      const projectId = await openProject();
      const buttons = [{ text: "Yes", color: "green", value: true }];
      const bodies = [
        ["processings", toProcessing(projectId, { storageDuration: -1 })],
        ["processings", toProcessing(projectId, { buttons })],
        ["contracts", toContract(projectId, { buttons })],
        ["contracts", toContract(projectId, { file: "javascript:alert(1)" })],
      ] as const;
      for (const [resource, body] of bodies)
        assertProblem(await client.post(`/v1/vault/${resource}`, body), 400);
    },
  );

  behaviour(
    "keeps fields with the name of a service field under _client, with a warning",
    "wire 9: Fields with the name of a service field",
    async () => {
      const { client } = await openOwner();
      const version = { major: 2, label: "spring" };
      const created = await create("cookies", toBanner(await openProject(), { version }));
      assert.equal(created["version"], 1, "the service's own version");
      assert.match(JSON.stringify(created["warnings"] ?? []), /version/);
      const path = `/v1/vault/cookies/${toText(created["_id"])}`;
      const { json } = assertStatus(await client.get(path), 200);
      assert.deepEqual(json["_client"]?.["version"] ?? json["_client.version"], version);
    },
  );

  behaviour("keeps vendors of an unknown id, with a warning", "wire 9: Vendors", async () => {
    const { client } = await openOwner();
    const vendors = ["6282644588ca8e0d930c0071", "62826445a14602f7d6038a93"];
    const steps = [
      { name: "welcome", layout: "welcome", title: "Cookies" },
      { name: "statistics", layout: "category", title: "Statistics", vendors },
    ];
    const created = await create("cookies", toBanner(await openProject(), { steps }));
    const path = `/v1/vault/cookies/${toText(created["_id"])}`;
    const { json } = assertStatus(await client.get(path), 200);
    assert.deepEqual(toList(json["steps"])[1]?.["vendors"], vendors);
    assert.match(JSON.stringify(created["warnings"] ?? []), /6282644588ca8e0d930c0071/);
  });

  behaviour("accepts the id of a vault vendor in a step", "wire 2: Vendor", async () => {
    const projectId = await openProject();
    const own = await create("vendors", { projectId, ...vendor, name: `own_${runId}` });
    const steps = [{ name: "one", layout: "category", title: "One", vendors: [own["_id"]] }];
    const created = await create("cookies", toBanner(projectId, { steps }));
    assert.equal(toList(toList(created["steps"])[0]?.["vendors"])[0], own["_id"]);
  });

  for (const [resource, toFields] of [
    ["cookies", toBanner],
    ["processings", toProcessing],
    ["contracts", toContract],
  ] as const)
    behaviour(
      `duplicates a document of ${resource} under a unique name`,
      "wire 9: Aliases",
      async () => {
        const { client } = await openOwner();
        const projectId = await openProject();
        const name = `original-${resource}-${runId}`;
        const original = await create(resource, toFields(projectId, { name, title: "Original" }));
        const path = `/v1/vault/${resource}`;
        const address = `${path}/${toText(original["_id"])}/duplicate`;
        const copies = [await client.post(address), await client.post(address)];
        for (const { json, status } of copies) {
          assert.equal(status, 201);
          assert.notEqual(json["_id"], original["_id"]);
          assert.equal(json["projectId"], projectId);
          assert.notEqual(json["name"], name);
        }
        assert.notEqual(copies[0]?.json["name"], copies[1]?.json["name"]);
        for (const { json } of copies)
          assertStatus(await client.delete(`${path}/${toText(json["_id"])}`), 204);
      },
    );

  behaviour("gives each configuration a unique name that stays", "wire 9", async () => {
    const { client } = await openOwner();
    const projectId = toText((await createProject())["_id"]);
    const first = await create("cookies", toBanner(projectId, { title: "Same title" }));
    const second = await create("cookies", toBanner(projectId, { title: "Same title" }));
    const name = toText(first["name"], "name");
    assert.notEqual(second["name"], name);
    const path = `/v1/vault/cookies/${toText(first["_id"])}`;
    const { json } = assertStatus(await client.patch(path, { title: "Another title" }), 200);
    assert.equal(json["name"], name);
  });

  behaviour("deletes a configuration: 204, then 404", "wire 2", async () => {
    const { client } = await openOwner();
    const created = await create("cookies", toBanner(await openProject()));
    const path = `/v1/vault/cookies/${toText(created["_id"])}`;
    assertStatus(await client.delete(path), 204);
    assertProblem(await client.get(path), 404);
    assertProblem(await client.patch(path, { title: "Late" }), 404);
  });

  behaviour("lists the configurations of a project", "wire 2", async () => {
    const { client } = await openOwner();
    const projectId = toText((await createProject())["_id"]);
    const created = await create("processings", toProcessing(projectId));
    const query = { projectId };
    const answer = assertStatus(await client.get("/v1/vault/processings", { query }), 200);
    assert.deepEqual(
      toList(answer.json).map(({ _id }) => _id),
      [created["_id"]],
    );
  });
});
