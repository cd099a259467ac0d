import assert from "node:assert/strict";
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, describe, it } from "node:test";
import { parse } from "yaml";
import { runAvow } from "../command.ts";

const files = [".env", ".gitignore", "Caddyfile", "avow.env", "compose.yaml", "make-secrets.sh"];

async function openFolder(context: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "avow-init-"));
  context.after(() => rm(folder, { recursive: true }));
  return folder;
}

async function init(folder: string, ...args: string[]): Promise<string> {
  const { code, out, err } = await runAvow(["init", folder, ...args]);
  assert.equal(code, 0, err);
  return out;
}

describe("avow init", () => {
  it("writes settings, a compose file and what it needs", async (context) => {
    const folder = join(await openFolder(context), "new");
    const out = await init(folder, "--url", "https://consent.example:8443");
    assert.match(out, /Start the service: {2}cd .*new && npx avow/);
    assert.deepEqual((await readdir(folder)).toSorted(), files);
    const read = (name: string) => readFile(join(folder, name), "utf8");
    assert.match(await read("avow.env"), /^PUBLIC_URL=https:\/\/consent\.example:8443$/m);
    assert.match(await read(".env"), /^AVOW_HOST=consent\.example$/m);
    assert.match(await read(".env"), /^AVOW_IMAGE=localhost\/avow:latest$/m);
    assert.match(out, /the image that \.env names: build or pull it first/);
    for (const name of files)
      assert.doesNotMatch(
        await read(name),
        /docs\/|>\s*\.env/,
        `${name} is right without a checkout`,
      );
    const { services } = parse(await read("compose.yaml"), { merge: true });
    assert.equal(services.caddy.volumes[0], "./Caddyfile:/etc/caddy/Caddyfile:ro");
    assert.equal((await stat(join(folder, "make-secrets.sh"))).mode & 0o777, 0o755);
    assert.equal((await stat(join(folder, "avow.env"))).mode & 0o777, 0o600);
  });

  it("keeps files that exist", async (context) => {
    const folder = await openFolder(context);
    await writeFile(join(folder, "avow.env"), "PORT=9000\n");
    assert.match(await init(folder), /kept .*avow\.env/);
    assert.equal(await readFile(join(folder, "avow.env"), "utf8"), "PORT=9000\n");
    assert.ok(!/wrote/.test(await init(folder)));
  });

  it("rejects an address with a path", async (context) => {
    const folder = await openFolder(context);
    const { code, err } = await runAvow(["init", folder, "--url", "https://consent.example/avow"]);
    assert.equal(code, 2);
    assert.match(err, /expected an address without a path/);
    assert.deepEqual(await readdir(folder), []);
  });
});
