import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it, test } from "node:test";
import { hrefOf, paths } from "@avow/contract/urls";
import { service } from "../harness.ts";
import { AGO_MS, auditPackageAt, getAuditPackage, put, settled } from "./audit-packages.ts";
import { waitForProof } from "./proofs.ts";
import { until } from "./raw-reader.ts";
import { putRecords } from "./records.ts";
import { collect, newSite, publish, readToken, share } from "./site.ts";

describe("access to an audit package", () => {
  it("is for readers of the project's proofs, and nobody else", async () => {
    const site = await newSite();
    await put(site, 1);
    const at = auditPackageAt(site.id, { token: "visitor-0", end: settled() });
    assert.equal((await service.fetch(at)).status, 403);
    assert.equal((await service.fetch(at, { token: "no-such-token" })).status, 403);
    const stranger = await newSite();
    assert.equal((await service.fetch(at, { token: stranger.token })).status, 404);
    assert.equal(
      (await service.fetch(auditPackageAt("f".repeat(24), { token: "a" }), { token: site.token }))
        .status,
      404,
    );
    for (const role of ["viewer", "editor", "auditor", "owner"]) {
      const { status } = await service.fetch(at, { token: await share(site, role) });
      assert.equal(status, 200, role);
    }
  });

  it("gives an auditor proofs and the records they cover, and nothing else", async () => {
    const site = await newSite();
    await publish(site);
    const { body } = await collect(site, "cookies", site.cookies, { token: "t", accept: true });
    const { consentId } = body;
    await waitForProof(consentId, "t");
    const token = await share(site, "auditor");
    const projectId = site.id;
    const readable = [
      hrefOf("", paths.proof, { consentId }),
      hrefOf("", paths.proofs, {}, { projectId, token: "t" }),
      hrefOf("", paths.consistency, { projectId }),
      auditPackageAt(projectId, { token: "t" }),
      hrefOf("", paths.consents, { projectId }),
      hrefOf("", paths.export, { projectId, format: "csv" }),
      hrefOf("", paths.clientProject, { id: projectId }),
      hrefOf("", paths.clientTokens, { id: projectId }),
      hrefOf("", paths.clientConsents, { id: projectId, token: "t" }),
    ];
    for (const at of readable) assert.equal((await service.fetch(at, { token })).status, 200, at);
    const project = { resource: "projects", documentId: projectId };
    const refused: [string, string, object?][] = [
      ["GET", hrefOf("", paths.document, project)],
      ["GET", hrefOf("", paths.document, { resource: "cookies", documentId: site.cookies })],
      ["GET", hrefOf("", paths.documentVersions, project)],
      ["GET", hrefOf("", paths.documentUsers, project)],
      ["GET", hrefOf("", paths.publications, { projectId })],
      ["PATCH", hrefOf("", paths.document, project), { title: "Mine" }],
      ["DELETE", `${hrefOf("", paths.document, project)}?confirm=${projectId}`],
      ["POST", hrefOf("", paths.documentUsers, project), { userId: site.userId, roles: ["owner"] }],
      ["POST", hrefOf("", paths.publishJob, { id: projectId })],
      ["DELETE", hrefOf("", paths.publishedProject, { projectId })],
      ["POST", hrefOf("", paths.clientForms, { id: projectId }), { collection: "cookies" }],
      ["DELETE", hrefOf("", paths.erasedToken, { projectId, token: "t" })],
    ];
    for (const [method, at, json] of refused) {
      const request = { method, token, ...(json === undefined ? {} : { json }) };
      const { status, body: problem } = await service.fetch(at, request);
      assert.equal(status, 403, `${method} ${at}: ${JSON.stringify(problem)}`);
      assert.equal(problem.type, "/problems/forbidden", `${method} ${at}`);
    }
    const documents = await service.fetch(hrefOf("", paths.documents, { resource: "projects" }), {
      token,
    });
    assert.deepEqual(documents.body, []);
  });

  it("is in the audit trail, without the person it was about", async () => {
    const site = await newSite();
    await put(site, 1);
    await getAuditPackage(site.id, { token: "visitor-0", end: settled() }, site);
    const listEvents = () =>
      service.db
        .selectFrom("events")
        .select(["name", "actor", "data"])
        .where("project_id", "=", site.id)
        .where("name", "like", "dossier.%")
        .orderBy("id")
        .execute();
    await until(async () => (await listEvents()).length === 2);
    const [requested, done] = await listEvents();
    assert.deepEqual([requested?.name, requested?.actor], ["dossier.requested", site.userId]);
    const { treeSize, ...data } = { treeSize: 0, ...(done?.data as object) };
    assert.equal(done?.name, "dossier.done");
    assert.deepEqual(data, { kind: "person", count: 1, pending: 0 });
    assert.ok(treeSize > 0);
    assert.doesNotMatch(JSON.stringify([requested, done]), /visitor-0/);
  });
});

