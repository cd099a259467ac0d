import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { describe, it } from "node:test";
import { findLanguageBreaches } from "./language.ts";
import { matchers, runScenario, scenarioGlobals } from "./scenario.ts";
import { listParameters, readTemplate } from "./template.ts";

const folder = new URL("../../integrations/google-tag-manager/", import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith(".tpl"));

/** The permission that each API checks. */
const permissionOf: Readonly<Record<string, string>> = {
  callInWindow: "access_globals",
  getCookieValues: "get_cookies",
  gtagSet: "write_data_layer",
  injectScript: "inject_script",
  setDefaultConsentState: "access_consent",
  updateConsentState: "access_consent",
};

/** The limit of the template editor. */
const DESCRIPTION_CHARACTERS_MAX = 200;

for (const file of files)
  describe(`the template ${file}`, () => {
    const template = readTemplate(file);
    const { info, parameters, code, permissions, setup, scenarios } = template;
    const required = [...code.matchAll(/require\('(\w+)'\)/g)].map(([, name = ""]) => name);

    it("is a tag of a web container or a variable of a server container", () => {
      const kinds = ["TAG of WEB", "MACRO of SERVER"];
      assert.ok(kinds.includes(`${info.type} of ${info.containerContexts.join()}`));
      assert.ok(info.description.length <= DESCRIPTION_CHARACTERS_MAX);
    });

    it("has parameters with unique names and valid patterns, all of which the code reads", () => {
      for (const { valueValidators = [] } of listParameters(parameters))
        for (const { type, args = [] } of valueValidators)
          if (type === "REGEX") assert.ok(args.map((pattern) => new RegExp(pattern)).length > 0);
      const fields = parameters.flatMap((one) => one.subParams ?? [one]).map(({ name }) => name);
      assert.equal(new Set(fields).size, fields.length);
      assert.deepEqual(
        fields.filter((name) => !code.includes(`data.${name}`)),
        [],
      );
    });

    it("uses the language of the sandbox only", () => {
      assert.deepEqual(findLanguageBreaches(code, ["require", "data", "undefined"]), []);
      for (const scenario of scenarios)
        assert.deepEqual(
          findLanguageBreaches(
            `${setup}\n${scenario.code}`,
            [...scenarioGlobals, "undefined"],
            matchers,
          ),
          [],
          scenario.name,
        );
    });

    it("has the permissions that its APIs check, and no others", () => {
      const needed = required.map((name) => permissionOf[name]).filter((one) => one !== undefined);
      assert.deepEqual(Object.keys(permissions).toSorted(), [...new Set(needed)].toSorted());
    });

    for (const scenario of scenarios)
      it(`${scenario.name} (scenario)`, () => runScenario(template, scenario));
  });
