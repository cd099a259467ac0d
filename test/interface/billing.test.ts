import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../harness.ts";

const { fetch } = service;

describe("specification, Billing", () => {
  it("GET /v1/billing/plans: free and paid plans, each with its limits", async () => {
    const { status, body } = await fetch("/v1/billing/plans");
    assert.equal(status, 200);
    const [free, pro] = body;
    assert.equal(free.name, "free");
    assert.equal(free.fileBytesMax, 65_536);
    assert.deepEqual(free.layouts, ["welcome", "category"]);
    assert.deepEqual(pro.layouts, ["welcome", "category", "info", "iab", "soft_consent"]);
    assert.equal(pro.links.self, `${service.url}/v1/billing/plans`);
  });
});
