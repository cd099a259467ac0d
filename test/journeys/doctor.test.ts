import assert from "node:assert/strict";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { runAvow } from "../command.ts";
import { openTestDatabase } from "../database.ts";

interface Finding {
  name: string;
  state: "ok" | "warning" | "error";
  text: string;
  advice?: string;
}

const database = await openTestDatabase();
after(() => database[Symbol.asyncDispose]());
const dataDir = await mkdtemp(join(tmpdir(), "avow-doctor-"));
after(() => rm(dataDir, { recursive: true }));
await writeFile(join(dataDir, "secret.key"), Buffer.alloc(32, 7), { mode: 0o600 });
const usual = { DATA_DIR: dataDir, DATABASE_URL: database.url, PUBLIC_URL: "http://127.0.0.1:1" };

async function examine(settings: Record<string, string> = {}) {
  const { code, out, err } = await runAvow(["doctor", "--json"], {
    env: { ...usual, ...settings },
  });
  assert.ok(out.startsWith("["), err);
  const findings = JSON.parse(out) as Finding[];
  const find = (name: string): Finding => {
    const found = findings.find((one) => one.name === name);
    assert.ok(found, `${name} in ${out}`);
    return found;
  };
  return { code, findings, find };
}

describe("avow doctor", () => {
  it("reports a database that may lose data, and warns about what the installation lacks", async () => {
    const { code, findings, find } = await examine();
    assert.equal(code, 1);
    // Tests run on a server without fsync.
    assert.match(find("database").text, /fsync and full_page_writes off/);
    const states = Object.fromEntries(findings.map(({ name, state }) => [name, state]));
    assert.deepEqual(states, {
      settings: "ok",
      address: "warning",
      proxies: "ok",
      // The service has not created the keys of the log yet.
      "data folder": "warning",
      disk: "ok",
      database: "error",
      migrations: "ok",
      clock: "ok",
      storage: "ok",
      "archived months": "ok",
      mail: "warning",
      backup: "warning",
      log: "ok",
      service: "warning",
    });
    for (const { state, advice } of findings) assert.equal(advice === undefined, state === "ok");
  });

  it("names each setting that is not valid", async () => {
    const { code, findings } = await examine({ PORT: "x", PUBLIC_URL: "ftp://a" });
    assert.equal(code, 1);
    assert.deepEqual(
      findings.map(({ name }) => name),
      ["settings"],
    );
    assert.match(findings[0]?.text ?? "", /PORT: .*\n.*PUBLIC_URL: /);
  });

  it("reports an address without TLS, a key that others can read, and a mail server that does not answer", async () => {
    await chmod(join(dataDir, "secret.key"), 0o644);
    const { code, find } = await examine({
      PUBLIC_URL: "http://consent.example",
      SMTP_URL: "smtp://127.0.0.1:1",
      MAIL_FROM: "avow@consent.example",
    });
    await chmod(join(dataDir, "secret.key"), 0o600);
    assert.equal(code, 1);
    assert.deepEqual([find("address").state, find("proxies").state], ["error", "warning"]);
    assert.match(find("data folder").advice ?? "", /chmod 600 .*secret\.key/);
    assert.deepEqual(find("mail").state, "error");
    assert.match(find("mail").text, /did not accept|ECONNREFUSED|ESOCKET/);
  });

  it("reports a database that does not answer, and its reason, and checks everything else", async () => {
    const { code, find } = await examine({ DATABASE_URL: "postgresql://avow@127.0.0.1:1/avow" });
    assert.equal(code, 1);
    assert.equal(find("database").state, "error");
    assert.match(find("database").text, /ECONNREFUSED/);
    assert.equal(find("migrations").state, "warning");
    assert.equal(find("storage").state, "ok");
  });

  it("prints a table with what to do", async () => {
    const { code, out } = await runAvow(["doctor"], { env: usual });
    assert.equal(code, 1);
    assert.match(out, /✓ +settings +All settings are valid\./);
    assert.match(out, /→ Set PUBLIC_URL to the address that visitors use\./);
    assert.match(out, /1 error, \d warnings/);
  });
});
