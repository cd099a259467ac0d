import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { cp, mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "../..");
const integrations = join(root, "integrations");
const php = "/usr/bin/php";
// These tests must not be skipped in CI, which installs PHP.
const isRequired = process.env["WORDPRESS_TESTS"] === "required";
const skip = !isRequired && !existsSync(php) && `${php} is not installed (Debian: php-cli)`;

const service = "https://consent.example";
const project = "6b09f1d132c15f1b61aa2a57";
const hostile = `"><script>alert(1)</script>`;
const answer = JSON.stringify({ $$completed: true, one: true, two: false });

/** Runs a program of stand-ins with `input`; returns what it prints. @throws Error if PHP prints a warning */
async function runPhp<T>(name: string, input: unknown = null): Promise<T> {
  const args = ["-d", "display_errors=stderr", "-d", "error_reporting=-1"];
  const running = promisify(execFile)(php, [
    ...args,
    join(import.meta.dirname, "php", `${name}.php`),
  ]);
  running.child.stdin?.end(JSON.stringify(input));
  const { stdout, stderr } = await running;
  assert.equal(stderr, "");
  return JSON.parse(stdout) as T;
}

/** Asserts that a head has the widget of the project, and before it the script of automatic blocking. */
function assertHead(html: string): void {
  const at = (text: string): number => {
    assert.equal(html.split(text).length, 2, `once: ${text} in ${html}`);
    return html.indexOf(text);
  };
  const policy = at('<meta http-equiv="Content-Security-Policy" content="">');
  const block = at(`<script src="${service}/cdn/${project}.block.js" data-block="auto">`);
  const widget = at(`<script src="${service}/widget.js" data-project="${project}" async`);
  at(`href="${service}/cdn/${project}.json"`);
  assert.ok(policy < block && block < widget);
}

