import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { before, describe, it } from "node:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { newDocumentId } from "../../packages/server/kernel/ids.ts";
import { openApiFile, toOpenApiText } from "../../scripts/openapi-file.ts";
import { type TestAnswer, service } from "../harness.ts";
import {
  type Operation,
  answerSchemaOf,
  fetchDocument,
  isWrite,
  listExamples,
  listOperations,
  needProvider,
  takesFile,
  takesNoField,
} from "../hostile/operations.ts";
import { createProbe } from "../hostile/probe.ts";
import { sampleOf } from "../hostile/runs.ts";
import { createValidators } from "../hostile/validators.ts";
import { valuesOf } from "../hostile/values.ts";
import { newClaim, newIdentity } from "../hostile/tokens.ts";
import { unreachableHost, knownOf, newWorld } from "../hostile/world.ts";
import { writeVendorList } from "../vendor-list.ts";
import { addFactor, beginFactor, codeOf } from "./factors.ts";
import { newPicture, toForm } from "./pictures.ts";

/** Routes under an alias of a path that the document already has. */
const otherSpellings = new Set([
  "GET /v1/client/{}/tokens/accepted/{}/{}",
  "POST /v1/auth/{}/callback",
]);

/** A GET with the headers of its responses. */
interface Reading {
  responses: Record<string, { headers?: Record<string, { schema: object }> }>;
}

const operations = await listOperations();
const validatorOf = createValidators();

