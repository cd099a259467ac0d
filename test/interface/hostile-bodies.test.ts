import assert from "node:assert/strict";
import { it } from "node:test";
import * as fc from "fast-check";
import { checkEach, checkRefusals } from "../hostile/matrix.ts";
import { type Operation, isWrite, listOperations, takesNoField } from "../hostile/operations.ts";
import { listPositions, putAt, toPointer, wrongValuesFor } from "../hostile/positions.ts";
import { assertListsFaults, createProbe } from "../hostile/probe.ts";
import { runs, sampleOf, steadyRuns } from "../hostile/runs.ts";
import { type Schema, isRecord } from "../hostile/schema.ts";
import { createValidators } from "../hostile/validators.ts";
import { isSubstantial, valuesOf } from "../hostile/values.ts";
import { knownOf, newWorld } from "../hostile/world.ts";

/** Minimum share of generated bodies that must be accepted, to prove the generator useful. */
const TAKEN_SHARE_MIN = 0.25;

const operations = await listOperations();
const world = await newWorld(operations);
const probe = createProbe(world);
/** Rows are counted once after many rejections. */
const refusals = createProbe(world, { countEach: false });
const validatorOf = createValidators();

it("accepts valid bodies from the schemas in /v1/openapi.json, or names the rule that they break", () => {
  // The account that owns everything here must not be deleted, and a claim works once:
  // test/interface/account-deletion.test.ts and operators.test.ts cover that. Bodies without fields: empty-bodies.test.ts.
  const left = new Set(["deleteMe", "claimInstance"]);
  const all = withBodies().filter(
    ({ operationId, operation }) => !left.has(operationId) && !takesNoField(operation),
  );
  return checkEach(all, async ({ operation, body }) => {
    let tried = 0;
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(operation.isBodyRequired ? body : orNone(body), async (json) => {
        const answer = await probe.send(operation, { json });
        tried += 1;
        // A conflict is about the state (another job runs), not about the body.
        if (answer.status < 300 || answer.status === 409) taken += 1;
        else assert.ok([400, 404, 409, 422].includes(answer.status), JSON.stringify(answer.body));
        if (answer.status === 400) assertListsFaults(answer, JSON.stringify(json));
      }),
      steadyRuns(2),
    );
    assert.ok(taken >= tried * TAKEN_SHARE_MIN, `only ${taken} of ${tried} were accepted`);
  });
});

it("returns 400 for values of a wrong type, and lists each of up to three positions", () =>
  checkRefusals(refusals, withBodies(), async ({ operation, schema, body }) => {
    const broken = fc
      .tuple(body, fc.gen())
      .map(([value, gen]) => breakTypes(operation, { schema, value }, gen))
      .filter(({ pointers }) => pointers.length > 0);
    if (sampleOf(body, 50).every((value) => listPositions(schema, value).length === 0)) return;
    await fc.assert(
      fc.asyncProperty(broken, async ({ json, pointers }) => {
        assert.notDeepEqual(validatorOf(schema)(json), []);
        const answer = await refusals.send(operation, { json });
        const listed = assertListsFaults(answer, JSON.stringify(json));
        for (const pointer of pointers)
          assert.ok(listed.includes(pointer), `${pointer} is not in ${listed.join(" ")}`);
      }),
      runs(),
    );
  }));

it("returns 400 for missing required fields, naming each and all", () => {
  const requiredBy = ({ schema }: WithBody) => schema.required ?? [];
  return checkRefusals(
    refusals,
    withBodies().filter((one) => requiredBy(one).length > 0),
    async (one) => {
      const required = requiredBy(one);
      const whole = sampleOf(one.body).find(isRecord);
      assert.ok(whole, "no body");
      for (const missing of [...required.map((name) => [name]), required]) {
        // A project's `name` replaces its title.
        const left = ([name]: [string, unknown]) => !missing.includes(name) && name !== "name";
        const json = Object.fromEntries(Object.entries(whole).filter(left));
        const answer = await refusals.send(one.operation, { json });
        const listed = assertListsFaults(answer, JSON.stringify(json));
        for (const name of missing)
          assert.ok(listed.includes(`/${name}`), `/${name}: ${listed.join()}`);
      }
    },
  );
});

it("rejects other kinds of JSON at the top of a body", () =>
  checkRefusals(refusals, withBodies(), async ({ operation, schema }) => {
    for (const json of [null, true, 1, "text", [], [[]], {}]) {
      if (validatorOf(schema)(json).length === 0) continue;
      assertListsFaults(await refusals.send(operation, { json }), JSON.stringify(json));
    }
  }));

/** A body that may be left out is left out half the time. */
function orNone<T>(body: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(body, { nil: undefined, freq: 1 });
}

type WithBody = ReturnType<typeof withBodies>[number];

function withBodies() {
  return operations.filter(isWrite).flatMap((operation) => {
    const schema = operation.body;
    if (!schema) return [];
    const body = valuesOf(schema, knownOf(world, operation)).filter(
      (value) => validatorOf(schema)(value).length === 0,
    );
    return [{ operationId: operation.operationId, operation, schema, body }];
  });
}

/** Puts values of wrong types at up to three positions, none inside another. */
function breakTypes(
  { method }: Operation,
  { schema, value }: { schema: Schema; value: unknown },
  gen: fc.GeneratorValue,
) {
  let json = value;
  const pointers: string[] = [];
  const positions = listPositions(schema, value);
  for (let n = 0; n < 3 && positions.length > 0; n += 1) {
    const position = gen(fc.constantFrom, ...positions);
    const pointer = toPointer(position.path);
    if (pointers.some((known) => `${known}/`.startsWith(`${pointer}/`))) continue;
    if (pointers.some((known) => `${pointer}/`.startsWith(`${known}/`))) continue;
    // In a merge patch null removes (RFC 7396).
    const wrong = wrongValuesFor(position.schema).filter((v) => v !== null || method !== "PATCH");
    json = putAt(json, position.path, gen(fc.constantFrom, ...wrong));
    pointers.push(pointer);
  }
  return { json, pointers };
}

it("the generators make non-trivial bodies", () => {
  for (const { operation, schema, body } of withBodies()) {
    if (Object.keys(schema.properties ?? {}).length < 2) continue;
    const substantial = sampleOf(body, 40).filter(isSubstantial);
    assert.ok(substantial.length >= 10, operation.operationId);
  }
});
