import assert from "node:assert/strict";
import { it } from "node:test";
import * as fc from "fast-check";
import { checkRefusals } from "../hostile/matrix.ts";
import { type Operation, isWrite, listOperations, takesFile } from "../hostile/operations.ts";
import { assertListsFaults, createProbe } from "../hostile/probe.ts";
import { runs, sampleOf, takeShare } from "../hostile/runs.ts";
import { isRecord } from "../hostile/schema.ts";
import { brokenBytes, brokenTexts, malformedTexts } from "../hostile/texts.ts";
import { createValidators } from "../hostile/validators.ts";
import { valuesOf } from "../hostile/values.ts";
import { knownOf, newWorld } from "../hostile/world.ts";

/** Every route accepts bodies of this length. */
const BODY_LENGTH_MIN_MAX = 16 * 1024;
const json = { "content-type": "application/json" };
const operations = await listOperations();
const writes = operations.filter((operation) => isWrite(operation) && operation.method !== "GET");
/** Routes for files accept nothing else, of any size. */
const RAW = "receivePaymentEvent";
// A payment provider's body is accepted as raw bytes, which its signature covers
// (billing-webhooks.test.ts).
const ofJson = writes.filter((operation) => !takesFile(operation) && operation.operationId !== RAW);
const withBody = writes.filter(({ body }) => body !== undefined);
const world = await newWorld(operations);
const probe = createProbe(world, { countEach: false });
const validatorOf = createValidators();

it("returns 400 for bodies with characters that cannot be stored", () =>
  checkRefusals(probe, withBody, async (operation, turn) => {
    for (const { name, text } of takeShare(malformedTexts(objectFor(operation)), turn)) {
      const answer = await probe.send(operation, { body: text, headers: json });
      const context = `${name}: ${answer.status} ${JSON.stringify(answer.body)}`;
      const tooLarge = answer.status === 413 && text.length > BODY_LENGTH_MIN_MAX;
      assert.ok(answer.status === 400 || tooLarge, context);
    }
  }));

it("lists every malformed position by its pointer", async () => {
  const operation = operationOf("createProject");
  const text = String.raw`{"websiteURL":"https://a.example","title":"a\u0000","colors":{"x":["\ud800",1e400]},"k\u0000":1}`;
  const answer = await probe.send(operation, { body: text, headers: json });
  const paths = assertListsFaults(answer, text);
  assert.deepEqual(paths, ["/title", "/colors/x/0", "/colors/x/1", "/k\uFFFD"]);
});

it("returns 400 for bodies that are not JSON", () =>
  checkRefusals(probe, ofJson, async (operation, turn) => {
    for (const { name, text } of takeShare(brokenTexts, turn)) {
      const answer = await probe.send(operation, { body: text, headers: json });
      assert.equal(answer.status, 400, `${name}: ${JSON.stringify(answer.body)}`);
    }
    for (const { name, body } of takeShare(brokenBytes, turn)) {
      const answer = await probe.send(operation, { body, headers: json });
      assert.equal(answer.status, 400, `${name}: ${JSON.stringify(answer.body)}`);
    }
  }));

it("returns 400 for truncated bodies", () =>
  checkRefusals(probe, withBody, async (operation) => {
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
  }));

it("uses and validates the last of duplicate names", () =>
  checkRefusals(probe, withBody, async (operation) => {
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
  }));

const rarelyTaken = [
  "text/plain",
  "multipart/form-data; boundary=x",
  "application/x-www-form-urlencoded",
];
const neverTaken = [
  "application/xml",
  "application/octet-stream",
  "image/png",
  "application/json-seq",
  "x",
];
it("returns 415 for wrong content types", () =>
  checkRefusals(
    probe,
    writes.filter(({ operationId }) => operationId !== RAW),
    async (operation) => {
      const isTaken = (type: string) =>
        operation.bodyTypes.some((taken) => type.split(";")[0] === taken);
      const body = JSON.stringify(objectFor(operation));
      for (const type of [...neverTaken, ...rarelyTaken.filter((one) => !isTaken(one))]) {
        const answer = await probe.send(operation, { body, headers: { "content-type": type } });
        assert.equal(answer.status, 415, `${type}: ${JSON.stringify(answer.body)}`);
      }
    },
  ));

it("returns 413 for bodies that are too large", () =>
  checkRefusals(probe, ofJson, async (operation) => {
    const body = `{"extra":"${"x".repeat(3 * 1024 * 1024)}"}`;
    const answer = await probe.send(operation, { body, headers: json });
    assert.equal(answer.status, 413, JSON.stringify(answer.body));
  }));

it("returns 400 or 413 for very long strings and huge lists where the schema sets a limit", () =>
  checkRefusals(probe, withBody, async (operation) => {
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
  }));

/** A deterministic object that `operation` accepts. */
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
