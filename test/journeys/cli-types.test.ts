import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { buildFramework } from "../../scripts/build/framework.ts";
import { buildWidget } from "../../scripts/build/widget.ts";
import { newLiveSite, shopCookies } from "../browser/widget/site.ts";
import { runAvow } from "../command.ts";
import { service } from "../harness.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");

describe("avow types", () => {
  it("writes names that the compiler checks in code on the packages for npm", async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "avow-types-"));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const modules = join(folder, "node_modules");
    await mkdir(join(modules, "@types"), { recursive: true });
    await buildWidget(join(modules, "@avow", "widget"));
    buildFramework("react", join(modules, "@avow", "react"));
    for (const name of ["@types/react", "react", "csstype"])
      await symlink(join(root, "node_modules", name), join(modules, name));
    const form = { name: "news", title: "News", language: "en", message: "<p>May we?</p>" };
    const { projectId } = await newLiveSite({ cookies: [shopCookies], processings: [form] });
    const args = ["types", "--project", projectId, "--url", service.url, "--out", "avow.d.ts"];
    const { code, err } = await runAvow(args, { cwd: folder });
    assert.equal(code, 0, err);
    assert.match(err, /Vendors: 3\. Forms: 1\./);
    await writeFile(
      join(folder, "shop.tsx"),
      `import { ConsentForm, ConsentGate, ConsentProvider, useConsent } from "@avow/react";
import { createConsentReader } from "@avow/react/server";
import { createConsent } from "@avow/widget/headless";
export function Shop() {
  const { state, answer, isAccepted } = useConsent();
  void answer({ one: state.vendors.two === true });
  for (const { name } of state.offer?.vendors ?? []) void state.vendors[name];
  // @ts-expect-error an unknown vendor is rejected
  void state.vendors.typo;
  // @ts-expect-error an unknown vendor is rejected
  void answer({ typo: true });
  // @ts-expect-error an unknown vendor is rejected
  void isAccepted("typo");
  return (
    <ConsentProvider project="p" url="https://consent.example">
      <ConsentGate vendor="one">One</ConsentGate>
      <ConsentGate vendor={["one", "shop"]}>Both</ConsentGate>
      {/* @ts-expect-error an unknown vendor is rejected */}
      <ConsentGate vendor="typo">None</ConsentGate>
      <ConsentForm form="news" />
      {/* @ts-expect-error an unknown form is rejected */}
      <ConsentForm form="typo" />
    </ConsentProvider>
  );
}
export const consent = createConsent({ project: "p", url: "https://consent.example" });
export const readConsent = createConsentReader({ project: "p", url: "https://consent.example" });
`,
    );
    const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
    const options = ["--strict", "--noEmit", "--skipLibCheck", "false", "--jsx", "react-jsx"];
    const target = ["--module", "nodenext", "--lib", "es2024,dom,dom.iterable", "--types", ""];
    const { stdout } = await run(
      process.execPath,
      [compiler, ...options, ...target, "shop.tsx", "avow.d.ts"],
      { cwd: folder },
    ).catch((error: { stdout: string }) => error);
    assert.equal(stdout, "");
  });

  it("reads the staging version, and prints to standard output by default", async () => {
    const { projectId } = await newLiveSite({ cookies: [shopCookies] });
    const common = ["types", "--project", projectId, "--url", service.url];
    const { code, out } = await runAvow(common);
    assert.equal(code, 0);
    assert.match(out, /vendor: "one" \| "shop" \| "two";\n {4}form: never;/);
    const staging = await runAvow([...common, "--environment", "staging"]);
    assert.equal(staging.code, 1);
    assert.match(staging.err, /Nothing is published: .*\.staging\.json \(404\)/);
  });

  it("explains wrong usage", async () => {
    assert.equal((await runAvow(["types", "--help"])).code, 0);
    for (const args of [[], ["--project", "p", "x"], ["--project", "p", "--environment", "test"]])
      assert.equal((await runAvow(["types", ...args])).code, 2);
  });
});
