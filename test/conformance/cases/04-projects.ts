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
import { dataProcessor, dataProtectionOfficer, toBanner, toProcessing } from "../documents.ts";
import {
  create,
  createCompleteProject,
  createProject,
  publishDone,
  select,
  waitUntilGone,
} from "../site.ts";
import { openOwner, runId, visitor } from "../target.ts";

const websiteURL = "https://conformance.example.com/shop";

/** Every field of wire section 2 that a client may write. */
const fields = {
  colors: { main: "#ffc823", paintTransform: { bg: "ffc823", hue: 45, sat: 100, bri: 57 } },
  fonts: { title: { family: "Lato", weight: 700 }, text: "Open Sans" },
  widgetStyle: { position: "bottom-left", borderRadius: 8, padding: 16, colorScheme: "auto" },
  overlayStyle: { opacity: 0.4 },
  DPO: dataProtectionOfficer,
  dataProcessor,
  locales: ["en", "fr"],
  documents: [
    {
      identifier: "terms",
      name: "Terms of sale",
      language: "en",
      file: { originalName: "terms.pdf", uploadedAt: "2026-01-02T03:04:05.000Z", size: 1234 },
    },
  ],
};

function pathOf(document: Json): string {
  return `/v1/vault/projects/${toText(document["_id"])}`;
}

