import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "node:test";
import { service } from "../harness.ts";
import { getFile, newCookies, newSite, publishAndWait } from "./publishing.ts";

const { fetch, newUser, newProject } = service;
const hex64 = /^[0-9a-f]{64}$/;
const isoPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe("wire section 3, the published file", () => {
  it("has exactly the fields of wire section 3", async () => {
    const { token, project } = await newSite();
    const job = await publishAndWait(token, project.id);
    const { body, headers } = await getFile(project.id);
    const names =
      "client contracts contractsV2 cookies dpo hash jobId portability privacypolicy processings projectId projectName publishedAt shadowRoot version widget";
    assert.deepEqual(Object.keys(body).toSorted().join(" "), names);
    assert.deepEqual(Object.keys(body.client).toSorted(), [
      "DPO",
      "colors",
      "fonts",
      "overlayStyle",
      "widgetStyle",
    ]);
    assert.equal(body.projectId, project.id);
    assert.equal(body.projectName, "Shop");
    assert.equal(body.shadowRoot, true);
    assert.equal(body.jobId, job.id);
    assert.equal(body.version, 1);
    assert.equal(job.version, 1);
    assert.match(body.publishedAt, isoPattern);
    assert.deepEqual(body.portability, []);
    assert.equal(headers.get("access-control-allow-origin"), "*");
    assert.equal(
      job.size,
      Buffer.byteLength(await globalThis.fetch(job.url).then((r) => r.text())),
    );
  });

  it("has each configuration with identifier (its id) and its fields, known or not", async () => {
    const { token, project, cookies } = await newSite();
    const post = (path: string, json: object) =>
      fetch(path, { token, json: { projectId: project.id, ...json } });
    const processing = await post("/v1/vault/processings", {
      title: "Newsletter",
      odd: [1, { a: 2 }],
    });
    const contract = await post("/v1/vault/contracts", {
      title: "Terms",
      file: "https://a.example/t.pdf",
    });
    const text = await post("/v1/content/contracts", { content: "<p>Long</p>" });
    const dpo = await post("/v1/vault/dpo", { fullname: "D. P. Officer" });
    for (const made of [processing, contract, text, dpo]) assert.equal(made.status, 201);
    await publishAndWait(token, project.id, { force: true });
    const { body } = await getFile(project.id);
    assert.deepEqual(body.processings, [
      {
        identifier: processing.body.id,
        projectId: project.id,
        assumed: ["language"],
        name: "newsletter",
        title: "Newsletter",
        language: "en",
        odd: [1, { a: 2 }],
      },
    ]);
    assert.deepEqual(body.contracts, [
      {
        identifier: contract.body.id,
        projectId: project.id,
        assumed: ["language"],
        name: "terms",
        title: "Terms",
        language: "en",
        file: "https://a.example/t.pdf",
      },
    ]);
    assert.deepEqual(body.contractsV2, [
      {
        identifier: text.body.id,
        projectId: project.id,
        assumed: ["title", "language"],
        name: text.body.id,
        title: text.body.id,
        language: "en",
        content: "<p>Long</p>",
      },
    ]);
    assert.deepEqual(body.dpo, { fullname: "D. P. Officer" });
    assert.equal(body.cookies[0].identifier, cookies.id);
    assert.deepEqual(body.cookies[0].steps, cookies["steps"]);
  });

  it("has in client the project's colors, fonts, widgetStyle, overlayStyle and DPO", async () => {
    const { token } = await newUser();
    const client = {
      colors: { main: "#123456" },
      fonts: { title: { family: "Inter" } },
      widgetStyle: { position: "left" },
      overlayStyle: { opacity: 0.5 },
      DPO: { email: "dpo@a.example" },
    };
    const project = await newProject(token, { ...client, privacypolicy: { title: "Privacy" } });
    await publishAndWait(token, project.id);
    const { body } = await getFile(project.id);
    assert.deepEqual(body.client, client);
    assert.deepEqual(body.privacypolicy, { title: "Privacy" });
  });

  it("has cookies with vendors in full", async () => {
    const { token, project } = await newSite();
    const vendor = await fetch("/v1/vault/vendors", {
      token,
      json: { projectId: project.id, name: "matomo", title: "Matomo", odd: true },
    });
    assert.equal(vendor.status, 201);
    const steps = [{ name: "all", layout: "category", vendors: [vendor.body.id, { name: "own" }] }];
    await newCookies(token, project.id, { steps });
    await publishAndWait(token, project.id);
    const { body } = await getFile(project.id);
    assert.deepEqual(body.cookies[1].steps[0].vendors, [
      { _id: vendor.body.id, name: "matomo", title: "Matomo", odd: true },
      { name: "own" },
    ]);
  });

  it("leaves out a configuration with a deleted vendor, and names the vendor", async () => {
    const { token, project } = await newSite();
    const json = { projectId: project.id, name: "gone" };
    const vendor = await fetch("/v1/vault/vendors", { token, json });
    const steps = [{ name: "all", layout: "category", vendors: [vendor.body.id] }];
    await newCookies(token, project.id, { steps });
    await fetch(`/v1/vault/vendors/${vendor.body.id}`, { method: "DELETE", token });
    const job = await publishAndWait(token, project.id);
    assert.equal(job.status, "Done", job.message);
    assert.match(
      job.heldBack[0].reason,
      new RegExp(`The vendor ${vendor.body.id} is unknown here`),
    );
    assert.equal((await getFile(project.id)).body.cookies.length, 1);
  });

  it("never has a private field (users, billing, rights)", async () => {
    const { token, email, id } = await newUser();
    const secret = "do-not-publish";
    const hidden = {
      users: [secret],
      billing: { card: secret },
      rights: [secret],
      createdBy: secret,
    };
    const project = await newProject(token, { ...hidden, organizationNote: secret });
    await newCookies(token, project.id, { ...hidden, roles: [secret], metadata: { secret } });
    await publishAndWait(token, project.id);
    const { body } = await getFile(project.id);
    const text = JSON.stringify(body);
    for (const never of [secret, id, email]) assert.ok(!text.includes(never), never);
  });

  it("has HTML fields that are sanitized again on publish", async () => {
    const { token, project, cookies } = await newSite();
    // As an older sanitizer, or a restored backup, might have left it.
    const steps = [
      { name: "hi", layout: "welcome", message: "<p>Hi<script>alert(1)</script></p>" },
    ];
    await service.db
      .updateTable("documents")
      .set({ body: JSON.stringify({ steps }) })
      .where("id", "=", cookies.id)
      .execute();
    await publishAndWait(token, project.id);
    const { body } = await getFile(project.id);
    assert.equal(body.cookies[0].steps[0].message, "<p>Hi</p>");
  });

  it("is written once under its hash for the same content, and immutable", async () => {
    const { token, project } = await newSite();
    const job = await publishAndWait(token, project.id);
    assert.match(job.hash, hex64);
    const { body: versions } = await fetch(job.links.versions, { token });
    const immutable = await globalThis.fetch(versions[0].links.file);
    assert.match(immutable.headers.get("cache-control") ?? "", /immutable/);
    const bytes = Buffer.from(await immutable.arrayBuffer());
    assert.equal(createHash("sha256").update(bytes).digest("hex"), job.hash);
    const { hash, ...content } = (await getFile(project.id)).body;
    assert.equal(hash, job.hash);
    assert.deepEqual(content, JSON.parse(bytes.toString("utf8")));
    await publishAndWait(token, project.id);
    const later = await globalThis.fetch(versions[0].links.file);
    assert.deepEqual(Buffer.from(await later.arrayBuffer()), bytes);
  });

  it("has a short cache lifetime at {projectId}.json", async () => {
    const { token, project } = await newSite();
    await publishAndWait(token, project.id);
    const { headers } = await getFile(project.id);
    const [, seconds] = /max-age=(\d+)/.exec(headers.get("cache-control") ?? "") ?? [];
    assert.ok(Number(seconds) <= 300, headers.get("cache-control") ?? "no cache-control");
    assert.ok(headers.get("etag"));
  });

  it("is never read partially, nor with missing parts", async () => {
    const { token, project } = await newSite();
    let { url } = await publishAndWait(token, project.id);
    const reading = { on: true, reads: 0 };
    const readers = Array.from({ length: 4 }, async () => {
      let last = 0;
      while (reading.on) {
        const answer = await globalThis.fetch(url);
        const { hash, ...content } = JSON.parse(await answer.text());
        assert.ok(content.version >= last, `version ${content.version} after ${last}`);
        last = content.version;
        const immutable = await globalThis.fetch(
          `${service.config.cdnUrl}/${project.id}/${hash}.json`,
        );
        assert.deepEqual(await immutable.json(), content);
        assert.equal(content.cookies.length >= 1, true);
        reading.reads += 1;
      }
    });
    const read = Promise.allSettled(readers).then((ends) =>
      ends.flatMap((end) => (end.status === "rejected" ? [String(end.reason)] : [])),
    );
    try {
      for (let round = 0; round < 8; round += 1) {
        await newCookies(token, project.id, { title: "x".repeat(round * 100) });
        ({ url } = await publishAndWait(token, project.id));
      }
    } finally {
      reading.on = false;
    }
    assert.deepEqual(await read, []);
    assert.ok(reading.reads > 10, `${reading.reads} reads`);
  });
});
