import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import * as fc from "fast-check";
import { anyCharacter } from "../any-character.ts";
import { type TestAnswer, service } from "../harness.ts";
import { checkEach, checkRefusals } from "../hostile/matrix.ts";
import { type Operation, isWrite, listOperations } from "../hostile/operations.ts";
import {
  type RequestOverrides,
  assertListsFaults,
  assertProblem,
  createProbe,
} from "../hostile/probe.ts";
import { runs, sampleOf, takeShare } from "../hostile/runs.ts";
import { type Schema, isRecord } from "../hostile/schema.ts";
import { createValidators } from "../hostile/validators.ts";
import { valuesOf } from "../hostile/values.ts";
import { knownOf, newWorld, paramsOf } from "../hostile/world.ts";
import { writeVendorList } from "../vendor-list.ts";

const unknownId = "ffffffffffffffffffffffff";
/** Percent-encoded as in a URL. */
const hostileSegments = [
  "%00",
  "%ff",
  "%ed%a0%80",
  "%E0%A4%A",
  "%",
  "..%2f..%2fetc%2fpasswd",
  "__proto__",
  "'%20OR%201=1--",
  "%F0%9F%98%80",
  "-1",
  "1e400",
  "x".repeat(1_000),
  "x".repeat(8_000),
];
const impossibleTexts = ["%00", "%ff", "%", "%ed%a0%80", "x".repeat(8_000)];
/** No text can be decoded from these, so no route may find anything by them. */
const undecodable = /%00|%ff|%ed%a0|%A$|^%$/;

/** Names that a handler might mistake for its own; repeated names are parsed as lists. */
const ownNames =
  "__proto__ constructor x[] resource held held jsonpath jsonpath columns scope now order filter place prefix";
const strangeQuery = ownNames
  .split(" ")
  .map((name) => `${name}=strange`)
  .join("&");

const operations = await listOperations();
const withParams = operations.filter(({ path }) => path.includes("{"));
const world = await newWorld(operations);
const foreign = await newWorld(operations);
const probe = createProbe(world, { countEach: false });
const validatorOf = createValidators();

it("returns 400 or 404 for hostile path parameters in any position", () =>
  checkRefusals(probe, withParams, async (operation, turn) => {
    const json = bodyFor(operation);
    for (const name of Object.keys(paramsOf(world, operation))) {
      for (const segment of takeShare(hostileSegments, turn)) {
        const answer = await send(operation, { json, params: { [name]: segment } });
        const context = `${name}=${segment.slice(0, 40)}: ${answer.status}`;
        // A visitor's token may be any text: reading an unknown one is allowed.
        const takesText = name === "token" && !undecodable.test(segment);
        assert.ok(
          [400, 404].includes(answer.status) || (takesText && !isWrite(operation)),
          context,
        );
      }
    }
  }));

it("returns 404 for every unknown id", () =>
  checkRefusals(probe, withParams, async (operation) => {
    const json = bodyFor(operation);
    for (const name of Object.keys(paramsOf(world, operation)).filter(isId)) {
      const answer = await send(operation, { json, params: { [name]: unknownId } });
      assert.equal(answer.status, 404, `${name}: ${JSON.stringify(answer.body)}`);
    }
  }));

// Anybody with its token may use an invitation or an offer, and providers are public.
const notOwned = new Set([
  "acceptInvitation",
  "acceptOfferedProject",
  "declineOfferedProject",
  "signInWith",
]);
const isOwned = ({ isPublic, isOperators, operationId }: Operation): boolean =>
  !isPublic && !isOperators && !notOwned.has(operationId);
it("returns 404 for ids of other users, without revealing that they exist", () =>
  checkRefusals(probe, withParams.filter(isOwned), async (operation) => {
    const json = bodyFor(operation);
    const params = paramsOf(foreign, operation);
    const known = await send(operation, { json, params });
    assert.equal(known.status, 404, JSON.stringify(known.body));
    const ids = Object.keys(params).filter(isId);
    const unknown = await send(operation, {
      json,
      params: { ...params, ...Object.fromEntries(ids.map((name) => [name, unknownId])) },
    });
    const masked = (text: string) => text.replaceAll(/[0-9a-f]{24}/g, "ID");
    assert.equal(masked(known.body.detail), masked(unknown.body.detail));
  }));

// A project is offered to an organization of others, and accepted by its link; see transfers.test.ts.
const ofTransfers = new Set(["offerProject", "acceptOfferedProject"]);
for (const field of ["projectId", "organizationId"] as const)
  it(`returns 422 that names ${field} when a body has an unknown or foreign one`, () => {
    const takes = ({ body, operationId }: Operation) =>
      body?.properties?.[field] !== undefined && !ofTransfers.has(operationId);
    return checkRefusals(probe, operations.filter(isWrite).filter(takes), async (operation) => {
      const body = bodyFor(operation);
      for (const id of [unknownId, foreign[field]]) {
        const answer = await probe.send(operation, { json: { ...(body as object), [field]: id } });
        assert.equal(answer.status, 422, JSON.stringify(answer.body));
        const paths = answer.body.errors.map((fault: { path: string }) => fault.path);
        assert.deepEqual(paths, [`/${field}`]);
      }
    });
  });