section("Projects", { isConcurrent: true }, () => {
  behaviour("requires only websiteURL and title", "interface: Project", async () => {
    const project = await createProject({ websiteURL });
    assert.equal(project["websiteURL"], websiteURL);
    assert.equal(project["name"], project["title"]);
    assert.equal(typeof project["metadata"], "object");
    assert.equal(project["active"], false);
  });

  behaviour("accepts name for title, and answers both", "wire 2", async () => {
    const name = `Conformance ${runId} by name`;
    const project = await create("projects", { websiteURL, name });
    assert.equal(project["title"], name);
    assert.equal(project["name"], name);
  });

  behaviour("rejects a websiteURL that is no http or https URL: 400", "wire 2", async () => {
    const { client } = await openOwner();
    for (const wrong of ["shop", "ftp://shop.example", "javascript:alert(1)"]) {
      const body = { websiteURL: wrong, title: "Wrong" };
      assertProblem(await client.post("/v1/vault/projects", body), 400);
    }
  });

  behaviour("keeps every field", "interface: Project; wire 2", async () => {
    const { client } = await openOwner();
    const project = await createProject({ websiteURL, ...fields });
    assert.deepEqual(select(project, fields), fields);
    const { json } = assertStatus(await client.get(pathOf(project)), 200);
    assert.deepEqual(select(json, fields), fields);
  });

  behaviour("keeps unknown fields as they came", "wire 2", async () => {
    const { client } = await openOwner();
    const unknown = {
      integrations: [{ id: 1, on: true, note: null }],
      legacyId: "abc",
      ratio: 0.1,
    };
    const project = await createProject(unknown);
    const { json } = assertStatus(await client.get(pathOf(project)), 200);
    assert.deepEqual(select(json, unknown), unknown);
  });

  behaviour("does not let a client write billing and active", "wire 2", async () => {
    const billing = { customer: "cus_conformance", subscription: "sub_conformance" };
    const project = await createProject({ billing, active: true });
    assert.notDeepEqual(project["billing"], billing);
    assert.equal(project["active"], false);
  });

  behaviour("replaces with PUT and merges with PATCH (RFC 7396)", "wire 2", async () => {
    const { client } = await openOwner();
    const project = await createProject({
      colors: { main: "#000000", other: "#ffffff" },
      extra: 1,
    });
    const path = pathOf(project);
    const patch = { colors: { other: null, third: "#112233" }, extra: null };
    const patched = assertStatus(await client.patch(path, patch), 200).json;
    assert.deepEqual(patched["colors"], { main: "#000000", third: "#112233" });
    assert.ok(!("extra" in patched), "a member set to null is removed");
    assert.equal(patched["version"], 2);
    const body = { websiteURL, title: "Replaced" };
    const replaced = assertStatus(await client.put(path, body), 200).json;
    assert.equal(replaced["title"], "Replaced");
    assert.ok(!("colors" in replaced), "a field that PUT leaves out is removed");
    assert.equal(replaced["version"], 3);
  });

  behaviour("filters by fields and operators", "wire 2", async () => {
    const { client } = await openOwner();
    const tag = `filter-${runId}`;
    const projects = [
      await createProject({ tag, rank: 1, nested: { kind: "shop" }, title: `${tag} one` }),
      await createProject({ tag, rank: 2, nested: { kind: "blog" }, title: `${tag} two` }),
      await createProject({ tag, rank: 3, title: `${tag} three` }),
    ];
    const [first = "", second = "", third = ""] = projects.map(({ _id }) => toText(_id));
    const expectIds = async (query: Record<string, string | string[]>, ids: string[]) => {
      const answer = await client.get("/v1/vault/projects", {
        query: { "data.tag": tag, ...query },
      });
      const found = toList(assertStatus(answer, 200).json).map(({ _id }) => toPlain(_id));
      assert.deepEqual(found.toSorted(), ids.toSorted(), JSON.stringify(query));
    };
    await expectIds({}, [first, second, third]);
    await expectIds({ title: `${tag} one` }, [first]);
    await expectIds({ "title[contains]": "two" }, [second]);
    await expectIds({ "data.rank": "2" }, [second]);
    await expectIds({ "data.nested.kind": "shop" }, [first]);
    await expectIds({ "data.nested.kind": ["shop", "blog"] }, [first, second]);
    await expectIds({ "data.nested.kind[contains]": "lo" }, [second]);
    await expectIds({ "data.nested.kind[in]": "shop,blog" }, [first, second]);
    await expectIds({ "data.nested.kind[exists]": "false" }, [third]);
    await expectIds({ "data.rank[gt]": "1", "data.rank[lte]": "3" }, [second, third]);
    await expectIds({ "data.rank[gte]": "2", "data.rank[lt]": "3" }, [second]);
    await expectIds({ "createdAt[gt]": "2100-01-01" }, []);
    await expectIds({ "createdAt[lt]": "2100-01-01" }, [first, second, third]);
  });

  behaviour("keeps every version with its writer, and restores one", "wire 2", async () => {
    const { client } = await openOwner();
    const project = await createProject({ colors: { main: "#000000" } });
    const path = pathOf(project);
    assertStatus(await client.patch(path, { colors: { main: "#ffffff" } }), 200);
    const versions = toList(assertStatus(await client.get(`${path}/versions`), 200).json);
    assert.ok(versions.length >= 1);
    const first = assertStatus(await client.get(`${path}/versions/1`), 200);
    assert.match(first.text, /#000000/);
    const diff = assertStatus(await client.get(`${path}/versions/1/diff/2`), 200);
    const operations = toList(diff.json);
    assert.ok(
      operations.some(({ op, path: at }) => op !== undefined && toPlain(at).includes("colors")),
      "operations of RFC 6902",
    );
    const restored = assertStatus(await client.post(`${path}/versions/1/restore`), 200, 201).json;
    assert.deepEqual(restored["colors"], { main: "#000000" });
    assert.equal(restored["version"], 3);
  });

  behaviour("answers a project with its configurations", "wire 9: Aliases", async () => {
    const { client } = await openOwner();
    const project = await createProject();
    const projectId = toText(project["_id"]);
    const banner = await create("cookies", toBanner(projectId));
    const processing = await create("processings", toProcessing(projectId));
    const query = { projectId };
    const answer = await client.get("/v1/vault/projects/extended", { query });
    const { json } = assertStatus(answer, 200);
    const extended = Array.isArray(json) ? toList(json)[0] : json;
    assert.equal(extended?.["_id"], projectId);
    assert.equal(extended?.["title"], project["title"]);
    const text = JSON.stringify(extended?.["configurations"]);
    for (const { _id } of [banner, processing]) assert.ok(text.includes(toText(_id)), text);
  });

  behaviour("deletes a project at once if nothing would be lost", "wire 9: DELETE", async () => {
    const { client } = await openOwner();
    const project = await createProject();
    await create("cookies", toBanner(toText(project["_id"])));
    assertStatus(await client.delete(pathOf(project)), 204);
    assertProblem(await client.get(pathOf(project)), 404);
  });

  behaviour(
    "asks for confirm if a published file would be lost: 409",
    "wire 9: DELETE",
    async () => {
      const { client } = await openOwner();
      const project = await createCompleteProject();
      const projectId = toText(project["_id"]);
      await create("cookies", toBanner(projectId));
      const job = await publishDone(projectId);
      const answer = assertProblem(await client.delete(pathOf(project)), 409);
      assert.match(toText(answer.json["detail"]), /confirm/);
      assertStatus(await client.get(pathOf(project)), 200);
      const wrong = { query: { confirm: "0".repeat(24) } };
      assertProblem(await client.delete(pathOf(project), wrong), 409, 400);
      const confirmed = { query: { confirm: projectId } };
      assertStatus(await client.delete(pathOf(project), confirmed), 204);
      assertProblem(await client.get(pathOf(project)), 404);
      await waitUntilGone(toText(job["url"]));
    },
  );

  behaviour("asks for confirm if a consent would be lost: 409", "wire 9: DELETE", async () => {
    const { client } = await openOwner();
    const project = await createCompleteProject();
    const projectId = toText(project["_id"]);
    const processing = toText((await create("processings", toProcessing(projectId)))["_id"]);
    await publishDone(projectId);
    const path = `/v1/app/consents/${projectId}/processings/${processing}`;
    assertStatus(await visitor.post(path, { accept: true }), 201);
    assertStatus(await client.delete(`/v1/publish/projects/${projectId}`), 200, 202, 204);
    const answer = assertProblem(await client.delete(pathOf(project)), 409);
    assert.match(toText(answer.json["detail"]), /consent/);
    const confirmed = { query: { confirm: projectId } };
    assertStatus(await client.delete(pathOf(project), confirmed), 204);
  });

  behaviour("links to what belongs to a project", "wire 0", async () => {
    const { client } = await openOwner();
    const project = await createProject();
    assertStatus(await client.get(getLink(project, "self")), 200);
    for (const name of Object.keys(project["links"] ?? {})) {
      const answer = await client.get(getLink(project, name));
      assert.ok(answer.status < 500 && answer.status !== 403, `links.${name}: ${answer.status}`);
    }
  });
});
