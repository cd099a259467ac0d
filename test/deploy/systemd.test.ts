import assert from "node:assert/strict";
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { loadConfig } from "../../packages/server/config/config.ts";
import { settings } from "../../packages/server/config/settings.ts";
import { run, skipWithoutAny } from "./proxy-servers.ts";

const analyze = "/usr/bin/systemd-analyze";
const skip = skipWithoutAny({ [analyze]: "systemd" });
const units = join(import.meta.dirname, "../../deploy/systemd");
const services = ["avow.service", "avow-backup.service"];
const EXPOSURE_MAX = 2;

/** Copies the units to a folder in which their program exists, since `verify` looks for it. */
async function copyUnits(context: TestContext): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "avow-units-"));
  context.after(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, "opt"));
  const program = join(folder, "opt/avow");
  await writeFile(program, "#!/bin/sh\n");
  await chmod(program, 0o755);
  const names = [...services, "avow-backup.timer"];
  for (const name of names) {
    const text = await readFile(join(units, name), "utf8");
    await writeFile(
      join(folder, name),
      text.replaceAll("/opt/avow/node_modules/.bin/avow", program),
    );
  }
  const dropIns = join(folder, "avow.service.d");
  await mkdir(dropIns);
  await copyFile(join(units, "workers.conf"), join(dropIns, "workers.conf"));
  return names.map((name) => join(folder, name));
}

function readExposure(unit: string): number {
  const { output } = run(analyze, ["security", "--offline=yes", "--no-pager", unit]);
  return Number(/exposure level for .*: ([\d.]+)/.exec(output)?.[1]);
}

test("systemd accepts the units without a warning", { skip }, async (context) => {
  const { status, output } = run(analyze, ["verify", ...(await copyUnits(context))]);
  assert.deepEqual({ status, output }, { status: 0, output: "" });
});

test("each service has an exposure of 2.0 at most", { skip }, async (context) => {
  for (const name of services) {
    const exposure = readExposure(join(units, name));
    assert.ok(exposure > 0 && exposure <= EXPOSURE_MAX, `${name} has ${exposure}`);
  }
  // Guards the check itself: the same service without its restrictions.
  const [unit = ""] = await copyUnits(context);
  const text = await readFile(unit, "utf8");
  await writeFile(unit, text.replaceAll(/^(Protect|Private|Restrict|SystemCall|Cap).*\n/gm, ""));
  assert.ok(readExposure(unit) > EXPOSURE_MAX);
});

test("the environment file names settings, and they are valid", async () => {
  const text = await readFile(join(units, "avow.env"), "utf8");
  const lines = text.matchAll(/^#?(?<name>[A-Z0-9_]+)=(?<value>.*)$/gm);
  const env = Object.fromEntries(
    [...lines].map(({ groups }) => [groups?.["name"] ?? "", groups?.["value"] ?? ""]),
  );
  const known = Object.keys(settings);
  const others = Object.keys(env).filter((name) => !known.includes(name));
  assert.deepEqual(others, ["BACKUP_PLACE", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"]);
  assert.equal(loadConfig(env).config.http.publicUrl, "https://consent.example");
});
