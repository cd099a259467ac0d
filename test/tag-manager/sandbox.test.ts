import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findLanguageBreaches } from "./language.ts";
import { type Host, type Permissions, buildApis, getApi, runSandboxed } from "./sandbox.ts";
import { runScenario } from "./scenario.ts";
import { parseTemplate, readTemplate } from "./template.ts";

const template = readTemplate("avow.tpl");
const memory = { $$completed: true, $$googleConsentMode: { ad_storage: "granted" } };
const settings = {
  service: "https://consent.example",
  project: "6b09eef687a988aee4fbcbea",
  waitForUpdate: 500,
};

/** Runs the web template with its own APIs, and returns what reached the outside. */
function runTag(permissions: Permissions, given: object = {}): [string, unknown][] {
  const reached: [string, unknown][] = [];
  const note =
    (name: string) =>
    (value?: unknown): void =>
      void reached.push([name, value]);
  const host: Host = {
    readCookies: () => [encodeURIComponent(JSON.stringify(memory))],
    setDefaultConsent: note("default"),
    updateConsent: note("update"),
    setFields: note("set"),
    loadScript(address, onSuccess) {
      note("load")(address);
      onSuccess();
    },
    page: { avow: { on: note("on") } },
  };
  const apis = buildApis(permissions, host);
  const [gtmOnSuccess, gtmOnFailure] = ["success", "failure"].map(note);
  runSandboxed(template.code, {
    require: (name: string) => getApi(apis, name),
    data: { ...settings, ...given, gtmOnSuccess, gtmOnFailure },
  });
  return reached;
}

describe("the emulation of Tag Manager's sandbox", () => {
  it("runs the template with the permissions that it declares", () => {
    const names = runTag(template.permissions).map(([name]) => name);
    assert.deepEqual(names, ["set", "default", "update", "load", "on", "on", "success"]);
  });

  for (const name of Object.keys(template.permissions))
    it(`stops the template without the permission ${name}`, () => {
      const { [name]: _, ...rest } = template.permissions;
      // The template asks for this permission first.
      if (name === "inject_script") assert.deepEqual(runTag(rest).at(-1)?.[0], "failure");
      else assert.throws(() => runTag(rest), new RegExp(`permission ${name} does not cover`));
    });

  it("limits each permission to what it lists", () => {
    const apis = buildApis(template.permissions, {
      readCookies: () => [],
      setDefaultConsent: () => undefined,
      updateConsent: () => undefined,
      setFields: () => undefined,
      loadScript: () => undefined,
      page: {},
    });
    const call = (name: string, ...values: unknown[]): unknown =>
      (getApi(apis, name) as (...given: unknown[]) => unknown)(...values);
    call("injectScript", "https://consent.example/widget.js?project=a");
    for (const address of [
      "http://consent.example/widget.js",
      "https://consent.example/other.js",
      "https://evil.example/#https://consent.example/widget.js",
      "https://evil.example/a/widget.js",
    ])
      assert.throws(() => call("injectScript", address), /inject_script does not cover/);
    assert.throws(() => call("getCookieValues", "session"), /get_cookies does not cover session/);
    assert.throws(() => call("callInWindow", "avow.answer"), /access_globals does not cover/);
    assert.throws(() => call("updateConsentState", { own: "granted" }), /access_consent/);
    assert.throws(() => call("gtagSet", { user_id: "1" }), /write_data_layer does not cover/);
    assert.throws(() => call("sendPixel", "https://evil.example/"), /no API sendPixel/);
  });

  const breaches: [string, RegExp][] = [
    ["const a = new Date();", /NewExpression/],
    ["const a = this;", /ThisExpression/],
    ["const a = 'a'.match(/a/);", /\/a\//],
    ["const a = window.location;", /the global window/],
    ["const a = JSON.parse('1');", /the global JSON/],
    ["const a = `a`;", /TemplateLiteral/],
    ["const a = (b = 1) => b;", /AssignmentPattern/],
    ["const {a} = data;", /ObjectPattern/],
    ["const a = [...data.a];", /SpreadElement/],
    ["const a = data?.a;", /ChainExpression/],
    ["const a = data.a ?? 1;", /\?\?/],
    ["const b = 1; const a = {b};", /short form/],
    ["delete data.a;", /uses delete/],
    ["const a = () => {}; for (const b of data.a) a();", /ForOfStatement/],
    ["const a = data.list; a.findLast();", /the method findLast/],
    ["if (", /./],
  ];
  for (const [code, breach] of breaches)
    it(`rejects ${code}`, () =>
      assert.match(findLanguageBreaches(code, ["require", "data"]).join("\n"), breach));

  const failing: [string, RegExp][] = [
    ["assertThat(1).isEqualTo(2);", /1/],
    ["assertThat(1).isUndefined();", /1/],
    ["assertApi('injectScript').wasCalled();", /was not called/],
    ["runCode(tag); assertApi('injectScript').wasNotCalled();", /was called/],
    ["runCode(tag); assertApi('gtagSet').wasCalledWith(1);", /was called with/],
    ["mock('sendPixel', 1);", /no API sendPixel/],
    ["assertThat(1).isEqualToo(1);", /not a function/],
  ];
  for (const [code, error] of failing)
    it(`fails a scenario of ${code}`, () =>
      assert.throws(() => runScenario(template, { name: "fails", code }), error));

  it("rejects a file without one of the sections", () => {
    assert.throws(() => parseTemplate("___INFO___\n{}\n"), /The sections are INFO/);
  });
});