describe("links to proofs", () => {
  it("lead from a token to the list of its proofs, to each of them, and to the audit package", async () => {
    const site = await newSite();
    const { body: collected } = await collect(site, "cookies", site.cookies, {
      token: "a b/c",
      accept: true,
    });
    await waitForProof(collected.consentId, "a b/c");
    // The visitor needs only the response.
    const own = await service.fetch(collected.receipt.links.proof);
    assert.equal(own.body.consent.record.consentId, collected.consentId);
    assert.equal(collected.links.proof, collected.receipt.links.proof);
    const { body: token } = await readToken(site, "a b/c");
    const { status, body: list } = await service.fetch(token.links.proofs, { token: site.token });
    assert.equal(status, 200);
    assert.equal(list.items.length, 1);
    assert.ok(Number.isInteger(list.items[0].leaf));
    assert.equal((await service.fetch(list.items[0].links.proof)).status, 200);
    const auditor = await share(site, "auditor");
    for (const [name, link] of Object.entries(list.links) as [string, string][])
      assert.equal((await service.fetch(link, { token: auditor })).status, 200, name);
    const dossier = await fetch(list.dossier, {
      headers: { authorization: `Bearer ${site.token}` },
    });
    assert.equal(dossier.headers.get("content-type"), "application/zip");
    await dossier.body?.cancel();
  });

  it("page a token's proofs, for readers of them", async () => {
    const site = await newSite();
    await putRecords(site, [{ token: "t" }, { token: "t" }, { token: "t" }], Date.now() - AGO_MS);
    const at = hrefOf("", paths.proofs, {}, { projectId: site.id, token: "t", limit: 2 });
    const first = await service.fetch(at, { token: site.token });
    assert.deepEqual(
      first.body.items.map((one: { leaf: unknown; links: object }) => [one.leaf, one.links]),
      [
        [null, {}],
        [null, {}],
      ],
    );
    const second = await service.fetch(first.body.links.next, { token: site.token });
    assert.equal(second.body.items.length, 1);
    assert.equal(second.body.links.next, undefined);
    assert.equal((await service.fetch(at)).status, 403);
    const stranger = await newSite();
    assert.equal((await service.fetch(at, { token: stranger.token })).status, 404);
  });
});

test("the verifier's page is served with its own policy, and cannot be framed", async () => {
  const { status, headers, body } = await service.fetch(paths.verifier);
  assert.equal(status, 200);
  assert.match(headers.get("content-type") ?? "", /^text\/html/);
  const [, script = ""] = /<script>([^]*?)<\/script>/.exec(body) ?? [];
  const digest = createHash("sha256").update(script).digest("base64");
  const policy = headers.get("content-security-policy") ?? "";
  assert.match(policy, /^default-src 'none'; .*frame-ancestors 'none'$/);
  assert.ok(policy.includes(`script-src 'sha256-${digest}'`));
  assert.doesNotMatch(policy, /unsafe|\*|https?:/);
  assert.equal(headers.get("referrer-policy"), "no-referrer");
  const again = await service.fetch(paths.verifier, {
    headers: { "if-none-match": headers.get("etag") ?? "" },
  });
  assert.equal(again.status, 304);
  const root = await service.fetch(paths.root);
  assert.equal(root.body.links.verifier, service.url + paths.verifier);
});
