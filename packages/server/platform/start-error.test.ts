import assert from "node:assert/strict";
import { test } from "node:test";
import { toNamedError, toStartMessage } from "./start-error.ts";

const of = (message: string, fields: Record<string, string>) =>
  Object.assign(new Error(message), fields);
const toMessage = (error: unknown, external: boolean): string =>
  toStartMessage(toNamedError(error, { dataDir: "/srv/avow/data", external }));

test("names DATA_DIR for an unusable folder in it or above it", () => {
  const at = (path: string, code: string) => of(`${code}: mkdir '${path}'`, { path, code });
  assert.match(toMessage(at("/srv/avow/data/published", "EROFS"), true), /^DATA_DIR .*read-only/);
  assert.match(toMessage(at("/srv/avow", "EACCES"), false), /^DATA_DIR .*no permission/);
  assert.match(toMessage(at("/srv/avow/data", "EIO"), false), /^DATA_DIR .*cannot be created/);
  assert.doesNotMatch(toMessage(at("/srv/avow/database", "EACCES"), false), /DATA_DIR/);
});

test("names DATABASE_URL for a failing database, if it is set", () => {
  const cases: [Error, RegExp][] = [
    [of('permission denied for schema "public"', { code: "42501" }), /may not create tables/],
    [of("self-signed certificate", { code: "DEPTH_ZERO_SELF_SIGNED_CERT" }), /not trusted/],
    [of("too many clients", { code: "53300" }), /accepts no connections/],
    [new Error("SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string"), /a password/],
    [new Error("Connection terminated due to connection timeout"), /does not respond/],
    [
      Object.assign(new AggregateError([new Error("a"), new Error("b")]), { code: "ECONNREFUSED" }),
      /does not respond \(a, b\)/,
    ],
  ];
  for (const [error, reason] of cases) {
    assert.match(toMessage(error, true), /^DATABASE_URL does not work: /);
    assert.match(toMessage(error, true), reason);
    assert.doesNotMatch(toMessage(error, false), /DATABASE_URL/);
  }
});

test("shows the stack of a bug", () => {
  assert.match(toMessage(new TypeError("x is not a function"), true), /TypeError: x .*\n +at /s);
});
