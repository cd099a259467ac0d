import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../harness.ts";
import { writeVendorList } from "../vendor-list.ts";
import { getFile, newCookies, newSite, publishAndWait, subscribe } from "./publishing.ts";

describe("wire section 3, limits", () => {
  it("free tier: over 64 KiB is an Error at limits with the size, the limit and the largest parts; the live version stays live", async () => {
    const { token, project } = await newSite();
    const live = await publishAndWait(token, project.id);
    const big = await newCookies(token, project.id, { name: "big one", note: "x".repeat(70_000) });
    const job = await publishAndWait(token, project.id);
    assert.equal(job.status, "Error");
    assert.equal(job.step, "limits");
    assert.deepEqual(
      job.steps.map((step: { status: string }) => step.status),
      ["Done", "Error", "Pending", "Pending", "Pending", "Pending"],
    );
    assert.match(
      job.message,
      /The file has 7\d,\d{3} bytes, and the plan Free allows 65,536 bytes/,
    );
    assert.ok(
      job.message.includes(`largest parts: the configuration "big one" (${big.id}) 70,`),
      job.message,
    );
    assert.equal(job.url, undefined);
    assert.equal((await getFile(project.id)).body.hash, live.hash);
  });

  it("free tier: a paid layout is an Error at limits that names the step, and a paid plan passes", async () => {
    const { token, project, organization } = await newSite({ organization: true });
    await subscribe(organization, "active");
    await writeVendorList();
    const tcf = { projectId: project.id, cmpId: 31, vendors: [2] };
    assert.equal((await service.fetch("/v1/vault/tcf", { token, json: tcf })).status, 201);
    for (const layout of ["info", "iab", "soft_consent"]) {
      await newCookies(token, project.id, {
        name: layout,
        steps: [{ name: `s-${layout}`, layout }],
      });
    }
    const paid = await publishAndWait(token, project.id);
    assert.equal(paid.status, "Done", paid.message);
    assert.match(paid.steps[3].message, /Plan Pro.*active/);
    await subscribe(organization, "canceled");
    const free = await publishAndWait(token, project.id);
    assert.equal(free.status, "Error");
    assert.equal(free.step, "limits");
    for (const layout of ["info", "iab", "soft_consent"]) {
      assert.ok(free.message.includes(`${layout} (step s-${layout} of`), free.message);
    }
    assert.equal((await getFile(project.id)).body.hash, paid.hash);
  });

  it("past_due keeps service for a grace period", async () => {
    const { token, project, organization } = await newSite({ organization: true });
    await subscribe(organization, "active");
    await newCookies(token, project.id, { steps: [{ name: "i", layout: "info" }] });
    await subscribe(organization, "past_due", { endedDaysAgo: 5 });
    assert.equal((await publishAndWait(token, project.id)).status, "Done");
    await subscribe(organization, "past_due", { endedDaysAgo: 15 });
    assert.equal((await publishAndWait(token, project.id)).step, "limits");
  });

  it("a paid plan has no 64 KiB limit", async () => {
    const { token, project, organization } = await newSite({ organization: true });
    await subscribe(organization, "trialing");
    await newCookies(token, project.id, { note: "x".repeat(100_000) });
    const job = await publishAndWait(token, project.id);
    assert.equal(job.status, "Done", job.message);
    assert.ok(job.size > 100_000);
  });

  it("step 3: a deleted organization is an Error with advice", async () => {
    const { token, project, organization } = await newSite({ organization: true });
    await service.db
      .updateTable("documents")
      .set({ deleted_at: new Date() })
      .where("id", "=", organization)
      .execute();
    const job = await publishAndWait(token, project.id);
    assert.equal(job.status, "Error");
    assert.equal(job.step, "organization");
    assert.match(job.message, /organization no longer exists\. Attach/);
  });
});
