import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import {
  type RouteRights,
  findRouteRights,
  roles,
  rolesFor,
  routeRights,
  scopeNames,
} from "../../packages/server/kernel/rights.ts";
import { type TestAnswer, operatorToken, service } from "../harness.ts";
import { type Operation, listOperations } from "../hostile/operations.ts";
import { originFor } from "../hostile/probe.ts";
import { addressOf, newWorld, paramsOf } from "../hostile/world.ts";
import { writeVendorList } from "../vendor-list.ts";

/*
 * Every registered route, requested with every role, without one, without a token, with keys of every
 * scope: the response must match the rights table (packages/server/kernel/rights.ts). Nothing changes, so
 * that all use the same documents: writers get a stale version, a missing confirmation, a wrong state, or
 * write the same again.
 */
const documented = await listOperations();
const operations = documented.flatMap(withVendor);
const world = await newWorld(documented);
const { owner, guest, organizationId, projectId } = world;
const people = new Map<string, { id: string; token: string }>();
for (const role of roles) people.set(role, await withRole(role));
const stranger = await service.newUser();

/** The interface names an item by one segment or two; the OpenAPI document by one. */
function withVendor(operation: Operation): Operation[] {
  if (operation.operationId !== "listAccepted") return [operation];
  const vendor = { in: "path", name: "vendor", required: true, schema: {} } as const;
  const path = `${operation.path}/{vendor}`;
  const parameters = [...operation.parameters, vendor];
  return [operation, { ...operation, path, parameters, operationId: "listAcceptedVendor" }];
}

async function withRole(role: string): Promise<{ id: string; token: string }> {
  const user = await service.newUser();
  await join(user, role);
  return user;
}

/** Gives a user a role on the organizations, and so on everything in them. */
async function join(user: { id: string }, role: string): Promise<void> {
  const other = world.documents.get("/v1/vault/organizations") ?? "";
  for (const id of [organizationId, other]) {
    const at = `/v1/vault/organizations/${id}/users`;
    const json = { userId: user.id, roles: [role] };
    assert.equal((await service.fetch(at, { token: owner.token, json })).status, 200);
  }
  // Documents without a parent have users of their own.
  for (const [at, id] of world.documents) {
    const { body } = await service.fetch(`${at}/${id}`, { token: owner.token });
    if (body.projectId || body.organizationId || id === other) continue;
    const json = { userId: user.id, roles: [role] };
    assert.equal(
      (await service.fetch(`${at}/${id}/users`, { token: owner.token, json })).status,
      200,
    );
  }
}

const rightsOf = ({ method, path }: Operation): RouteRights => {
  const rights = findRouteRights(method, path.replaceAll(/\{(\w+)\}/g, ":$1"));
  assert.ok(rights, `${method} ${path} is not in the table`);
  return rights;
};

/** Routes that name their project or document in the query. */
const queries: Record<string, string> = {
  getExtendedProject: `?projectId=${projectId}`,
  listPublishJobs: `?projectId=${projectId}`,
  listProofs: `?projectId=${projectId}&token=visitor-1`,
  listInvitations: `?collection=projects&id=${projectId}`,
  listActivity: `?projectId=${projectId}`,
  listAuditTrail: `?projectId=${projectId}`,
};

/** Bodies that only the caller's rights can make fail. */
function bodyOf(operation: Operation): unknown {
  const { operationId, body } = operation;
  const document = {
    websiteURL: "https://shop.example",
    title: "Shop",
    name: "document",
    projectId,
  };
  const named: Record<string, unknown> = {
    invite: { email: "somebody@example.org", data: { collection: "projects", id: projectId } },
    mailSnippet: { email: "somebody@example.org" },
    setDomain: { host: "private.avow.test" },
    proveInstallation: { nonce: "0123456789abcdef" },
    offerProject: { email: "somebody@example.org" },
    acceptOfferedProject: { organizationId },
    createForm: { type: "cookies", collection: "cookies" },
    createClientProject: { name: "Shop", website: "https://shop.example" },
    replaceClientProject: { name: "Shop", website: "https://shop.example" },
    createPersonLink: { token: "visitor-1" },
    setErasureRule: { needsSecondPerson: false },
    readPersonAnswers: { token: "visitor-1" },
    createWebhook: { url: "https://hooks.example/", events: ["project.created"], projectId },
    collectConsents: [],
    collectConsent: { accept: true },
    openCheckout: { organizationId, plan: "pro" },
    openPortal: { organizationId },
    setSubscription: { plan: "pro" },
    createApiKey: { label: "key", scopes: ["vault:read"] },
    signup: {},
    replayWebhook: { since: new Date(service.clock.now().getTime() - 60_000).toISOString() },
    updatePassword: { current: "no", new: "no", confirm: "no" },
    exchangeCode: { code: "unknown" },
    rollbackProject: {},
    setSignups: { mode: "open" },
    resetInheritedDocument: {},
    addOperator: { userId: world.operators[0] },
    createComment: { text: "A comment" },
    replyToComment: { text: "A reply" },
    changeComment: { resolved: true },
    setReviewSettings: { required: 0, approvers: "editors", links: false },
    decideOnDraft: { digest: "0".repeat(64), decision: "approved" },
    createReviewLink: { recipient: "Dr. Weber" },
    // A port without a server.
    readMoveInFiles: { url: "http://127.0.0.1:9/" },
  };
  if (operationId in named) return named[operationId];
  if (/^add\w+User$/.test(operationId)) return { userId: guest.id };
  if (operation.tags.includes("vault") && body && operation.method !== "PATCH")
    return operationId.startsWith("restore") ? undefined : { ...document, organizationId };
  return body ? {} : undefined;
}

