import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, describe, it } from "node:test";
import { hrefOf, paths } from "../../server/paths.ts";
import { service } from "../harness.ts";
import { newWebhook } from "../interface/webhooks.ts";
import { findViolations } from "../widget/axe.ts";
import { skip } from "../widget/browser.ts";
import { listFaults, openAs, openShared } from "./visits.ts";

/** Somebody's system: answers what it is told to. */
const receiver = { status: 200, got: [] as string[] };
const server = createServer((req, res) => {
  let body = "";
  req.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
  req.on("end", () => {
    receiver.got.push(body);
    res.statusCode = receiver.status;
    res.end(receiver.status === 200 ? "thanks" : "out of order");
  });
}).listen(0, "127.0.0.1");
await once(server, "listening");
after(() => server.close());
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/told`;

describe("webhooks", { skip }, () => {
  it("are made, tested, sent again, replayed, given another secret and deleted", async () => {
    const owner = await service.newOwner();
    const { token, project } = owner;
    await using visit = await openAs(owner, `/projects/${project.id}/webhooks`);
    const { page } = visit;
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    const dialog = page.getByRole("dialog");
    await page.getByRole("heading", { name: "Nobody is told yet" }).waitFor();
    await button("New webhook").click();
    await dialog.getByLabel("Address").fill(url);
    for (const name of ["consent.created", "consent.withdrawn"])
      await dialog.getByLabel(name).uncheck();
    await dialog.getByRole("button", { name: "Create the webhook" }).click();
    await dialog.getByText("Choose at least one event.").waitFor();
    await dialog.getByLabel("project.updated").check();
    await dialog.getByRole("button", { name: "Create the webhook" }).click();
    const secret = await dialog.locator("pre").innerText();
    assert.match(secret, /^whsec_/);
    await button("I have copied it").click();
    const row = page.getByRole("row");
    await page.getByText("Nothing was sent yet.").waitFor();
    receiver.status = 503;
    await button("Send a test").click();
    await row.filter({ hasText: "webhook.test" }).getByText("waiting").waitFor();
    await page.getByRole("button", { name: "Tries webhook.test" }).click();
    await dialog.getByText("answered 503").waitFor();
    await dialog.getByText("out of order").waitFor();
    receiver.status = 200;
    await dialog.getByRole("button", { name: "Send again" }).click();
    await row.filter({ hasText: "webhook.test" }).getByText("delivered").waitFor();
    // What happened before is told again.
    const at = `/v1/vault/projects/${project.id}`;
    await service.fetch(at, { method: "PATCH", token, json: { title: "Told" } });
    await row.filter({ hasText: "project.updated" }).first().waitFor();
    const before = receiver.got.filter((body) => body.includes("project.updated")).length;
    await button("Replay").click();
    await dialog.getByRole("button", { name: "Tell it again" }).click();
    const deadline = Date.now() + 15_000;
    while (receiver.got.filter((body) => body.includes("project.updated")).length === before) {
      assert.ok(Date.now() < deadline, "it is told again");
      await new Promise((done) => setTimeout(done, 100));
    }
    await button("New secret").click();
    await dialog.getByRole("button", { name: "Make a new secret" }).click();
    const next = await dialog.locator("pre").innerText();
    assert.notEqual(next, secret);
    assert.match(next, /^whsec_/);
    await button("I have copied it").click();
    assert.ok(!(await page.content()).includes(next), "it is shown once");
    await button("Turn off").click();
    await page.getByText("Turned off by its owner.").waitFor();
    await button("Turn on").click();
    await button("Turn off").waitFor();
    await button("Delete").click();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("heading", { name: "Nobody is told yet" }).waitFor();
    assert.deepEqual((await service.fetch(paths.webhooks, { token })).body.webhooks, []);
    assert.deepEqual(listFaults(visit), []);
  });

  it("are not offered to a viewer, who cannot make one", async () => {
    const { token, project } = await service.newOwner();
    const site = { id: project.id, token };
    await using visit = await openShared(site, "viewer", `/projects/${site.id}/webhooks`);
    const { page } = visit;
    await page.getByRole("heading", { name: "Nobody is told yet" }).waitFor();
    const side = page.getByRole("navigation", { name: "Main" });
    await side.getByRole("link", { name: "Overview" }).waitFor();
    assert.equal(await side.getByRole("link", { name: "Webhooks" }).count(), 0);
    assert.equal(await page.getByRole("button", { name: "New webhook" }).count(), 0);
  });

  for (const colorScheme of ["light", "dark"] as const)
    it(`axe-core finds nothing on them, ${colorScheme}`, async () => {
      const owner = await service.newOwner();
      const { token, project } = owner;
      const events = ["project.updated"];
      const { id } = await newWebhook(token, { url, events, projectId: project.id });
      await service.fetch(hrefOf("", paths.webhookTest, { id }), { token, json: {} });
      const at = `/projects/${project.id}/webhooks`;
      await using visit = await openAs(owner, at, { colorScheme, reducedMotion: "reduce" });
      const { page } = visit;
      await page.getByRole("link", { name: url }).waitFor();
      assert.deepEqual(await findViolations(page), []);
      await page.getByRole("button", { name: "New webhook" }).click();
      assert.deepEqual(await findViolations(page), []);
      await visit.open(`${at}/${id}`);
      await page.getByRole("button", { name: "Tries webhook.test" }).click();
      await page.getByText("answered 200").waitFor();
      assert.deepEqual(await findViolations(page), []);
    });
});
