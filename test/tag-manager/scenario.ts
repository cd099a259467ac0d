import assert from "node:assert/strict";
import { type Host, buildApis, getApi, runSandboxed } from "./sandbox.ts";
import type { Scenario, Template } from "./template.ts";

type Callable = (...values: unknown[]) => unknown;

/** The globals of a scenario, in addition to those of a template. */
export const scenarioGlobals = ["require", "runCode", "mock", "assertApi", "assertThat"];
/** The methods of what `assertApi` and `assertThat` return, as far as they are used here. */
export const matchers = ["wasCalled", "wasNotCalled", "wasCalledWith", "isEqualTo", "isUndefined"];

/** A host of which nothing is reached: scenarios mock what reaches outside. */
const nowhere: Host = {
  readCookies: () => [],
  setDefaultConsent: reject,
  updateConsent: reject,
  setFields: reject,
  loadScript: reject,
  page: {},
};

function reject(): never {
  throw new Error("The scenario does not mock this API.");
}

/**
 * Runs one scenario of a template's tests, as the template editor does: mocked APIs check no permission.
 * https://developers.google.com/tag-platform/tag-manager/templates/tests
 * @throws AssertionError when an assertion of the scenario fails
 */
export function runScenario(template: Template, scenario: Scenario): void {
  const apis: Record<string, unknown> = {
    ...buildApis(template.permissions, nowhere),
    gtmOnSuccess: () => undefined,
    gtmOnFailure: () => undefined,
  };
  const mocks = new Map<string, unknown>();
  const calls = new Map<string, unknown[][]>();
  const require = (name: string): unknown => {
    const real = getApi(apis, name);
    if (typeof real !== "function") return real;
    return (...values: unknown[]): unknown => {
      calls.set(name, [...listCalls(name), values]);
      const mocked = mocks.has(name) ? mocks.get(name) : real;
      return typeof mocked === "function" ? (mocked as Callable)(...values) : mocked;
    };
  };
  const listCalls = (name: string): unknown[][] => calls.get(name) ?? [];
  const runCode = (data: Record<string, unknown>): unknown => {
    const [gtmOnSuccess, gtmOnFailure] = ["gtmOnSuccess", "gtmOnFailure"].map(require);
    return runSandboxed(template.code, { require, data: { ...data, gtmOnSuccess, gtmOnFailure } });
  };
  const mock = (name: string, value: unknown): void => {
    getApi(apis, name);
    mocks.set(name, value);
  };
  const assertApi = (name: string) => {
    getApi(apis, name);
    return {
      wasCalled: () => assert.ok(listCalls(name).length > 0, `${name} was not called`),
      wasNotCalled: () => assert.deepEqual(listCalls(name), [], `${name} was called`),
      wasCalledWith: (...values: unknown[]) =>
        assert.ok(
          listCalls(name).some((call) => isEqual(call, values)),
          `${name} was called with ${JSON.stringify(listCalls(name))}`,
        ),
    };
  };
  const assertThat = (actual: unknown) => ({
    isEqualTo: (expected: unknown) => assert.deepEqual(actual, expected),
    isUndefined: () => assert.equal(actual, undefined),
  });
  runSandboxed(`${template.setup}\n${scenario.code}`, {
    require,
    runCode,
    mock,
    assertApi,
    assertThat,
  });
}

function isEqual(a: unknown, b: unknown): boolean {
  try {
    assert.deepEqual(a, b);
    return true;
  } catch {
    return false;
  }
}
