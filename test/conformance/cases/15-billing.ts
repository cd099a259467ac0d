import assert from "node:assert/strict";
import { assertProblem, assertStatus, toList, toText } from "../client.ts";
import { behaviour, section } from "../behaviour.ts";
import { create } from "../site.ts";
import { openOwner, runId, visitor } from "../target.ts";

async function createOrganization(): Promise<string> {
  const organization = await create("organizations", { name: `Conformance ${runId} billing` });
  return toText(organization["_id"]);
}

section("Billing", { isConcurrent: true }, () => {
  behaviour("lists the plans with their limits", "wire 8", async () => {
    const { json, text } = assertStatus(await visitor.get("/v1/billing/plans"), 200);
    const plans = toList(json["plans"] ?? json);
    assert.ok(plans.length > 0, "plans");
    assert.match(text, /"free"/);
  });

  behaviour("answers plan, status and invoices of an organization", "wire 8", async () => {
    const { client } = await openOwner();
    const path = `/v1/billing/organizations/${await createOrganization()}`;
    const { json } = assertStatus(await client.get(path), 200);
    assert.ok(json["plan"] !== undefined, "plan");
    assert.ok(json["status"] !== undefined, "status");
    assert.ok("currentPeriodEnd" in json, "currentPeriodEnd");
    assert.ok(json["invoices"] !== undefined, "invoices");
    assert.equal(typeof json["links"], "object");
    assertStatus(await client.get(`${path}/invoices`), 200);
  });

  behaviour("does not show an organization's billing to visitors", "wire 0", async () => {
    const path = `/v1/billing/organizations/${await createOrganization()}`;
    assertProblem(await visitor.get(path), 403);
    const { client } = await openOwner();
    assertProblem(await client.get(`/v1/billing/organizations/${"0".repeat(24)}`), 404);
  });

  behaviour("validates a checkout", "wire 8", async () => {
    const { client } = await openOwner();
    assertProblem(await client.post("/v1/billing/checkout", {}), 400);
    const organizationId = await createOrganization();
    const body = { organizationId, plan: "no-such-plan" };
    assertProblem(await client.post("/v1/billing/checkout", body), 400, 404, 409, 422);
  });
});
