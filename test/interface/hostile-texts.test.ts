import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import * as fc from "fast-check";
import { type Operation, isWrite, listOperations, takesFile } from "../hostile/operations.ts";
import { assertListsFaults, createProbe } from "../hostile/probe.ts";
import { runs, sampleOf } from "../hostile/runs.ts";
import { isRecord } from "../hostile/schema.ts";
import { brokenBytes, brokenTexts, malformedTexts } from "../hostile/texts.ts";
import { createValidators } from "../hostile/validators.ts";
import { valuesOf } from "../hostile/values.ts";
import { knownOf, newWorld } from "../hostile/world.ts";

/** Every route takes bodies of this length. */
const BODY_LENGTH_MIN_MAX = 16 * 1024;
const json = { "content-type": "application/json" };
const operations = await listOperations();
const writes = operations.filter((operation) => isWrite(operation) && operation.method !== "GET");
/** Those that take a file take nothing else, and of any size. */
const RAW = "receivePaymentEvent";
// What a payment provider sends is taken as it came: its signature is over the bytes (billing-webhooks.test.ts).
const ofJson = writes.filter((operation) => !takesFile(operation) && operation.operationId !== RAW);
const withBody = writes.filter(({ body }) => body !== undefined);
const world = await newWorld(operations);
const probe = createProbe(world, { countEach: false });
const validatorOf = createValidators();

refusals("bodies that hold what cannot be kept", () => {
  for (const operation of withBody) {
    it(`${operation.operationId} answers 400`, async () => {
      for (const { name, text } of malformedTexts(objectFor(operation))) {
        const answer = await probe.send(operation, { body: text, headers: json });
        const told = `${name}: ${answer.status} ${JSON.stringify(answer.body)}`;
        const tooLarge = answer.status === 413 && text.length > BODY_LENGTH_MIN_MAX;
        assert.ok(answer.status === 400 || tooLarge, told);
      }
    });
  }
});

/** Tests of refusals only, after each of which nothing has been written. */
function refusals(name: string, define: () => void): void {
  describe(name, () => {
    afterEach(probe.assertNothingWritten);
    define();
  });
}

it("every malformed place is listed, by its pointer", async () => {
  const operation = operationOf("createProject");
  const text = String.raw`{"websiteURL":"https://a.example","title":"a\u0000","colors":{"x":["\ud800",1e400]},"k\u0000":1}`;
  const answer = await probe.send(operation, { body: text, headers: json });
  const paths = assertListsFaults(answer, text);
  assert.deepEqual(paths, ["/title", "/colors/x/0", "/colors/x/1", "/k\uFFFD"]);
});

refusals("bodies that are not JSON", () => {
  for (const operation of ofJson) {
    it(`${operation.operationId} answers 400`, async () => {
      for (const { name, text } of brokenTexts) {
        const answer = await probe.send(operation, { body: text, headers: json });
        assert.equal(answer.status, 400, `${name}: ${JSON.stringify(answer.body)}`);
      }
      for (const { name, body } of brokenBytes) {
        const answer = await probe.send(operation, { body, headers: json });
        assert.equal(answer.status, 400, `${name}: ${JSON.stringify(answer.body)}`);
      }
    });
  }
});

refusals("bodies that end too early", () => {
  for (const operation of withBody) {
    it(`${operation.operationId} answers 400 wherever they are cut`, async () => {
      const text = JSON.stringify(objectFor(operation));
      const cuts = fc.integer({ min: 1, max: text.length - 1 });
      await fc.assert(
        fc.asyncProperty(cuts, async (length) => {
          const body = text.slice(0, length).toWellFormed();
          const answer = await probe.send(operation, { body, headers: json });
          assert.equal(answer.status, 400, body);
        }),
        runs(),
      );
    });
  }
});

refusals("names that occur twice", () => {
  for (const operation of withBody) {
    it(`${operation.operationId}: the last one counts, and it is checked`, async () => {
      const whole = objectFor(operation);
      const [name] =
        Object.entries(operation.body?.properties ?? {}).find(
          ([key, schema]) => key in whole && schema.type !== undefined,
        ) ?? [];
      if (name === undefined) return;
      const wrong = operation.body?.properties?.[name]?.type === "boolean" ? '"no"' : "true";
      const text = `${JSON.stringify(whole).slice(0, -1)},${JSON.stringify(name)}:${wrong}}`;
      const answer = await probe.send(operation, { body: text, headers: json });
      assert.ok(assertListsFaults(answer, text).includes(`/${name}`));
    });
  }
});

refusals("wrong content types", () => {
  for (const operation of writes.filter(({ operationId }) => operationId !== RAW)) {
    const types = [
      ...(operation.bodyTypes.includes("text/plain") ? [] : ["text/plain"]),
      "application/xml",
      ...(operation.bodyTypes.includes("multipart/form-data")
        ? []
        : ["multipart/form-data; boundary=x"]),
      "application/octet-stream",
      "image/png",
      "application/json-seq",
      "x",
      ...(operation.bodyTypes.includes("application/x-www-form-urlencoded")
        ? []
        : ["application/x-www-form-urlencoded"]),
    ];
    it(`${operation.operationId} answers 415`, async () => {
      const body = JSON.stringify(objectFor(operation));
      for (const type of types) {
        const answer = await probe.send(operation, { body, headers: { "content-type": type } });
        assert.equal(answer.status, 415, `${type}: ${JSON.stringify(answer.body)}`);
      }
    });
  }
});

refusals("bodies that are too large", () => {
  for (const operation of ofJson) {
    it(`${operation.operationId} answers 413`, async () => {
      const body = `{"extra":"${"x".repeat(3 * 1024 * 1024)}"}`;
      const answer = await probe.send(operation, { body, headers: json });
      assert.equal(answer.status, 413, JSON.stringify(answer.body));
    });
  }
});

refusals("very long strings and huge lists", () => {
  for (const operation of withBody) {
    it(`${operation.operationId} answers 400 or 413 where the schema sets a bound`, async () => {
      const whole = objectFor(operation);
      for (const [name, schema] of Object.entries(operation.body?.properties ?? {})) {
        const long =
          schema.maxLength !== undefined
            ? "x".repeat(schema.maxLength + 1)
            : schema.maxItems !== undefined
              ? Array.from({ length: schema.maxItems + 1 }, () => 1)
              : undefined;
        if (long === undefined) continue;
        const answer = await probe.send(operation, { json: { ...whole, [name]: long } });
        if (answer.status !== 413)
          assert.ok(assertListsFaults(answer, name).some((path) => path.startsWith(`/${name}`)));
      }
    });
  }
});

/** An object that `operation` takes, the same every time. */
function objectFor(operation: Operation): Record<string, unknown> {
  const { body } = operation;
  if (!body) return { a: 1 };
  const fits = valuesOf(body, knownOf(world, operation)).filter(
    (value) => validatorOf(body)(value).length === 0,
  );
  return sampleOf(fits, 20).find(isRecord) ?? { a: 1 };
}

function operationOf(id: string): Operation {
  const found = operations.find(({ operationId }) => operationId === id);
  assert.ok(found, id);
  return found;
}