interface Caller {
  id?: string;
  token?: string | undefined;
}

/** Sends a request as `caller` that changes nothing. */
function ask(operation: Operation, { id, token }: Caller): Promise<TestAnswer> {
  const { operationId, method } = operation;
  const params = paramsOf(world, operation);
  if (operationId.startsWith("remove") && id) params["userId"] = id;
  if (
    /^(validate|getInvitation|acceptInvitation|withdrawInvitation|(?:accept|decline)OfferedProject)/.test(
      operationId,
    )
  )
    params["token"] = "unknown";
  // Editors withdraw their own decisions only.
  if (operationId === "withdrawDecision") params["decisionId"] = "0".repeat(24);
  const json = method === "GET" ? undefined : bodyOf(operation);
  return service.fetch(addressOf(operation, params) + (queries[operationId] ?? ""), {
    method,
    ...(token === undefined ? {} : { token }),
    ...(json === undefined ? {} : { json }),
    headers: { ...originFor(operation), ...(isVaultWrite(operation) && { "if-match": '"stale"' }) },
  });
}

const isVaultWrite = ({ method, path }: Operation): boolean =>
  method !== "GET" && method !== "POST" && !path.includes("/users/");

const toContext = (operation: Operation, role: string, { status, body }: TestAnswer) =>
  `${operation.operationId} as ${role}: ${status} ${JSON.stringify(body)?.slice(0, 300)}`;

/** Lists of what the caller may see: every caller gets their own. */
const isOwnList = ({ operationId, path, method }: Operation): boolean =>
  method === "GET" && !path.includes("{") && !(operationId in queries);

/** Everybody may create documents without a parent. */
const createsForAll = new Set(["createClientProject", "createOrganization"]);

describe("the rights table", () => {
  it("has every registered route, and no other", () => {
    const registered = listRegistered(service.app.http.printRoutes({ commonPrefix: false }));
    assert.ok(registered.length > operations.length, `${registered.length} routes`);
    const walked = new Set(operations.map(({ method, path }) => toPlain(method, path)));
    for (const { method, path } of registered) {
      const rights = findRouteRights(method, path);
      assert.ok(rights, `${method} ${path} is not in the table`);
      // Routes outside the OpenAPI document are not covered: public pages and files.
      if (rights.access !== "public" && method !== "HEAD")
        assert.ok(walked.has(toPlain(method, path)), `${method} ${path} is not covered`);
    }
    const met = new Set(registered.map(({ method, path }) => findRouteRights(method, path)));
    for (const row of routeRights) assert.ok(met.has(row), `no route is in ${row.routes.join()}`);
  });

  it("declares every scope, and no right is declared elsewhere", () => {
    const used = new Set(
      routeRights.flatMap(({ scope, andScope }) => [scope ?? [], andScope ?? []].flat()),
    );
    used.delete("any");
    assert.deepEqual([...used].toSorted(), scopeNames.toSorted());
  });
});

describe("every route without a token", () => {
  for (const operation of operations)
    it(`${operation.operationId} responds as the table says`, async () => {
      const { access } = rightsOf(operation);
      const answer = await ask(operation, {});
      const isRefused = answer.body?.type === "/problems/unauthenticated";
      assert.equal(
        isRefused,
        access === "user" || access === "operator",
        toContext(operation, "nobody", answer),
      );
      if (isRefused) assert.equal(answer.status, 403);
    });
});

