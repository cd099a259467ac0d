import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { cookieFor } from "./code-cookie.ts";
import { service, type TestAnswer, type TestRequest } from "../harness.ts";
import { type Operation, isWrite } from "./operations.ts";
import { type Rows, countRows } from "./rows.ts";
import { type World, addressOf, endsSession, paramsOf, tokenFor } from "./world.ts";

/** Overrides of the default request to an operation. */
export interface RequestOverrides extends Pick<TestRequest, "json" | "body" | "headers" | "token"> {
  /** Percent-encoded. */
  params?: Record<string, string>;
  /** With its question mark. */
  search?: string;
}

export interface Probe {
  send: (operation: Operation, shot: RequestOverrides) => Promise<TestAnswer>;
  /** Asserts that no rejected request since the last count has written anything. */
  assertNothingWritten: () => Promise<void>;
}

/**
 * Sends requests in a world, and asserts what is true of every response: never a 5xx, rejected with a
 * complete problem, and a rejection writes nothing in any table. Rows are counted after every request; with
 * `countEach` false, only before the first and on demand.
 */
export function createProbe(world: World, { countEach = true } = {}): Probe {
  let before: Rows | undefined;
  let last = "";
  const assertNothingWritten = async (): Promise<void> => {
    const after = await countRows(world);
    assert.deepEqual(after, before ?? after, `something was written: ${last}`);
    before = after;
  };
  const send = async (operation: Operation, shot: RequestOverrides): Promise<TestAnswer> => {
    const { params = {}, search = "", token, ...rest } = shot;
    const address = addressOf(operation, { ...paramsOf(world, operation), ...params }) + search;
    const isLogout = endsSession(operation);
    const bearer = token ?? (await tokenFor(world, operation));
    if (isLogout || !before) before = await countRows(world);
    const keyed = operation.method === "POST" ? { "idempotency-key": randomUUID() } : {};
    const own = operation.operationId === "startSessionByCode" ? await cookieFor(rest.json) : {};
    const answer = await service.fetch(address, {
      ...rest,
      method: operation.method,
      headers: { ...keyed, ...originFor(operation), ...own, ...rest.headers },
      ...(bearer === undefined ? {} : { token: bearer }),
    });
    last = `${operation.method} ${address} → ${answer.status} ${JSON.stringify(answer.body)?.slice(0, 500)}`;
    assert.ok(answer.status < 500, last);
    if (answer.status >= 400) {
      assertProblem(answer, last);
      if (countEach || isLogout) await assertNothingWritten();
    } else if (isWrite(operation)) before = await countRows(world);
    return answer;
  };
  return { send, assertNothingWritten };
}

/** Sessions in a cookie are for pages of the service: browsers send their origin. */
export function originFor({ path }: Operation): { origin?: string } {
  return path.startsWith("/v1/auth/session") ? { origin: service.url } : {};
}

/** RFC 9457 with `message` (wire section 0), complete and without internals of the process. */
export function assertProblem({ status, headers, body }: TestAnswer, context = ""): void {
  assert.match(headers.get("content-type") ?? "", /^application\/problem\+json/, context);
  assert.match(headers.get("x-request-id") ?? "", /^\S+$/, context);
  assert.equal(body.status, status, context);
  assert.match(body.type, /^\/problems\/[a-z-]+$/, context);
  for (const field of ["title", "detail", "instance"]) {
    assert.equal(typeof body[field], "string", `${field}: ${context}`);
    assert.notEqual(body[field], "", `${field}: ${context}`);
  }
  assert.equal(body.message, body.detail, context);
  for (const fault of body.errors ?? []) {
    assert.equal(typeof fault.path, "string", context);
    assert.equal(typeof fault.message, "string", context);
  }
  assert.doesNotMatch(
    JSON.stringify(body),
    /\bat [^"]*\.[jt]s:\d+|node_modules|node:internal/,
    context,
  );
}

/** A rejection because of the request's content: 400, and each error with its pointer. */
export function assertListsFaults(answer: TestAnswer, context: string): string[] {
  const described = `${context} → ${answer.status} ${JSON.stringify(answer.body)?.slice(0, 800)}`;
  assert.equal(answer.status, 400, described);
  const errors = (answer.body.errors ?? []) as { path: string; message: string }[];
  assert.ok(errors.length > 0, `no errors: ${described}`);
  return errors.map(({ path }) => path);
}
