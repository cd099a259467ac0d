import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { openTestDatabase } from "../database.ts";
import { type TestAnswer, type TestRequest, service } from "../harness.ts";
import { unique } from "./accounts.ts";
import { type AnotherService, openAnotherService } from "./another-service.ts";
import { addFactor, codeOf } from "./factors.ts";

const password = "seven green kettles sing";
const kindOf = ({ status, body }: TestAnswer): string => `${status} ${body.type ?? ""}`;
const needed = "403 /problems/factor-needed";

describe("a required second factor", () => {
  const opened = new AsyncDisposableStack();
  let database: Awaited<ReturnType<typeof openTestDatabase>>;
  let strict: AnotherService;

  before(async () => {
    database = opened.use(await openTestDatabase());
    strict = opened.use(await openAnotherService(database.url, { SECOND_FACTOR: "required" }));
  });
  after(() => opened.disposeAsync());

  const send = (path: string, request: TestRequest = {}): Promise<TestAnswer> =>
    service.fetch(strict.url + path, request);
  const signUp = async (): Promise<{ email: string; token: string }> => {
    const email = `ada-${unique()}@example.org`;
    const { status, body } = await send("/v1/auth/local/signup", { json: { email, password } });
    assert.equal(status, 200, JSON.stringify(body));
    return { email, token: body.token };
  };
  const project = { websiteURL: "https://shop.example", title: "Shop" };
  const keyOf = { label: "a machine", scopes: ["vault:read"] };

  it("limits a session without one to the account, with a reason, until it is added", async () => {
    const { token, email } = await signUp();
    assert.equal((await send("/v1/auth/me", { token })).body.needsSecondFactor, true);
    for (const [path, request] of [
      ["/v1/client/", {}],
      ["/v1/vault/projects", {}],
      ["/v1/vault/projects", { json: project }],
      ["/v1/auth/tokens", { json: keyOf }],
      ["/v1/auth/invitations/unknown", { method: "POST" }],
      ["/v1/billing/organizations/000000000000000000000000", {}],
      ["/v1/app/stats/000000000000000000000000", {}],
    ] as const)
      assert.equal(kindOf(await send(path, { token, ...request })), needed, path);
    for (const path of ["/v1/auth/me", "/v1/auth/tokens"])
      assert.equal((await send(path, { token })).status, 200, path);
    const { secret, recoveryCodes } = await addFactor(token, send);
    assert.equal((await send("/v1/auth/me", { token })).body.needsSecondFactor, false);
    assert.equal((await send("/v1/vault/projects", { token, json: project })).status, 201);
    const again = await send("/v1/auth/local/signin", {
      json: { username: email, password, code: recoveryCodes[0] ?? codeOf(secret) },
    });
    assert.equal((await send("/v1/client/", { token: again.body.token })).status, 200);
    assert.equal((await send("/v1/auth/factor", { method: "DELETE", token })).status, 204);
    assert.equal(kindOf(await send("/v1/client/", { token })), needed, "it was removed");
  });

  it("is required of people, and not of API keys that they created before", async () => {
    const { token } = await signUp();
    const free = opened.use(await openAnotherService(database.url));
    const made = await service.fetch(`${free.url}/v1/auth/tokens`, { token, json: keyOf });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const list = await send("/v1/vault/projects", { token: made.body.token });
    assert.equal(list.status, 200, JSON.stringify(list.body));
    assert.equal(kindOf(await send("/v1/vault/projects", { token })), needed);
  });
});
