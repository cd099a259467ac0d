import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { hrefOf, paths } from "@avow/contract/urls";
import { parseCheckpoint } from "../../packages/verifier/formats/checkpoint.ts";
import { verifyNote } from "../../packages/verifier/formats/note.ts";
import { parseTlogProof } from "../../packages/verifier/formats/tlog-proof.ts";
import { parseVerifierKey } from "../../packages/verifier/formats/verifier-key.ts";
import { service } from "../harness.ts";
import { waitForProof } from "./proofs.ts";
import { type Site, collect, newSite } from "./site.ts";

/** Reads an NDJSON export; returns the ids of its records and its last line. */
async function readExport(site: Site) {
  const path = hrefOf("", paths.export, { projectId: site.id, format: "ndjson" });
  const { status, body } = await service.fetch(path, { token: site.token });
  assert.equal(status, 200);
  const lines = String(body)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const { manifest } = lines.pop();
  return { ids: lines.map(({ consentId }) => consentId as string), manifest };
}

describe("the manifest of an export", () => {
  it("names a checkpoint whose every consent is in the export, as proofs show", async () => {
    const site = await newSite();
    const proofs = new Map<string, { keys: string[]; consent: { proof: string } }>();
    for (const token of ["a", "b", "c"]) {
      const { body } = await collect(site, "cookies", site.cookies, { token, accept: true });
      proofs.set(body.consentId, await waitForProof(body.consentId, token));
    }
    const { ids, manifest } = await readExport(site);
    const { log } = manifest;
    const checkpoint = parseCheckpoint(log.checkpoint);
    assert.deepEqual([log.origin, log.size], [checkpoint.origin, checkpoint.size]);
    const [bundle] = proofs.values();
    const keys = await Promise.all((bundle?.keys ?? []).map(parseVerifierKey));
    assert.equal((await verifyNote(checkpoint.note, keys)).signers.length, 1);
    for (const [id, { consent }] of proofs) {
      assert.ok(parseTlogProof(consent.proof).index < log.size);
      assert.ok(ids.includes(id), "a proof would reveal an omitted consent");
    }
    const stored = await service.fetch(manifest.links.self, { token: site.token });
    assert.deepEqual(stored.body.log, log);
  });

  it("does not cover what the log appended after the export began", async () => {
    const site = await newSite();
    const first = await readExport(site);
    const { body } = await collect(site, "cookies", site.cookies, { token: "later", accept: true });
    const { consent } = await waitForProof(body.consentId, "later");
    assert.ok(parseTlogProof(consent.proof).index >= first.manifest.log.size);
    assert.deepEqual(first.ids, []);
  });
});
