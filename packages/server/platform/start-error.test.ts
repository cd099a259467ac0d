import assert from "node:assert/strict";
import { test } from "node:test";
import { toNamedError, toStartMessage } from "./start-error.ts";

const of = (message: string, fields: Record<string, string>) =>
  Object.assign(new Error(message), fields);
const toTold = (error: unknown, external: boolean): string =>
  toStartMessage(toNamedError(error, { dataDir: "/srv/avow/data", external }));

test("a folder that cannot be used is DATA_DIR's where it is in it, or above it", () => {
  const at = (path: string, code: string) => of(`${code}: mkdir '${path}'`, { path, code });
  assert.match(toTold(at("/srv/avow/data/published", "EROFS"), true), /^DATA_DIR .*read-only/);
  assert.match(toTold(at("/srv/avow", "EACCES"), false), /^DATA_DIR .*no right/);
  assert.match(toTold(at("/srv/avow/data", "EIO"), false), /^DATA_DIR .*cannot be made/);
  assert.doesNotMatch(toTold(at("/srv/avow/database", "EACCES"), false), /DATA_DIR/);
});

test("a database that fails is DATABASE_URL's where that is set", () => {
  const cases: [Error, RegExp][] = [
    [of('permission denied for schema "public"', { code: "42501" }), /may not make tables/],
    [of("self-signed certificate", { code: "DEPTH_ZERO_SELF_SIGNED_CERT" }), /not trusted/],
    [of("too many clients", { code: "53300" }), /takes no connections now/],
    [new Error("SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string"), /a password/],
    [new Error("Connection terminated due to connection timeout"), /does not answer/],
    [
      Object.assign(new AggregateError([new Error("a"), new Error("b")]), { code: "ECONNREFUSED" }),
      /does not answer \(a, b\)/,
    ],
  ];
  for (const [error, told] of cases) {
    assert.match(toTold(error, true), /^DATABASE_URL does not work: /);
    assert.match(toTold(error, true), told);
    assert.doesNotMatch(toTold(error, false), /DATABASE_URL/);
  }
});

test("a fault of ours shows its stack", () => {
  assert.match(toTold(new TypeError("x is not a function"), true), /TypeError: x .*\n +at /s);
});
