import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { loadModule, parseSync } from "libpg-query";
import { listTables } from "../architecture/planes.ts";
import { toFacts } from "./rules.ts";

await loadModule();
const known = listTables(new URL("../..", import.meta.url).pathname);
const factsOf = (text: string) => toFacts(parseSync(text).stmts?.[0], known);

describe("the facts of a statement", () => {
  it("have its tables by plane, in every clause", () => {
    const { tables } = factsOf(`
      WITH gone AS (DELETE FROM consent_queue USING consents c WHERE c.id = consent_id RETURNING 1)
      INSERT INTO documents (id) SELECT 'a' FROM gone
      WHERE NOT EXISTS (SELECT FROM users u JOIN consent_salts s ON true)`);
    assert.deepEqual(tables.data.toSorted(), ["consent_queue", "consent_salts", "consents"]);
    assert.deepEqual(tables.control.toSorted(), ["documents", "users"]);
  });

  it("do not count common table expressions, functions, and tables of both planes", () => {
    const { tables } = factsOf(`
      WITH consents AS (SELECT 1 AS id) SELECT * FROM consents, unnest(ARRAY[1]) AS users,
        idempotency_keys, pg_class`);
    assert.deepEqual(tables, { control: [], data: [] });
  });

  it("name the shapes that one server of many answers wrongly or not at all", () => {
    assert.deepEqual(factsOf("SELECT pg_advisory_lock(1)").shapes, [
      "calls pg_advisory_lock, whose lock outlasts the transaction",
    ]);
    assert.deepEqual(factsOf("SELECT pg_advisory_xact_lock(1) FROM consents").shapes, []);
    assert.deepEqual(factsOf("SELECT 1 FROM consents TABLESAMPLE system ($1)").shapes, [
      "has TABLESAMPLE with a parameter",
    ]);
    assert.deepEqual(factsOf("SELECT 1 FROM consents, pg_stat_activity").shapes, [
      "reads pg_stat_activity, which shows one server only",
    ]);
    assert.deepEqual(factsOf("SELECT pg_advisory_lock(1) FROM users").shapes, []);
  });

  it("name a statement of a bucket and of what all buckets share", () => {
    assert.deepEqual(
      factsOf("SELECT 1 FROM consent_salts JOIN log_heads h ON leaf < h.size").shapes,
      ["names consent_salts of a bucket and log_heads of all buckets"],
    );
    assert.deepEqual(factsOf("SELECT 1 FROM log_tiles, log_heads").shapes, []);
    assert.deepEqual(factsOf("SELECT 1 FROM consents, consent_salts").shapes, []);
  });

  it("have the begin and the end of transactions", () => {
    for (const text of ["BEGIN", "start transaction isolation level repeatable read"])
      assert.equal(factsOf(text).transaction, "begin");
    for (const text of ["COMMIT", "rollback"]) assert.equal(factsOf(text).transaction, "end");
    assert.equal(factsOf("SAVEPOINT a").transaction, undefined);
  });
});