describe("the OpenAPI document", () => {
  it("is valid OpenAPI 3.1", async () => {
    const { openapi } = await fetchDocument();
    assert.match(String(openapi), /^3\.1\./);
    const { valid, errors } = await new Validator().validate(await fetchDocument());
    assert.ok(valid, JSON.stringify(errors));
  });

  it("is the committed one (after a change of routes or schemas, run `npm run openapi`)", async () => {
    const committed = await readFile(openApiFile, "utf8");
    const live = toOpenApiText(await fetchDocument());
    assert.ok(
      committed === live,
      "docs/reference/openapi.json is not up to date: run `npm run openapi`",
    );
  });

  it("has every registered /v1 route, and nothing else of /v1", () => {
    const registered = listRegistered()
      .filter((route) => /^\S+ \/v1(\/|$)/.test(route) && !otherSpellings.has(route))
      // An action after a colon, which the router reads as a pattern of the parameter.
      .map((route) => route.replace(/\(\^\[0-9a-f\]\{24\}.*\$\)$/, ":unpublish"));
    const documented = operations
      .map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, "{}")}`)
      .filter((route) => route.includes(" /v1"))
      .map((route) => route.replace(/(?<=.)\/$/, ""));
    assert.ok(registered.length > 50, registered.join("\n"));
    assert.deepEqual(documented.toSorted(), registered.toSorted());
  });

  it("describes every pattern, so that errors can state what is expected", async () => {
    const described: string[] = [];
    JSON.stringify(await fetchDocument(), (_key, value: unknown) => {
      if (typeof value !== "object" || value === null) return value;
      // The description of a parameter is beside its schema.
      const schema = "in" in value && "schema" in value ? value.schema : value;
      const isPatterned = typeof schema === "object" && schema !== null && "pattern" in schema;
      if (isPatterned) described.push("description" in value ? String(value.description) : "");
      return value;
    });
    assert.ok(described.length > 10);
    for (const text of new Set(described)) assert.match(text, /^$|^(an?|the|24|printable) .*[^.]$/);
  });

  it("has an example for every parameter, JSON body and JSON response, valid by its schema", async () => {
    const examples = await listExamples();
    assert.ok(examples.length > 500);
    for (const { at, schema, example } of examples) {
      assert.notEqual(example, undefined, at);
      assert.deepEqual(validatorOf(schema)(example), [], `${at}: ${JSON.stringify(example)}`);
    }
  });

  it("declares the JSON response of a list that is also streamed in other forms", () => {
    const streamed = operations.filter(({ responses }) => responses["200"]?.content?.["text/csv"]);
    assert.ok(streamed.length > 3);
    for (const operation of streamed) {
      const schema = answerSchemaOf(operation, 200, "application/json");
      if (schema) assert.match(String(schema.type), /^(array|object)$/, operation.operationId);
    }
  });

  it("declares JSON-LD as an object", () => {
    const schemas = operations.flatMap(
      ({ responses }) => responses["200"]?.content?.["application/ld+json"]?.schema ?? [],
    );
    assert.deepEqual(
      schemas.map(({ type }) => type),
      ["object"],
    );
  });

  it("declares a body of every POST, an optional object for those without fields", () => {
    const posts = operations.filter(({ method }) => method === "POST");
    for (const { operationId, bodyTypes } of posts) assert.ok(bodyTypes.length > 0, operationId);
    const withoutFields = posts.filter(takesNoField);
    assert.ok(withoutFields.length > 20);
    for (const { operationId, isBodyRequired } of withoutFields)
      assert.equal(isBodyRequired, false, operationId);
  });

  it("declares Retry-After of every file that is still being made", async () => {
    const { paths } = (await fetchDocument()) as { paths: Record<string, { get?: Reading }> };
    const pending = Object.values(paths).flatMap(({ get }) => get?.responses["202"] ?? []);
    assert.ok(pending.length > 3);
    for (const { headers } of pending)
      assert.deepEqual(headers?.["Retry-After"]?.schema, { type: "integer" });
  });

  it("gives every operation a unique operationId, a summary, a tag and its security", async () => {
    const { tags } = (await fetchDocument()) as { tags: { name: string }[] };
    const known = new Set(tags.map(({ name }) => name));
    const ids = operations.map(({ operationId }) => operationId);
    assert.equal(new Set(ids).size, ids.length);
    for (const { operationId, summary, tags: own, path } of operations) {
      assert.match(operationId ?? "", /^[a-zA-Z][\w]*$/, path);
      assert.ok(summary.length > 5, operationId);
      assert.ok(own.length > 0 && own.every((tag) => known.has(tag)), operationId);
    }
  });

  it("gives every operation a success response and its problems", () => {
    for (const { operationId, path, responses } of operations) {
      assert.ok(
        Object.keys(responses).some((status) => /^(2\d\d|302)$/.test(status)),
        operationId,
      );
      if (!path.startsWith("/v1")) continue;
      for (const status of ["4XX", "5XX"]) {
        const declared = responses[status]?.content?.["application/problem+json"]?.schema;
        assert.ok(declared?.properties?.["message"], `${operationId} ${status}`);
      }
    }
  });

  it("names every path parameter, and requires no parameter that has a default", () => {
    for (const { operationId, path, parameters } of operations) {
      const named = parameters.filter((p) => p.in === "path").map(({ name }) => name);
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
      assert.deepEqual(named.toSorted(), inPath.toSorted(), operationId);
      for (const { name, required, schema } of parameters)
        assert.ok(!(required && "default" in schema), `${operationId} ${name}`);
    }
  });
});

describe("every response matches its schema in the document", async () => {
  const world = await newWorld(operations);
  const probe = createProbe(world, { countEach: false });
  const { token } = world.owner;

  before(async () => {
    const { projectId } = world;
    const json = { accept: true, token: "visitor-1", preferences: { vendors: { one: true } } };
    const cookies = world.documents.get("/v1/vault/cookies");
    const consent = await service.fetch(`/v1/app/consents/${projectId}/cookies/${cookies}`, {
      json,
    });
    assert.equal(consent.status, 201);
    // The route that searches the vendor list reads the operator's file.
    await writeVendorList();
    const { documents } = world;
    for (const [path, id] of documents)
      await service.fetch(`${path}/${id}/users`, { token, json: { userId: world.guest.id } });
  });

  for (const operation of operations.toSorted((a, b) => orderOf(a) - orderOf(b))) {
    if (needProvider.has(operation.operationId)) continue;
    it(`${operation.method} ${operation.path}: success`, async () => {
      const answer = await sendValid(operation);
      const context = `${answer.status} ${JSON.stringify(answer.body).slice(0, 500)}`;
      const leadsOn = answer.status === 302 && !("200" in operation.responses);
      assert.ok(answer.status < 300 || leadsOn, context);
      if (leadsOn) return;
      assert.ok(String(answer.status) in operation.responses, `${answer.status} is not declared`);
      assertDeclared(operation, answer);
    });
  }

  it("problems match too: without a token, with a wrong id, with a wrong body", async () => {
    for (const operation of operations.filter(({ path }) => path.startsWith("/v1"))) {
      const answers = [
        operation.isPublic ? undefined : await probe.send(operation, { token: "wrong" }),
        operation.body ? await probe.send(operation, { json: 1 }) : undefined,
      ];
      for (const answer of answers) {
        if (!answer) continue;
        assert.ok(answer.status >= 400, operation.operationId);
        assertDeclared(operation, answer);
      }
    }
  });

  async function waitForPublishJob(): Promise<void> {
    const read = () => service.fetch(`/v1/publish/jobs/${world.projectId}`, { token });
    let job = await read();
    for (const until = Date.now() + 20_000; Date.now() < until; job = await read())
      if (job.body.status === "Done" || job.body.status === "Error") break;
    assert.ok(job.body.endedAt, JSON.stringify(job.body));
  }

  /** As another user, since the factor is required at each later sign-in. */
  async function sendOfFactor(operation: Operation): Promise<TestAnswer> {
    const user = await service.newUser();
    if (operation.operationId === "confirmFactor") {
      const json = { code: codeOf(await beginFactor(user.token)) };
      return probe.send(operation, { token: user.token, json });
    }
    await addFactor(user.token);
    return probe.send(operation, { token: user.token });
  }

  /** A publication that no worker runs, so that it does not end. */
  async function insertPublication(templateId: string): Promise<string> {
    const now = service.clock.now();
    const id = newDocumentId(now);
    await service.db
      .insertInto("template_publications")
      .values({
        id,
        template_id: templateId,
        status: "Active",
        created_at: now,
        created_by: world.owner.id,
        updated_at: now,
        ended_at: null,
      })
      .execute();
    return id;
  }

  async function sendValid(operation: Operation): Promise<TestAnswer> {
    const { operationId, body } = operation;
    if (operationId === "deleteMe") {
      const user = await service.newUser();
      return probe.send(operation, { token: user.token, json: { confirm: user.email } });
    }
    if (operationId === "claimInstance") {
      const user = await service.newUser();
      return probe.send(operation, { token: user.token, json: { token: await newClaim() } });
    }
    const needsToken = operation.parameters.some(
      ({ name, required }) => name === "token" && required,
    );
    const query = new URLSearchParams(needsToken ? { token: "visitor-1" } : {});
    if (operationId === "rollbackProject") await waitForPublishJob();
    if (operationId === "cancelPublishJob") {
      const publishAt = new Date(service.clock.now().getTime() + 60_000).toISOString();
      await service.fetch(`/v1/publish/jobs/${world.projectId}`, { token, json: { publishAt } });
    }
    if (operationId === "findDomain") query.set("domain", unreachableHost);
    if (operationId === "getExtendedProject") query.set("projectId", world.projectId);
    if (["/v1/publish/jobs", "/v1/app/proofs"].includes(operation.path))
      query.set("projectId", world.projectId);
    if (operationId === "signInWith") query.set("redirectURI", "https://admin.example/");
    if (operationId === "validateEmail") query.set("token", world.validation);
    if (["listAuditTrail", "listActivity"].includes(operationId))
      query.set("projectId", world.projectId);
    if (operationId === "listInvitations") {
      query.set("collection", "projects");
      query.set("id", world.projectId);
    }
    if (operation.path === "/v1/app/dossiers/{projectId}") query.set("sample", "3");
    const params: Record<string, string> = {};
    if (operationId.endsWith("AccessToken")) {
      const { body: tokens } = await service.fetch("/v1/auth/tokens", { token });
      params["id"] = tokens[0].id;
    }
    if (operationId === "deleteIdentity") params["id"] = await newIdentity(world.owner.id);
    if (operationId === "cancelScan") {
      const path = `/v1/publish/projects/${world.projectId}/scans`;
      const { body: started } = await service.fetch(path, { method: "POST", token });
      if (started.id !== undefined) params["scanId"] = started.id;
    }
    if (operationId === "cancelTemplatePublication")
      params["publicationId"] = await insertPublication(world.template.templateId);
    if (operationId === "deleteProject")
      query.set("confirm", world.documents.get("/v1/vault/projects") ?? "");
    const shot = { params, search: `?${query.toString()}` };
    if (operationId === "confirmFactor" || operationId === "renewRecoveryCodes")
      return sendOfFactor(operation);
    const headers = { "content-type": operation.bodyTypes[0] ?? "" };
    if (operationId === "uploadAssets") {
      const { body: form, contentType } = toForm([{ bytes: await newPicture().png().toBuffer() }]);
      return probe.send(operation, {
        ...shot,
        body: form,
        headers: { "content-type": contentType },
      });
    }
    if (takesFile(operation)) return probe.send(operation, { ...shot, body: "a file", headers });
    if (!body || !isWrite(operation)) return probe.send(operation, shot);
    const fits = valuesOf(body, knownOf(world, operation)).filter(
      (value) => validatorOf(body)(value).length === 0,
    );
    // Some break a rule that no schema can express.
    const bodies: object[] = sampleOf(fits, 10).map((json) => ({ json }));
    if (!operation.isBodyRequired) bodies.push({});
    for (const given of bodies) {
      const answer = await probe.send(operation, { ...shot, ...given });
      if (answer.status < 300) return answer;
    }
    return assert.fail("none of ten valid bodies was accepted");
  }
});

/** Reads first, then writes; deletions come last, documents after their users. */
function orderOf({ method, path, operationId }: Operation): number {
  if (/^(logout|endSession)/.test(operationId)) return 3;
  if (method !== "DELETE" && operationId !== "unpublishProjectByPost")
    return method === "GET" ? 0 : 1;
  return path.includes("/users/") ? 2 : path.startsWith("/v1/auth") ? 9 : 4;
}

function assertDeclared(operation: Operation, { status, headers, body }: TestAnswer): void {
  const type = headers.get("content-type")?.split(";", 1)[0] ?? "";
  const schema = answerSchemaOf(operation, status, type);
  if (status === 204) return assert.equal(body, "");
  assert.ok(schema, `${operation.operationId} declares no ${type} for ${status}`);
  assert.deepEqual(validatorOf(schema)(body), [], JSON.stringify(body).slice(0, 800));
}

/** Every route of the service as "METHOD /path" with nameless parameters, except HEAD and OPTIONS. */
function listRegistered(): string[] {
  const parts: string[] = [];
  return service.app.http
    .printRoutes({ commonPrefix: false })
    .split("\n")
    .flatMap((line) => {
      const [, indent = "", segment = "", methods = ""] =
        /^((?:│ {3}| {4})*(?:├── |└── ))(\S+)(?: \(([^)]+)\))?$/.exec(line) ?? [];
      if (indent === "") return [];
      parts.splice(indent.length / 4 - 1);
      parts.push(segment.replaceAll(/:\w+(\|:\w+)*/g, "{}"));
      const path = parts.join("").replace(/(?<=.)\/$/, "");
      const routes = methods
        .split(", ")
        .filter((method) => !["", "HEAD", "OPTIONS"].includes(method));
      return routes.map((method) => `${method} ${path}`);
    });
}
