import {
  dataTables,
  globalTables,
  sharedTables,
} from "../../packages/server/platform/db/planes.ts";

/** The planes that a statement reads or writes. */
export type Plane = "control" | "data";

/** A parsed statement as far as the rules need it. */
export interface StatementFacts {
  /** Tables by plane, without those that both planes have. */
  tables: Readonly<Record<Plane, readonly string[]>>;
  /** Reasons why a distributed data plane would reject it, or answer wrongly. */
  shapes: readonly string[];
  /** The statement that begins or ends a transaction; undefined for others. */
  transaction: "begin" | "end" | undefined;
}

type Node = Readonly<Record<string, unknown>>;

const TEMPORARY_LOCK = /^pg_(?:try_)?advisory_xact_lock(?:_shared)?$/;
const SESSION_LOCK = /^pg_(?:try_)?advisory_(?:lock|unlock)/;
/** Views that show the activity of one server only. */
const ACTIVITY = new Set(["pg_stat_activity", "pg_locks", "pg_prepared_xacts"]);

/**
 * Derives the facts of a statement from its parse tree (libpg_query). `known` are the names of all tables; other names are
 * of common table expressions and of PostgreSQL.
 */
export function toFacts(tree: unknown, known: ReadonlySet<string>): StatementFacts {
  const tables: Record<Plane, Set<string>> = { control: new Set(), data: new Set() };
  const shapes = new Set<string>();
  let transaction: StatementFacts["transaction"];
  const named = new Set<string>();
  visit(tree, (kind, node) => {
    if (kind === "CommonTableExpr") named.add(String(node["ctename"]));
  });
  visit(tree, (kind, node) => {
    const relation = relationOf(kind, node);
    if (relation !== undefined) {
      if (ACTIVITY.has(relation)) shapes.add(`reads ${relation}, which shows one server only`);
      if (!known.has(relation) || named.has(relation) || sharedTables.has(relation)) return;
      tables[dataTables.has(relation) ? "data" : "control"].add(relation);
    }
    if (kind === "FuncCall") {
      const name = lastNameOf(node["funcname"]);
      if (SESSION_LOCK.test(name) && !TEMPORARY_LOCK.test(name))
        shapes.add(`calls ${name}, whose lock outlasts the transaction`);
    }
    if (kind === "RangeTableSample" && JSON.stringify(node["args"]).includes("ParamRef"))
      shapes.add("has TABLESAMPLE with a parameter");
    if (kind === "TransactionStmt") {
      const { kind: act } = node;
      if (act === "TRANS_STMT_BEGIN" || act === "TRANS_STMT_START") transaction = "begin";
      if (act === "TRANS_STMT_COMMIT" || act === "TRANS_STMT_ROLLBACK") transaction = "end";
    }
  });
  const shared = [...tables.data].filter((name) => globalTables.has(name));
  const own = [...tables.data].filter((name) => !globalTables.has(name));
  if (shared.length > 0 && own.length > 0)
    shapes.add(`names ${own.join(", ")} of a bucket and ${shared.join(", ")} of all buckets`);
  return {
    tables: { control: [...tables.control], data: [...tables.data] },
    shapes: tables.data.size > 0 || tables.control.size === 0 ? [...shapes] : [],
    transaction,
  };
}

/** Calls `see` with each node of a tree and its kind. */
function visit(value: unknown, see: (kind: string, node: Node) => void): void {
  if (Array.isArray(value)) for (const one of value) visit(one, see);
  else if (typeof value === "object" && value !== null)
    for (const [kind, node] of Object.entries(value)) {
      if (typeof node === "object" && node !== null && !Array.isArray(node))
        see(kind, node as Node);
      visit(node, see);
    }
}

/** The table that a node names: `RangeVar` in a FROM clause, `relation` in a statement that writes. */
function relationOf(kind: string, node: Node): string | undefined {
  const isRelation = kind === "RangeVar" || kind === "relation";
  const { relname } = node;
  return isRelation && typeof relname === "string" ? relname : undefined;
}

function lastNameOf(names: unknown): string {
  const last = Array.isArray(names) ? (names.at(-1) as { String?: { sval?: string } }) : undefined;
  return last?.String?.sval ?? "";
}
