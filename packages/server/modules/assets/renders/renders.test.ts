import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { openTestRenders } from "../../../../../test/assets/renders.ts";
import { service } from "../../../../../test/harness.ts";
import { newPicture, uploadOne } from "../../../../../test/interface/pictures.ts";
import { toCtx } from "../../../kernel/ctx.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { Fault } from "../../../platform/errors.ts";
import { openFolderObjects } from "../../../platform/objects/folder.ts";
import { removeAsset } from "../assets.ts";
import type { Pictures } from "../child/pool.ts";
import type { RenderSpec } from "../formats/tasks.ts";
import { toRenderKey } from "../storage/contents.ts";

const owner = { kind: "owner", keys: ["a project"] } as const;

const toSpec = (width: number): RenderSpec => ({
  format: "webp",
  width,
  height: width,
  how: "stretch",
  quality: 75,
  isCompressed: false,
  isAnimated: false,
});

/** A second process's renders, on the service's own database and storage. */
async function open(t: TestContext, kept: number, readSpareBytes = async () => 1) {
  const root = join(service.config.dataDir, "published");
  const objects = await openFolderObjects({ root, now: service.clock.now });
  const opened = await openTestRenders(objects, { kept, readSpareBytes });
  t.after(() => {
    opened[Symbol.dispose]();
    service.clock.reset();
  });
  const user = await service.newUser();
  const asset = await uploadOne(user.token, { bytes: await newPicture().png().toBuffer() });
  const content = { sha256: asset.hash, type: asset.detectedMimeType };
  const list = () =>
    service.db
      .selectFrom("asset_renders")
      .selectAll()
      .where("sha256", "=", asset.hash)
      .orderBy("created_at")
      .execute();
  return { ...opened, objects, user, asset, content, list };
}

describe("the renders of a content", () => {
  it("are limited: the oldest are removed, also from storage", async (t) => {
    const { renders, objects, content, list } = await open(t, 3);
    for (let width = 1; width <= 6; width += 1) {
      await renders.get(content, toSpec(width), owner);
      service.clock.advance(1_000);
    }
    const before = await list();
    assert.equal(before.length, 6);
    await renders.trim();
    const after = await list();
    assert.deepEqual(after, before.slice(3));
    for (const [at, row] of before.entries())
      assert.equal((await objects.findObject(toRenderKey(row))) !== undefined, at >= 3);
  });

  it("that are requested again later are kept in preference to those requested once", async (t) => {
    const { renders, content, list } = await open(t, 8);
    const hour = 3_600_000;
    for (let width = 1; width <= 3; width += 1) await renders.get(content, toSpec(width), owner);
    const used = (await list()).map(({ digest }) => digest);
    service.clock.advance(2 * hour);
    for (let width = 1; width <= 3; width += 1) await renders.get(content, toSpec(width), owner);
    const noted = await list();
    // A use within an hour is not recorded again.
    service.clock.advance(hour / 2);
    for (let width = 1; width <= 3; width += 1) await renders.get(content, toSpec(width), owner);
    assert.deepEqual(await list(), noted);
    for (let width = 11; width <= 40; width += 1) {
      await renders.get(content, toSpec(width), owner);
      service.clock.advance(1_000);
    }
    const all = await list();
    await renders.trim();
    const kept = (await list()).map(({ digest }) => digest);
    const newest = all.slice(-5).map(({ digest }) => digest);
    assert.deepEqual(new Set(kept), new Set([...used, ...newest]));
  });

  it("keep new ones even if all others were requested again", async (t) => {
    const { renders, content, list } = await open(t, 4);
    for (const _again of [1, 2]) {
      for (let width = 1; width <= 6; width += 1) await renders.get(content, toSpec(width), owner);
      service.clock.advance(2 * 3_600_000);
    }
    const made = await renders.get(content, toSpec(7), owner);
    await renders.trim();
    const kept = (await list()).map(({ digest }) => digest);
    assert.equal(kept.length, 4);
    assert.ok(kept.includes(made.digest));
  });

  it("are limited during rendering as well", async (t) => {
    const { renders, content, list } = await open(t, 2);
    for (let width = 1; width <= 40; width += 1) await renders.get(content, toSpec(width), owner);
    assert.ok((await list()).length <= 2 + 32);
  });

  it("are not kept when the asset is deleted during rendering", async (t) => {
    const { renders, objects, user, asset, content, list } = await open(t, 9);
    // The content stays in storage until the removal job has run.
    const { now } = service.clock;
    const actor = { kind: "user", userId: user.id, tokenId: "" } as const;
    await inTransaction(service.db, (tx) =>
      removeAsset(
        toCtx({ tx, actor, now: now(), requestId: undefined }),
        {
          jobs: { sendJob: async () => undefined },
          findUses: async () => [],
        },
        asset.id,
      ),
    );
    await assert.rejects(
      renders.get(content, toSpec(20), owner),
      (error: unknown) => error instanceof Fault && error.kind === "not-found",
    );
    assert.deepEqual(await list(), []);
    assert.ok(await objects.findObject(`assets/${asset.hash}.png`));
  });

  it("are rejected while the disk is full, and succeed afterwards", async (t) => {
    const disk = { spare: -1 };
    const { renders, content, list } = await open(t, 9, async () => disk.spare);
    await assert.rejects(
      renders.get(content, toSpec(20), owner),
      (error: unknown) => error instanceof Fault && error.kind === "busy",
    );
    assert.deepEqual(await list(), []);
    disk.spare = 1;
    await renders.get(content, toSpec(20), owner);
    assert.equal((await list()).length, 1);
  });

  it("that timed out are not retried immediately", async (t) => {
    let tries = 0;
    const pictures: Pictures = {
      run: async () => {
        tries += 1;
        throw new Fault("impossible", "too long");
      },
      [Symbol.dispose]: () => undefined,
    };
    const { content, objects } = await open(t, 9);
    const { renders } = await openTestRenders(objects, { pictures });
    const ask = (width: number) =>
      assert.rejects(renders.get(content, toSpec(width), owner), { message: "too long" });
    for (const width of [20, 20, 20, 21]) await ask(width);
    assert.equal(tries, 2);
  });

  it("are cancelled when the client disconnects, and rendered for the next request", async (t) => {
    const signals: AbortSignal[] = [];
    const pictures: Pictures = {
      run: async (_task, { signal }) => {
        assert.ok(signal);
        signals.push(signal);
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        throw new Fault("busy", "cancelled");
      },
      [Symbol.dispose]: () => undefined,
    };
    const { content, objects } = await open(t, 9);
    const { renders } = await openTestRenders(objects, { pictures });
    const ask = () => {
      const gone = new AbortController();
      const client = { kind: "visitor", keys: ["a"], signal: gone.signal } as const;
      const asked = assert.rejects(renders.get(content, toSpec(20), client), /no longer waits/);
      return { gone, asked };
    };
    for (const times of [1, 2]) {
      const { gone, asked } = ask();
      for (const until = Date.now() + 10_000; signals.length < times; await delay(10))
        assert.ok(Date.now() < until);
      assert.equal(signals.at(-1)?.aborted, false);
      gone.abort();
      await asked;
      assert.equal(signals.at(-1)?.aborted, true);
    }
  });

  it("are rendered once for concurrent requests", async (t) => {
    const { renders, content, list } = await open(t, 9);
    const rows = await Promise.all(
      Array.from({ length: 50 }, () => renders.get(content, toSpec(30), owner)),
    );
    assert.equal(new Set(rows).size, 1);
    assert.equal((await list()).length, 1);
  });
});
