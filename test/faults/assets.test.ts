import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { randomBytes } from "node:crypto";
import { suite, test } from "node:test";
import sharp from "sharp";
import type { UploadedAssetOut } from "../../packages/server/modules/assets/schema.ts";
import { ada, skip, stop } from "./lifecycle/checks.ts";
import { openDataFolder, startService, waitFor } from "./lifecycle/process.ts";
import { send } from "./requests.ts";

const SIDE = 2_000;
/** Processor time, in hundredths of a second, that shows the render has started: a part of its total. */
const BUSY_TICKS = 30;

suite("a service killed during a render", { skip }, () => {
  test("leaves no process behind, and renders the picture after the next start", async (t) => {
    const dataDir = await openDataFolder(t);
    const killed = startService(dataDir);
    const address = await killed.address();
    const { token } = await send<{ token: string }>(`${address}/v1/auth/local/signup`, {
      json: ada,
    });
    const asset = await upload(address, token);
    const render = `${asset.url}?fm=avif&q=90`;
    const child = await waitFor("the picture process", () => findChild(killed.pid));
    const before = await readTicks(child);
    const cut = fetch(render).then(
      () => "answered",
      () => "cut",
    );
    await waitFor("a render in progress", async () =>
      (await readTicks(child)) > before + BUSY_TICKS ? true : undefined,
    );
    killed.kill("SIGKILL");
    await killed.ended;
    assert.equal(await cut, "cut");
    await waitFor("its end", async () => ((await isAlive(child)) ? undefined : true));

    const service = startService(dataDir, { PORT: new URL(address).port });
    await service.address();
    const answer = await fetch(render);
    assert.equal(answer.status, 200);
    const { width, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
    assert.deepEqual([width, height], [SIDE, SIDE]);
    const again = await upload(address, token);
    assert.notEqual(again.id, asset.id);
    await stop(service);
  });
});

async function upload(address: string, token: string): Promise<UploadedAssetOut> {
  const raw = { width: SIDE, height: SIDE, channels: 3 } as const;
  const bytes = await sharp(randomBytes(SIDE * SIDE * 3), { raw })
    .jpeg()
    .toBuffer();
  const form = new FormData();
  form.set("file", new Blob([new Uint8Array(bytes)]), "noise.jpg");
  const answer = await fetch(`${address}/v1/assets`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  const [asset] = (await answer.json()) as UploadedAssetOut[];
  assert.ok(asset, `${answer.status}`);
  return asset;
}

/** The picture process of the service `pid`. */
async function findChild(pid: number): Promise<number | undefined> {
  for (const name of await readdir("/proc")) {
    const status = await readFile(`/proc/${name}/status`, "utf8").catch(() => "");
    const command = await readFile(`/proc/${name}/cmdline`, "utf8").catch(() => "");
    const isOurs = new RegExp(`^PPid:\\s+${pid}$`, "m").test(status);
    if (isOurs && command.includes("child.ts")) return Number(name);
  }
  return undefined;
}

/** The processor time that a process has used (proc(5), utime). */
async function readTicks(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[11]);
}

async function isAlive(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return status !== "" && !/^State:\s+[ZX]/m.test(status);
}
