import assert from "node:assert/strict";
import {
  type Json,
  assertProblem,
  assertStatus,
  getLink,
  toList,
  toText,
  toPlain,
} from "../client.ts";
import { behaviour, section } from "../behaviour.ts";
import { toBanner, toContract, toProcessing } from "../documents.ts";
import {
  create,
  createCompleteProject,
  openSite,
  pollJob,
  publish,
  publishDone,
  readPublished,
  toFileAddress,
  waitUntilGone,
} from "../site.ts";
import { openOwner, visitor } from "../target.ts";

const steps = ["bundle", "limits", "organization", "subscription", "upload", "invalidate"];
const LARGE_TEXT_CHARS = 12_000;
const LARGE_TEXTS = 8;

async function createOnProject(): Promise<string> {
  return toText((await createCompleteProject())["_id"]);
}

/** Identifiers of the configurations in a list of a job: `published`, `unchanged` or `heldBack`. */
function listIdentifiers(job: Json, name: string): unknown[] {
  return toList(job[name]).map(({ identifier }) => identifier);
}

section("Publish and poll", { isConcurrent: true }, () => {
  behaviour("answers 202 with the job and its links", "interface: Publish; wire 3", async () => {
    const projectId = await createOnProject();
    await create("cookies", toBanner(projectId));
    const { first, job } = await publish(projectId);
    const { json } = first;
    assert.match(toText(json["_id"]), /^[0-9a-f]{24}$/);
    assert.equal(json["id"], json["_id"]);
    assert.equal(json["projectId"], projectId);
    assert.equal(json["timeout"], 500);
    assert.ok(["Pending", "Active", "Done"].includes(toPlain(json["status"])));
    assert.match(toText(json["createdAt"]), /Z$/);
    assert.ok(getLink(json, "self"));
    assert.match(getLink(json, "project"), new RegExp(projectId));
    assert.deepEqual(
      toList(job["steps"]).map(({ name }) => name),
      steps,
    );
  });

  behaviour("ends as Done with url, hash, size, version and links.file", "wire 3", async () => {
    const { job } = await openSite();
    assert.equal(job["status"], "Done");
    assert.match(toText(job["url"]), /^https?:/);
    assert.match(toText(job["hash"]), /^[0-9a-f]{64}$/);
    assert.ok(Number(job["size"]) > 0);
    assert.ok(Number(job["version"]) >= 1);
    assertStatus(await visitor.get(getLink(job, "file")), 200);
    for (const name of ["startedAt", "endedAt"]) assert.match(toText(job[name], name), /Z$/);
    for (const step of toList(job["steps"]))
      for (const name of ["startedAt", "endedAt"]) assert.match(toText(step[name], name), /Z$/);
  });

  behaviour(
    "is polled by the id of the job and of the project, with Retry-After",
    "wire 3",
    async () => {
      const { client } = await openOwner();
      const { projectId, job } = await openSite();
      for (const id of [toText(job["_id"]), projectId]) {
        const answer = assertStatus(await client.get(`/v1/publish/jobs/${id}`), 200);
        assert.equal(answer.json["projectId"], projectId);
        assert.ok(answer.headers.has("retry-after"), "Retry-After");
      }
      const query = { projectId };
      const list = assertStatus(await client.get("/v1/publish/jobs", { query }), 200);
      assert.ok(toList(list.json).some(({ _id }) => _id === job["_id"]));
      assert.ok(list.headers.has("retry-after"), "Retry-After of the list");
    },
  );

  behaviour("streams the steps as server-sent events", "wire 3", async () => {
    const { client } = await openOwner();
    const { job } = await openSite();
    const headers = { accept: "text/event-stream" };
    const answer = assertStatus(await client.get(getLink(job, "self"), { headers }), 200);
    assert.match(answer.headers.get("content-type") ?? "", /^text\/event-stream/);
    const data = [...answer.text.matchAll(/^data: ?(.*)$/gm)].map(([, text = ""]) => text);
    assert.match(data.at(-1) ?? "", /"Done"/);
  });

  behaviour("answers a running job again", "wire 3", async () => {
    const { client } = await openOwner();
    const projectId = await createOnProject();
    await create("cookies", toBanner(projectId));
    const path = `/v1/publish/jobs/${projectId}`;
    const answers = await Promise.all([client.post(path), client.post(path)]);
    const ids = new Set(answers.map((answer) => assertStatus(answer, 202).json["_id"]));
    assert.equal(ids.size, 1, "one job");
  });

  behaviour("answers 404 for an unknown project or job", "wire 3", async () => {
    const { client } = await openOwner();
    const path = `/v1/publish/jobs/${"0".repeat(24)}`;
    assertProblem(await client.post(path), 404);
    assertProblem(await client.get(path), 404);
  });

  behaviour("publishes to staging without touching production", "wire 3", async () => {
    const projectId = await createOnProject();
    await create("cookies", toBanner(projectId));
    const job = await publishDone(projectId, { environment: "staging" });
    assert.ok(!toText(job["url"]).endsWith(`/${projectId}.json`), "an address of its own");
    const live = await visitor.get(new URL(`${projectId}.json`, toText(job["url"])).href);
    assertStatus(live, 403, 404, 410);
  });

  behaviour(
    "publishes everything without a selection",
    "wire 9: POST /v1/publish/jobs",
    async () => {
      const projectId = await createOnProject();
      const banner = await create("cookies", toBanner(projectId));
      const form = await create("processings", toProcessing(projectId));
      const contract = await create("contracts", toContract(projectId));
      const job = await publishDone(projectId);
      const ids = [banner, form, contract].map(({ _id }) => _id);
      assert.deepEqual(new Set(listIdentifiers(job, "published")), new Set(ids));
      assert.deepEqual(job["heldBack"], []);
      for (const entry of toList(job["published"]))
        for (const name of ["collection", "identifier", "name", "version"])
          assert.ok(entry[name] !== undefined, `${name} of a published configuration`);
    },
  );

  behaviour("leaves at its live version what a selection does not name", "wire 9", async () => {
    const { client } = await openOwner();
    const projectId = await createOnProject();
    const first = await create("cookies", toBanner(projectId, { title: "First" }));
    const second = await create("cookies", toBanner(projectId, { title: "Second" }));
    const form = await create("processings", toProcessing(projectId, { title: "Form" }));
    await publishDone(projectId);
    for (const [resource, { _id }] of [
      ["cookies", first],
      ["cookies", second],
      ["processings", form],
    ] as const) {
      const path = `/v1/vault/${resource}/${toText(_id)}`;
      assertStatus(await client.patch(path, { title: "Changed" }), 200);
    }
    const selection = { services: ["cookies"], cookies: [first["_id"]] };
    const job = await publishDone(projectId, selection);
    assert.deepEqual(job["services"], selection.services);
    assert.deepEqual(job["cookies"], selection.cookies);
    assert.deepEqual(listIdentifiers(job, "published"), [first["_id"]]);
    const file = await readPublished(job);
    const titles = Object.fromEntries(
      [...toList(file["cookies"]), ...toList(file["processings"])].map(({ identifier, title }) => [
        identifier,
        title,
      ]),
    );
    assert.deepEqual(titles, {
      [toText(first["_id"])]: "Changed",
      [toText(second["_id"])]: "Second",
      [toText(form["_id"])]: "Form",
    });
  });

  behaviour("publishes one service of several", "wire 9", async () => {
    const projectId = await createOnProject();
    await create("cookies", toBanner(projectId));
    await create("processings", toProcessing(projectId));
    const job = await publishDone(projectId, { services: ["processings"] });
    const file = await readPublished(job);
    assert.equal(toList(file["processings"]).length, 1);
    assert.equal(toList(file["cookies"]).length, 0);
  });

  behaviour("reports configurations that stayed the same", "wire 9", async () => {
    const { client } = await openOwner();
    const projectId = await createOnProject();
    const banner = await create("cookies", toBanner(projectId));
    const form = await create("processings", toProcessing(projectId));
    await publishDone(projectId);
    const path = `/v1/vault/processings/${toText(form["_id"])}`;
    assertStatus(await client.patch(path, { subTitle: "Changed" }), 200);
    const job = await publishDone(projectId);
    assert.deepEqual(listIdentifiers(job, "published"), [form["_id"]]);
    assert.deepEqual(listIdentifiers(job, "unchanged"), [banner["_id"]]);
  });

  behaviour("rejects a selection of an unknown service: 400", "wire 9", async () => {
    const { client } = await openOwner();
    const { projectId } = await openSite();
    const answer = await client.post(`/v1/publish/jobs/${projectId}`, { services: ["banners"] });
    assertProblem(answer, 400);
  });

  behaviour(
    "holds back an unfinished configuration, and publishes the others",
    "wire 9",
    async () => {
      const projectId = await createOnProject();
      const banner = await create("cookies", toBanner(projectId));
      const bare = await create("processings", { projectId, title: "Bare" });
      const job = await publishDone(projectId);
      assert.deepEqual(listIdentifiers(job, "published"), [banner["_id"]]);
      const [entry] = toList(job["heldBack"]);
      assert.equal(entry?.["collection"], "processings");
      assert.equal(entry?.["identifier"], bare["_id"]);
      assert.ok(JSON.stringify(entry).length > 0 && entry?.["reason"] !== undefined, "a reason");
      assert.ok(toList(job["warnings"]).length > 0, "warnings");
      const file = await readPublished(job);
      assert.equal(toList(file["cookies"]).length, 1);
      assert.equal(toList(file["processings"]).length, 0);
    },
  );

  behaviour("fails at limits with strict, or if nothing can be published", "wire 9", async () => {
    const projectId = await createOnProject();
    await create("processings", { projectId, title: "Bare" });
    const { job: alone } = await publish(projectId);
    assert.equal(alone["status"], "Error");
    assert.equal(alone["step"], "limits");
    assert.ok(toText(alone["message"]), "a message");
    await create("cookies", toBanner(projectId));
    const { job: strict } = await publish(projectId, { strict: true });
    assert.equal(strict["status"], "Error");
    assert.equal(strict["step"], "limits");
  });

  behaviour("publishes with force if only the law check objects", "wire 9", async () => {
    const projectId = await createOnProject();
    const form = await create("processings", { projectId, title: "Bare", message: "<p>Yes?</p>" });
    const job = await publishDone(projectId, { force: true });
    assert.deepEqual(listIdentifiers(job, "published"), [form["_id"]]);
  });

  behaviour(
    "holds back a configuration with vendors of an unknown id",
    "wire 9: Vendors",
    async () => {
      const projectId = await createOnProject();
      const vendors = ["6282644588ca8e0d930c0071"];
      const unknown = [{ name: "statistics", layout: "category", title: "Statistics", vendors }];
      const held = await create("cookies", toBanner(projectId, { steps: unknown }));
      await create("processings", toProcessing(projectId));
      const job = await publishDone(projectId);
      assert.deepEqual(listIdentifiers(job, "heldBack"), [held["_id"]]);
    },
  );

  behaviour(
    "keeps what is live if the file is too large for the free tier",
    "wire 3",
    async (t) => {
      const { json } = assertStatus(await visitor.get("/v1/billing/plans"), 200);
      const plans = toList(json["plans"] ?? json);
      const limit = JSON.stringify(
        plans.find((plan) => [toPlain(plan["id"]), toPlain(plan["name"])].includes("free")),
      );
      if (!/\d{5}/.test(limit ?? ""))
        return t.skip("the free plan of this service has no file size");
      const projectId = await createOnProject();
      await create("processings", toProcessing(projectId));
      const live = await publishDone(projectId);
      const text = "conformance ".repeat(LARGE_TEXT_CHARS / 12);
      for (let n = 0; n < LARGE_TEXTS; n += 1)
        await create(
          "processings",
          toProcessing(projectId, { title: `Large ${n}`, purpose: text }),
        );
      const { job } = await publish(projectId);
      assert.equal(job["status"], "Error");
      assert.equal(job["step"], "limits");
      assert.match(toText(job["message"]), /\d/);
      assert.equal((await readPublished(live))["hash"], live["hash"]);
    },
  );

  behaviour("lists versions, and rolls back as a new job", "wire 3", async () => {
    const { client } = await openOwner();
    const projectId = await createOnProject();
    const form = await create("processings", toProcessing(projectId, { title: "One" }));
    const first = await publishDone(projectId);
    const path = `/v1/vault/processings/${toText(form["_id"])}`;
    assertStatus(await client.patch(path, { title: "Two" }), 200);
    await publishDone(projectId);
    const versions = `/v1/publish/projects/${projectId}/versions`;
    const list = toList(assertStatus(await client.get(versions), 200).json);
    assert.deepEqual(
      list.map(({ version }) => Number(version)).toSorted((a, b) => a - b),
      [1, 2],
    );
    const answer = await client.post(`${versions}/${toPlain(first["version"])}/rollback`);
    const { json } = assertStatus(answer, 202);
    assert.notEqual(json["_id"], first["_id"]);
    const job = await pollJob(json);
    assert.equal(job["status"], "Done");
    assert.equal(toList((await readPublished(job))["processings"])[0]?.["title"], "One");
  });

  for (const [method, toPath] of [
    ["DELETE", (id: string) => `/v1/publish/projects/${id}`],
    ["POST", (id: string) => `/v1/publish/projects/${id}:unpublish`],
  ] as const)
    behaviour(`unpublishes by ${method}`, "wire 3, 9: Aliases", async () => {
      const { client } = await openOwner();
      const projectId = await createOnProject();
      await create("cookies", toBanner(projectId));
      const job = await publishDone(projectId);
      const address = toFileAddress(job);
      assertStatus(await visitor.get(address), 200);
      assertStatus(await client.send(method, toPath(projectId)), 200, 202, 204);
      await waitUntilGone(address);
      const { json } = assertStatus(await client.get(`/v1/vault/projects/${projectId}`), 200);
      assert.equal(json["active"], false);
    });
});
