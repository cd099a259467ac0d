import { join } from "node:path";
import { loadModule, parseSync } from "libpg-query";
import { Client } from "pg";
import { listTables } from "../architecture/planes.ts";
import { type Plane, type StatementFacts, toFacts } from "./rules.ts";

const root = join(import.meta.dirname, "../..");
/** Characters of a statement that a breach shows. */
const SHOWN_MAX = 300;
const STACK_FRAMES = 40;
/**
 * Code that looks at one server: at the activity of the data plane's only one, and `avow db`, which reads the tables of
 * `public` on the coordinator.
 */
const ofOneServer = /\/horizon-store\.ts|\/commands\/db\//;
const planes = ["control", "data"] as const satisfies readonly Plane[];

/** Watches all statements that the service sends to PostgreSQL in this process. */
export interface StatementGuard {
  /** The breaches since the last call, each statement once, with the place in the service that sent it. */
  takeBreaches: () => string[];
}

/**
 * Parses each statement as it is sent, with PostgreSQL's own parser, and holds it to the rules of two planes and of a
 * distributed data plane: what a statement reads and writes, and what a transaction does, is in one plane.
 */
export async function openStatementGuard(): Promise<StatementGuard> {
  await loadModule();
  const known = listTables(root);
  const parsed = new Map<string, StatementFacts | undefined>();
  const breaches = new Map<string, string>();
  const transactions = new WeakMap<object, Map<Plane, string>>();
  const report = (reason: string, text: string): void => {
    const callSite = findCallSite();
    // Statements of a test, which may look into both planes.
    if (callSite === undefined || ofOneServer.test(callSite)) return;
    const shown = text.replaceAll(/\s+/g, " ").trim().slice(0, SHOWN_MAX);
    const breach = `${reason}\n    ${shown}\n    at ${callSite}`;
    if (!breaches.has(breach)) breaches.set(breach, breach);
  };
  const check = (client: object, text: string): void => {
    if (!parsed.has(text)) parsed.set(text, parse(text, known));
    const facts = parsed.get(text);
    if (!facts) return;
    const { tables, shapes, transaction } = facts;
    if (transaction === "begin") transactions.set(client, new Map());
    if (transaction === "end") transactions.delete(client);
    if (tables.control.length > 0 && tables.data.length > 0)
      report(`a statement names ${tables.control.join(", ")} and ${tables.data.join(", ")}`, text);
    for (const shape of shapes) report(`a statement ${shape}`, text);
    const seen = transactions.get(client);
    for (const plane of planes) if (tables[plane][0]) seen?.set(plane, tables[plane][0]);
    if (seen?.size === planes.length)
      report(`a transaction has ${seen.get("control")} and ${seen.get("data")}`, text);
  };
  watch(check);
  return {
    takeBreaches() {
      const taken = [...breaches.values()];
      breaches.clear();
      return taken;
    },
  };
}

/** Undefined for text with several statements, such as a migration, and for what only the server can parse. */
function parse(text: string, known: ReadonlySet<string>): StatementFacts | undefined {
  try {
    const { stmts = [] } = parseSync(text);
    return stmts.length === 1 ? toFacts(stmts[0], known) : undefined;
  } catch {
    // A test sends invalid statements, too, which PostgreSQL rejects.
    return undefined;
  }
}

/** Calls `check` with the text of each query, before it is sent. */
function watch(check: (client: object, text: string) => void): void {
  const prototype = Client.prototype as { query: (...given: unknown[]) => unknown };
  const { query } = prototype;
  prototype.query = function watched(this: object, ...given: unknown[]) {
    const [first] = given;
    const text = typeof first === "string" ? first : (first as { text?: unknown } | null)?.text;
    if (typeof text === "string") check(this, text);
    return query.apply(this, given);
  };
}

/** The first frame of the stack in a module of the service; undefined without one. */
function findCallSite(): string | undefined {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = STACK_FRAMES;
  const { stack = "" } = new Error("call site");
  Error.stackTraceLimit = stackTraceLimit;
  const frame = /packages\/server\/(?:modules|kernel|http|commands)\/[^\s)]+/.exec(stack);
  return frame?.[0];
}