describe("query parameters", () => {
  // The route that searches the vendor list reads the operator's file.
  before(() => writeVendorList());
  const declaredBy = ({ parameters }: Operation) =>
    parameters.filter((parameter) => parameter.in === "query");
  const reads = operations.filter((one) => !isWrite(one) && declaredBy(one).length > 0);

  it("are rejected in a wrong form with 400 that names each", () =>
    checkEach(reads, async (operation) => {
      for (const { name, schema } of declaredBy(operation)) {
        for (const value of wrongTextsFor(schema)) {
          const search = searchFor(operation, { [name]: value });
          const listed = assertListsFaults(await probe.send(operation, { search }), search);
          assert.ok(listed.includes(`?${name}`), `?${name} is not in ${listed.join(" ")}`);
        }
      }
    }));

  it("that an operation does not know are ignored", () =>
    checkEach(reads, async (operation) => {
      const text = fc.string({ unit: anyCharacter });
      await fc.assert(
        fc.asyncProperty(fc.dictionary(text, text), async (more) => {
          const search = `${searchFor(operation)}&${encode(more)}&${strangeQuery}`;
          const { status, body } = await probe.send(operation, { search });
          assert.ok(status < 300 || status === 400 || status === 404, JSON.stringify(body));
        }),
        runs(),
      );
      const search = searchFor(operation);
      const many = Array.from({ length: 900 }, (_, n) => `q${n}=${n}`).join("&");
      const plain = await probe.send(operation, { search });
      const { status } = await probe.send(operation, { search: `${search}&${many}` });
      assert.equal(status, plain.status);
    }));
});

it("returns no 5xx for impossible texts in a query", () =>
  checkEach(
    operations.filter((o) => !isWrite(o)),
    async (operation, turn) => {
      const declared = operation.parameters.filter((parameter) => parameter.in === "query");
      const names = declared.map(({ name }) => name);
      if (names.includes("perPage")) names.push("title", "data.x");
      for (const text of takeShare(impossibleTexts, turn)) {
        for (const name of [...names, "access_token", text]) {
          const search = `${searchFor(operation)}&${name}=${text}`;
          const { status, body } = await probe.send(operation, { search });
          if (text === "%00" && declared.length > 0 && name !== "access_token")
            assert.ok(status === 400 || status === 404, `${search}: ${JSON.stringify(body)}`);
        }
      }
    },
  ));

describe("malformed requests", () => {
  it("a head of over 16 KiB is rejected with a problem", async () => {
    const answer = await service.fetch(`${service.url}/v1/vault/projects?q=${"x".repeat(40_000)}`);
    assert.equal(answer.status, 413);
    assertProblem({ ...answer, body: { ...answer.body, instance: "unknown" } });
  });
});

/** Sends with the query that the operation requires. */
function send(operation: Operation, shot: RequestOverrides): Promise<TestAnswer> {
  return probe.send(operation, { search: searchFor(operation), ...shot });
}

/** A deterministic minimal body for `operation`; undefined if it takes no body. */
function bodyFor(operation: Operation): unknown {
  const { body } = operation;
  if (!body || !isWrite(operation)) return undefined;
  const fits = valuesOf(body, knownOf(world, operation)).filter(
    (value) => validatorOf(body)(value).length === 0,
  );
  const [sample] = sampleOf(fits, 1);
  if (!isRecord(sample)) return sample;
  const required = [body, ...(body.anyOf ?? [])].flatMap((branch) => branch.required ?? []);
  const needed = new Set([...required, "username", "userId", "projectId"]);
  return Object.fromEntries(Object.entries(sample).filter(([name]) => needed.has(name)));
}

function isId(name: string): boolean {
  return /id$/i.test(name) || name === "identifier";
}

/** Texts that a parameter of this schema rejects. */
function wrongTextsFor({
  type,
  enum: options,
  anyOf,
  maxLength,
  minimum,
  maximum,
  format,
}: Schema) {
  const texts: string[] = [];
  if (type === "integer" || type === "number") texts.push("many", "1.5e400", "-", "%20");
  if (type === "integer") texts.push("1.5");
  if (type === "boolean") texts.push("maybe");
  if (minimum !== undefined) texts.push(String(minimum - 1));
  if (maximum !== undefined) texts.push(String(maximum + 1), "99999999999999999999999");
  if (maxLength !== undefined && maxLength < 4_000) texts.push("x".repeat(maxLength + 1));
  if (options || anyOf?.every((branch) => branch.const !== undefined)) texts.push("other");
  if (format === "instant")
    texts.push("yesterday", "2026-02-30", "2026-13-01T00:00:00Z", "0000-01-01", "10000-01-01");
  return texts;
}

/** The query that `operation` requires, with some parameters set. */
function searchFor(operation: Operation, given: Record<string, string> = {}): string {
  const required = operation.parameters.filter(
    (parameter) => parameter.in === "query" && parameter.required,
  );
  const known: Record<string, string> = { projectId: world.projectId, token: "visitor-1" };
  const values = required.map(({ name }) => [name, known[name] ?? ""] as const);
  const search = new URLSearchParams({
    ...Object.fromEntries(values.filter(([, v]) => v)),
    ...given,
  });
  return `?${search.toString()}`;
}

function encode(query: Record<string, string>): string {
  return Object.entries(query)
    .map((pair) => pair.map((part) => encodeURIComponent(part.toWellFormed())).join("="))
    .join("&");
}
