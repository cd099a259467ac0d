import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, assertProblem, assertStatus, toText } from "../client.ts";
import { behaviour, section } from "../behaviour.ts";
import { openSite } from "../site.ts";
import { once, openOwner, runId, visitor } from "../target.ts";

const SEQUENCED_MS = 30_000;

const openConsent = once(async (): Promise<string> => {
  const { projectId, processing } = await openSite();
  const path = `/v1/app/consents/${projectId}/processings/${processing}`;
  const answer = await visitor.post(path, { accept: true, token: `visitor-${runId}-proof` });
  return toText(assertStatus(answer, 201).json["consentId"]);
});

/** Reads a proof; while it is being made, the answer is 202 with a link to itself. */
async function readProof(accept: string): Promise<{ proof: Answer; pending: Answer[] }> {
  const { client } = await openOwner();
  const path = `/v1/app/proofs/${await openConsent()}`;
  const headers = { accept };
  const deadline = performance.now() + SEQUENCED_MS;
  const pending: Answer[] = [];
  for (;;) {
    const answer = await client.get(path, { headers });
    if (answer.status === 200) return { proof: answer, pending };
    pending.push(assertStatus(answer, 202));
    assert.ok(performance.now() < deadline, "the proof is still pending");
    await sleep(500);
  }
}

section("Proofs", { isConcurrent: true }, () => {
  behaviour(
    "answers 202 with Retry-After while a proof is being made",
    "wire 9: Not ready yet",
    async () => {
      const { pending } = await readProof("application/json");
      for (const { json, headers } of pending) {
        assert.equal(json["status"], "pending");
        assert.equal(typeof json["links"]?.["self"], "string");
        assert.ok(Number(headers.get("retry-after")) > 0, "Retry-After");
      }
    },
  );

  behaviour("answers a proof bundle with record, salt and proof", "evidence: The log", async () => {
    const consentId = await openConsent();
    const { proof } = await readProof("application/json");
    assert.match(proof.text, new RegExp(consentId));
    for (const name of ["record", "salt", "proof"])
      assert.match(proof.text, new RegExp(`"${name}"`), name);
  });

  behaviour("answers JSON-LD as an object, and PDF", "evidence: The log; wire 9: 304", async () => {
    const linked = (await readProof("application/ld+json")).proof;
    assert.match(linked.headers.get("content-type") ?? "", /^application\/ld\+json/);
    assert.ok(!Array.isArray(linked.json) && linked.json["@context"] !== undefined, "@context");
    const pdf = (await readProof("application/pdf")).proof;
    assert.match(pdf.headers.get("content-type") ?? "", /^application\/pdf/);
    assert.equal(new TextDecoder().decode(pdf.bytes.subarray(0, 5)), "%PDF-");
  });

  behaviour("keeps proofs from visitors, and answers 404 for unknown ones", "wire 0", async () => {
    const { client } = await openOwner();
    assertProblem(await visitor.get(`/v1/app/proofs/${await openConsent()}`), 403, 404);
    const unknown = "01890000-0000-7000-8000-000000000000";
    assertProblem(await client.get(`/v1/app/proofs/${unknown}`), 404);
  });
});