describe("the modules for shops and content management systems", { skip }, () => {
  it("have no syntax error in PHP, JSON or XML", async () => {
    const files = globSync("**/*.{php,phtml,module,xml,json}", { cwd: integrations });
    assert.ok(files.length > 30, "the files were found");
    for (const file of files) {
      const path = join(integrations, file);
      if (file.endsWith(".json")) JSON.parse(await readFile(path, "utf8"));
      else if (file.endsWith(".xml"))
        await promisify(execFile)(php, [
          "-r",
          "exit(simplexml_load_file($argv[1]) ? 0 : 1);",
          path,
        ]);
      else await promisify(execFile)(php, ["-l", path]);
    }
  });

  it("add the scripts to the head of PrestaShop, once configured", async () => {
    const settings = { AVOW_SERVICE: service, AVOW_PROJECT: project, AVOW_BLOCKING: 1 };
    const injected = { ...settings, AVOW_SERVICE: hostile, AVOW_PROJECT: hostile };
    const calls = ["head", { set: settings }, "head", { set: injected }, "head"];
    const [empty, , head = "", , escaped] = await runPhp<string[]>("prestashop", calls);
    assert.equal(empty, "");
    assertHead(head);
    assert.doesNotMatch(escaped ?? "", /<script>alert/);
  });

  it("validate the settings of PrestaShop, and remove them", async () => {
    const post = { submitAvow: 1, AVOW_SERVICE: `${service}/widget.js`, AVOW_PROJECT: project };
    const [plain, wrong, saved, removed, installed] = await runPhp<[string, unknown][]>(
      "prestashop",
      [
        { post: { ...post, AVOW_SERVICE: "http://consent.example" } },
        { post: { ...post, AVOW_PROJECT: hostile } },
        { post: { ...post, AVOW_BLOCKING: "1" } },
        "uninstall",
        "install",
      ],
    );
    assert.match(plain?.[0] ?? "", /^error: The address[^]*token-of-AdminModules/);
    assert.match(wrong?.[0] ?? "", /^error: The project identifier/);
    assert.match(saved?.[0] ?? "", /^done:/);
    const values = { AVOW_SERVICE: service, AVOW_PROJECT: project, AVOW_BLOCKING: 1 };
    assert.deepEqual([plain?.[1], wrong?.[1], saved?.[1]], [[], [], values]);
    assert.deepEqual(removed, [true, []]);
    const calls = ["registerHook displayHeader", "updatePosition [7,false,1]"];
    assert.deepEqual(installed, [true, calls]);
  });

  it("read the answer on the server in PrestaShop and Drupal", async () => {
    const toDated = (days: number) =>
      JSON.stringify({
        $$completed: true,
        $$date: new Date(Date.now() - days * 86_400_000).toISOString(),
        one: true,
      });
    const cases: [cookie: unknown, vendor: string, expected: boolean][] = [
      [answer, "one", true],
      [answer, "two", false],
      [answer, "nobody", false],
      [answer, "$$completed", false],
      [JSON.stringify({ one: true }), "one", false],
      [JSON.stringify({ $$completed: true, one: "true" }), "one", false],
      [toDated(179), "one", true],
      [toDated(181), "one", false],
      [JSON.stringify({ $$completed: true, $$date: "soon", one: true }), "one", false],
      [JSON.stringify({ $$completed: true, $$date: 1, one: true }), "one", false],
      ["[true", "one", false],
      [["one"], "one", false],
      [`${answer}${" ".repeat(8_192)}`, "one", false],
    ];
    const expected = cases.map(([, , is]) => is);
    const prestashop = cases.map(([cookie, vendor]) => ({ cookie, vendor }));
    assert.deepEqual(await runPhp("prestashop", prestashop), expected);
    const drupal = cases.map(([cookie, vendor]) => ({
      cookies: { axeptio_cookies: cookie },
      vendor,
    }));
    assert.deepEqual(await runPhp("drupal", drupal), expected);
    assert.deepEqual(
      await runPhp("drupal", [{ cookies: {}, vendor: "one" }]),
      [true].map(() => false),
    );
  });

  it("add the scripts to the head of Drupal, except on administrative pages", async () => {
    const settings = { service, project, blocking: true };
    const [page, admin, empty, escaped] = await runPhp<[string, string[]][]>("drupal", [
      { settings, isAdmin: false },
      { settings, isAdmin: true },
      { settings: {}, isAdmin: false },
      { settings: { service: hostile, project: hostile }, isAdmin: false },
    ]);
    assertHead(page?.[0] ?? "");
    assert.deepEqual([admin?.[0], empty?.[0]], ["", ""]);
    // A cached page without the scripts is built again once the settings change.
    assert.deepEqual(empty?.[1], ["other", "config:avow.settings"]);
    assert.doesNotMatch(escaped?.[0] ?? "", /<script>alert/);
  });

  it("validate the settings of Drupal", async () => {
    const form = { service: `${service}/widget.js`, project, blocking: 1 };
    const [plain, wrong, saved] = await runPhp<[Record<string, string>, unknown][]>("drupal", [
      { form: { ...form, service: "javascript:alert(1)" } },
      { form: { ...form, project: hostile } },
      { form },
    ]);
    assert.deepEqual(Object.keys(plain?.[0] ?? {}), ["service"]);
    assert.deepEqual(Object.keys(wrong?.[0] ?? {}), ["project"]);
    assert.deepEqual(saved, [[], { service, project, blocking: true }]);
  });

  it("add the scripts to the head of Magento, and the service to its policy", async () => {
    const settings = { service: `${service}/`, project, blocking: "1" };
    const [page, empty, injected] = await runPhp<[string, unknown[]][]>("magento", [
      settings,
      { project },
      { service: hostile, project: hostile, blocking: "1" },
    ]);
    assertHead(page?.[0] ?? "");
    const policies = ["script-src", "connect-src", "img-src"].map((id) => ({
      id,
      none: false,
      hosts: [service],
    }));
    assert.deepEqual(page?.[1], ["before", ...policies]);
    assert.deepEqual([empty?.[0].trim(), empty?.[1]], ["", ["before"]]);
    assert.deepEqual([injected?.[0].trim(), injected?.[1]], ["", ["before"]]);
  });

  it("delete the settings of all sites of a WordPress network", async () => {
    const deleted = await runPhp<string[]>("uninstall");
    assert.equal(deleted.length, 3 * 150);
    for (const name of ["avow_settings", "avow_published", "avow_refresh"])
      assert.ok(deleted.includes(`1 ${name}`) && deleted.includes(`150 ${name}`), name);
  });

  it("have the translations of the current texts, all of them in French", async () => {
    const folder = await mkdtemp(join(tmpdir(), "avow-translations-"));
    try {
      const plugin = join(integrations, "wordpress/avow");
      await cp(plugin, folder, { recursive: true });
      const script = join(integrations, "wordpress/translate.php");
      await promisify(execFile)(php, [script, folder]);
      const names = await readdir(join(plugin, "languages"));
      assert.ok(names.length >= 4);
      for (const name of names)
        assert.deepEqual(
          await readFile(join(folder, "languages", name)),
          await readFile(join(plugin, "languages", name)),
          `${name}: run php integrations/wordpress/translate.php`,
        );
    } finally {
      await rm(folder, { recursive: true });
    }
    const po = readFileSync(join(integrations, "wordpress/avow/languages/avow-fr_FR.po"), "utf8");
    assert.doesNotMatch(po, /msgstr(\[\d\])? ""\n(?!")/);
  });
});
