import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { hrefOf, paths } from "@avow/contract/urls";
import { openClockedSite, openDice, takeRandomStep } from "./clocked.ts";

const day = 86_400_000;
const site = await openClockedSite();
after(() => site[Symbol.asyncDispose]());

/** A token's state without links, and the ids of its whole history. */
async function readWhole(token: string, query: Record<string, string | number> = {}) {
  const at = hrefOf("", paths.clientConsents, { id: site.id, token }, query);
  const history: string[] = [];
  let state: object[] | undefined;
  for (let next = at; next;) {
    const { status, body } = await site.send(next);
    assert.equal(status, 200, JSON.stringify(body));
    state ??= body.state.map((entry: object) => ({ ...entry, links: undefined }));
    history.push(...body.history.map(({ consentId }: { consentId: string }) => consentId));
    next = body.links.next;
  }
  return { state, history };
}

describe("GET /v1/client/{id}/consents/{token}?at=", () => {
  test("returns the present offer, never asked, before anything was published or answered", async () => {
    site.setAhead(-15 * day);
    const before = site.now().toISOString();
    site.advance(1_000);
    await site.publish();
    await site.collect("processings", site.processing, { token: "t1", accept: true });
    const { state, history } = await readWhole("t1", { at: before });
    assert.deepEqual(history, []);
    assert.deepEqual(
      state?.map((entry) => (entry as { status: string }).status),
      ["never-asked", "never-asked", "never-asked"],
    );
  });

  test("returns later what it returned then", async () => {
    const roll = openDice(4);
    const taken: { token: string; at: string; state: object }[] = [];
    for (let turn = 0; turn < 100; turn += 1) {
      await takeRandomStep(site, roll);
      if (roll(3) > 0) continue;
      const token = `t${roll(12)}`;
      const at = site.now().toISOString();
      taken.push({ token, at, state: await readWhole(token) });
      site.advance(1);
    }
    for (const { token, at, state } of taken)
      assert.deepEqual(await readWhole(token, { at, limit: 2 }), state, `${token} at ${at}`);
    const all = taken.map(({ state }) => JSON.stringify(state)).join("");
    for (const status of ["accepted", "refused", "withdrawn", "expired", "superseded"])
      assert.ok(all.includes(`"status":"${status}"`), status);
  });

  test("keeps the as-of time in links", async () => {
    const at = site.now().toISOString();
    for (let n = 0; n < 3; n += 1)
      await site.collect("processings", site.processing, { token: "links", accept: true });
    const now = site.now().toISOString();
    const path = hrefOf(
      "",
      paths.clientConsents,
      { id: site.id, token: "links" },
      { at: now, limit: 1 },
    );
    const { body } = await site.send(path);
    const entry = body.state.find((e: { identifier: string }) => e.identifier === site.processing);
    for (const link of [body.links.self, body.links.next, entry.links.accepted])
      assert.equal(new URL(link).searchParams.get("at"), now, link);
    const accepted = await site.send(entry.links.accepted);
    assert.ok(accepted.body.items.some((item: { token: string }) => item.token === "links"));
    const [first] = accepted.body.items;
    assert.equal(new URL(first.links.consents).searchParams.get("at"), now);
    const earlier = await site.send(site.acceptedAt(site.processing, { at }));
    assert.ok(!earlier.body.items.some((item: { token: string }) => item.token === "links"));
  });

  test("rejects a future or malformed as-of time with 400", async () => {
    const future = new Date(site.now().getTime() + 60_000).toISOString();
    const state = hrefOf("", paths.clientConsents, { id: site.id, token: "t1" });
    for (const path of [state, site.acceptedAt(site.processing)])
      for (const at of [future, "yesterday", "2026-13-01T00:00:00Z"]) {
        const { status, body } = await site.send(`${path}?at=${encodeURIComponent(at)}`);
        assert.equal(status, 400, at);
        assert.equal(body.errors[0].path, "?at");
      }
  });
});