describe("every route with a right, by every role", () => {
  // The route that searches the vendor list reads the operator's file.
  before(() => writeVendorList());
  for (const operation of operations) {
    const { right, access } = rightsOf(operation);
    if (!right) continue;
    it(`${operation.operationId} needs ${right}`, async () => {
      for (const [role, caller] of people) {
        const answer = await ask(operation, caller);
        if (operation.operationId === "removeOrganizationUser") await join(caller, role);
        assertFollows(operation, role, answer);
      }
      const answer = await ask(operation, stranger);
      const context = toContext(operation, "a stranger", answer);
      if (isOwnList(operation))
        assert.ok(!JSON.stringify(answer.body).includes(projectId), context);
      else if (createsForAll.has(operation.operationId)) assert.equal(answer.status, 201, context);
      else if (access === "optional" && operation.method === "GET")
        assert.equal(answer.status, 404, context);
      // An id in a body that is not found is a 422 (wire section 0).
      else if (namesInBody(operation)) assert.ok([404, 422].includes(answer.status), context);
      else assert.equal(answer.status, 404, context);
    });
  }

  /** With access to the document, the response follows the right's roles. */
  function assertFollows(operation: Operation, role: string, answer: TestAnswer): void {
    const { right } = rightsOf(operation);
    if (!right) return;
    const context = toContext(operation, role, answer);
    assert.ok(answer.status < 500 || answer.status === 503, context);
    const isAllowed = rolesFor(right).some((one) => one === role);
    if (isOwnList(operation)) {
      assert.equal(answer.status, 200, context);
      if (operation.path === "/v1/vault/projects" || operation.path === "/v1/client/")
        assert.equal(JSON.stringify(answer.body).includes(projectId), isAllowed, context);
    } else if (createsForAll.has(operation.operationId)) assert.equal(answer.status, 201, context);
    else if (isAllowed) {
      assert.notEqual(answer.status, 403, context);
      // A missing part of a visible document: a list of the import, a vendor of the configuration.
      if (answer.status === 404) assert.doesNotMatch(answer.body.detail, /may see/, context);
    } else if (operation.operationId === "getProof") assert.equal(answer.status, 404, context);
    else assert.equal(answer.status, 403, context);
  }
});

const namesInBody = ({ method, path }: Operation): boolean =>
  method === "POST" && !path.includes("{");

describe("every route about the caller's own resources, by another user", () => {
  for (const operation of operations) {
    const { right, access } = rightsOf(operation);
    if (right || access !== "user" || !operation.path.includes("{")) continue;
    it(`${operation.operationId} returns 404`, async () => {
      const answer = await ask(operation, people.get("owner") ?? {});
      assert.equal(answer.status, 404, toContext(operation, "another owner", answer));
    });
  }
});

describe("every route with the token of a person or a key", () => {
  // The route that searches the vendor list reads the operator's file.
  before(() => writeVendorList());
  for (const operation of operations) {
    const { access, scope, andScope } = rightsOf(operation);
    if (access === "public") continue;
    const needed = scopeNames.filter((name) => name === scope || name === andScope);
    it(`${operation.operationId} accepts ${access === "operator" ? "the operator's" : `keys with ${needed.join(" and ") || (scope ?? "no scope")}`}`, async () => {
      if (access === "operator") {
        for (const { token } of [owner, ...people.values()])
          assert.equal((await ask(operation, { token })).body.type, "/problems/forbidden");
        const answer = await ask(operation, { token: operatorToken });
        assert.ok(answer.status < 300, toContext(operation, "the operator", answer));
        return;
      }
      for (const missing of needed.length > 0 ? needed : [undefined]) {
        const others = scopeNames.filter((name) => name !== missing);
        const without = await ask(operation, await newKey(others));
        const context = toContext(
          operation,
          `a key without ${missing ?? "a scope of its own"}`,
          without,
        );
        if (scope === "any") {
          assert.ok(without.status < 300, context);
          // It may have revoked itself.
          kept.clear();
        } else assert.equal(without.body.type, "/problems/forbidden", context);
      }
      if (needed.length === 0) return;
      const answer = await ask(operation, await newKey(needed));
      const context = toContext(operation, needed.join(" and "), answer);
      assert.notEqual(answer.body?.type, "/problems/forbidden", context);
    });
  }

  const kept = new Map<string, Caller>();
  async function newKey(scopes: readonly string[]): Promise<Caller> {
    const name = scopes.join();
    const present = kept.get(name);
    if (present) return present;
    const json = { label: "walk", scopes };
    const { status, body } = await service.fetch("/v1/auth/tokens", { token: owner.token, json });
    assert.equal(status, 201);
    const key = { id: owner.id, token: body.token };
    kept.set(name, key);
    return key;
  }
});

/** A route without the names of its parameters. */
function toPlain(method: string, path: string): string {
  const plain = path.replace(/:\w+\(\^\[0-9a-f\]\{24\}(:\w+)\$\)/, "{id}$1");
  return `${method} ${plain.replaceAll(/\{\w+\}|:\w+/g, "*").replace(/(.)\/$/, "$1")}`;
}

/** Parses Fastify's printed routes: a tree in which each line continues one above it. */
function listRegistered(tree: string): { method: string; path: string }[] {
  const above: string[] = [];
  return tree.split("\n").flatMap((line) => {
    const found = /^([│ ]*[├└]── )(.*) \(([A-Z, ]+)\)$/.exec(line);
    if (!found) {
      assert.equal(line.trim(), "", `not understood: ${line}`);
      return [];
    }
    const [, indent = "", name = "", methods = ""] = found;
    const depth = indent.length / 4 - 1;
    // A parameter that routes call by several names.
    const segment = name.replace(/(:\w+)(\|:\w+)+/, "$1");
    // The print omits the prefix of wildcard routes: files, which are public.
    if (segment === "*") return [];
    above.length = depth;
    const path = above.join("") + segment;
    above.push(segment);
    return methods.split(", ").map((method) => ({ method, path: path.replace("//", "/") }));
  });
}
