import { type AnyNode, type Expression, type Program, parse } from "acorn";
import { type Budget, type Plain, isKey, mayRead, openBudget } from "./plain.ts";
import type { Report } from "./report.ts";

/** A value that a script assigns, exports or passes to a call. It is read, never run. */
interface ScriptValue {
  /** The assigned name or the called function, such as `CookieConsent.run`; `default` for an export. */
  name: string;
  /** Reads literals; whatever a program computes is left out, with a line in the report. */
  read: (report: Report) => Plain;
}

/** A parsed script. */
export interface Script {
  assigned: ScriptValue[];
  /** One entry for each argument of each call. */
  passed: (ScriptValue & { index: number })[];
  /** Whether the script has more nodes than are read. */
  isCut: boolean;
}

const NODES_MAX = 1_000_000;
/** Values of all reads of one script. */
const SCRIPT_VALUES_MAX = 400_000;

/** Parses JavaScript; undefined for another language. The code does not run. */
export function parseScript(text: string): Script | undefined {
  const program = parseProgram(text);
  return program && collect(program, text);
}

function parseProgram(text: string): Program | undefined {
  for (const sourceType of ["module", "script"] as const)
    try {
      return parse(text, {
        ecmaVersion: "latest",
        sourceType,
        allowHashBang: true,
        allowReturnOutsideFunction: true,
        allowAwaitOutsideFunction: true,
      });
    } catch (error) {
      // A RangeError is the end of the stack: the text is nested too deeply.
      if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    }
  return undefined;
}

/** Walks the tree with a list instead of the stack, in the order of the source. */
function collect(program: Program, text: string): Script {
  const script: Script = { assigned: [], passed: [], isCut: false };
  const constants = new Map<string, Expression>();
  const toLine = openLines(text);
  let left = SCRIPT_VALUES_MAX;
  const toValue = (name: string, node: AnyNode): ScriptValue => ({
    name,
    read(report) {
      const budget = openBudget(left);
      const given = budget.left;
      const start = { budget, constants, depth: 0, path: name, report, toLine };
      const value = evaluate(node, { ...start, resolving: new Set() });
      left -= given - budget.left;
      return value ?? null;
    },
  });
  const pending: AnyNode[] = [program];
  for (let count = 0; count < NODES_MAX; count += 1) {
    const node = pending.pop();
    if (!node) break;
    if (node.type === "VariableDeclarator" && node.id.type === "Identifier" && node.init) {
      if (!constants.has(node.id.name)) constants.set(node.id.name, node.init);
      script.assigned.push(toValue(node.id.name, node.init));
    }
    if (node.type === "AssignmentExpression" && node.operator === "=") {
      const name = nameOf(node.left);
      if (name !== undefined) script.assigned.push(toValue(name, node.right));
    }
    if (node.type === "ExportDefaultDeclaration")
      script.assigned.push(toValue("default", node.declaration));
    if (node.type === "CallExpression" || node.type === "NewExpression") {
      const name = nameOf(node.callee);
      if (name !== undefined)
        for (const [index, argument] of node.arguments.entries())
          script.passed.push({ ...toValue(name, argument), index });
    }
    pending.push(...childrenOf(node).toReversed());
  }
  script.isCut = pending.length > 0;
  return script;
}

function childrenOf(node: AnyNode): AnyNode[] {
  return Object.values(node as unknown as Record<string, unknown>).flatMap((value) =>
    (Array.isArray(value) ? (value as unknown[]) : [value]).filter(isNode),
  );
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

/** `a.b` for a member; `a.b.push` also for `(a.b = a.b || []).push`. */
function nameOf(node: AnyNode): string | undefined {
  const parts: string[] = [];
  let at: AnyNode = node;
  for (let depth = 0; depth < 20; depth += 1) {
    if (at.type === "Identifier") return [at.name, ...parts].join(".");
    if (at.type === "ParenthesizedExpression" || at.type === "ChainExpression") at = at.expression;
    else if (at.type === "AssignmentExpression") at = at.left;
    else if (at.type === "MemberExpression") {
      const name = memberName(at.property, at.computed);
      if (name === undefined) return undefined;
      parts.unshift(name);
      at = at.object;
    } else return undefined;
  }
  return undefined;
}

function memberName(property: AnyNode, isComputed: boolean): string | undefined {
  if (!isComputed && property.type === "Identifier") return property.name;
  if (property.type === "Literal" && typeof property.value === "string") return property.value;
  return undefined;
}

interface Evaluation {
  budget: Budget;
  constants: ReadonlyMap<string, Expression>;
  depth: number;
  path: string;
  report: Report;
  /** The number of the line of a position. */
  toLine: (position: number) => number;
  /** Names that are being resolved, so that a circular reference ends. */
  resolving: ReadonlySet<string>;
}

/** The value of a literal; undefined for everything that would have to run. */
function evaluate(node: AnyNode, evaluation: Evaluation): Plain | undefined {
  if (!mayRead(evaluation.budget, evaluation)) return undefined;
  switch (node.type) {
    case "Literal":
      if (node.regex) return toPlainObject([["regex", node.regex.pattern]]);
      return typeof node.value === "bigint" ? String(node.value) : (node.value as Plain);
    case "TemplateLiteral":
      return evaluateTemplate(node.quasis, node.expressions, evaluation);
    case "ArrayExpression":
      return node.elements.map(
        (element, index) => (element && evaluate(element, inner(evaluation, `[${index}]`))) ?? null,
      );
    case "ObjectExpression":
      return evaluateObject(node.properties, evaluation);
    case "UnaryExpression":
      return evaluateUnary(node.operator, evaluate(node.argument, deeper(evaluation)), evaluation);
    case "BinaryExpression": {
      const [left, right] = [node.left, node.right].map((side) =>
        evaluate(side, deeper(evaluation)),
      );
      if (node.operator === "+" && typeof left === "string" && typeof right === "string")
        return left + right;
      return skip(node, evaluation);
    }
    case "ParenthesizedExpression":
      return evaluate(node.expression, deeper(evaluation));
    case "Identifier":
      return evaluateName(node.name, node, evaluation);
    default:
      return skip(node, evaluation);
  }
}

function evaluateObject(properties: readonly AnyNode[], evaluation: Evaluation): Plain {
  const entries: [string, Plain][] = [];
  for (const property of properties) {
    if (property.type === "SpreadElement") {
      const spread = evaluate(property.argument, deeper(evaluation));
      if (typeof spread === "object" && spread !== null && !Array.isArray(spread))
        entries.push(...Object.entries(spread as Record<string, Plain>));
      continue;
    }
    if (property.type !== "Property") continue;
    const name = property.computed ? undefined : toKey(property.key);
    if (name === undefined || property.kind !== "init" || property.method) {
      skip(property, name === undefined ? evaluation : inner(evaluation, `.${name}`));
      continue;
    }
    const within = inner(evaluation, `.${name}`);
    if (!isKey(name, within.path, evaluation.report)) continue;
    const value = evaluate(property.value, within);
    if (value !== undefined) entries.push([name, value]);
  }
  return toPlainObject(entries);
}

function toKey(key: AnyNode): string | undefined {
  if (key.type === "Identifier") return key.name;
  return key.type === "Literal" ? String(key.value) : undefined;
}

function evaluateTemplate(
  quasis: readonly { value: { cooked?: string | null } }[],
  expressions: readonly AnyNode[],
  evaluation: Evaluation,
): Plain | undefined {
  const parts: string[] = [];
  for (const [index, quasi] of quasis.entries()) {
    parts.push(quasi.value.cooked ?? "");
    const expression = expressions[index];
    if (!expression) continue;
    const value = evaluate(expression, deeper(evaluation));
    if (typeof value !== "string" && typeof value !== "number") return undefined;
    parts.push(String(value));
  }
  return parts.join("");
}

function evaluateUnary(
  operator: string,
  value: Plain | undefined,
  { path, report }: Evaluation,
): Plain | undefined {
  if (operator === "-" && typeof value === "number") return -value;
  if (operator === "!" && typeof value === "number") return value === 0;
  if (operator === "!" && typeof value === "boolean") return !value;
  if (value !== undefined) report.add("not mapped", path, "Computed by the script.");
  return undefined;
}

/** The literal that a name of the same file was declared with. */
function evaluateName(name: string, node: AnyNode, evaluation: Evaluation): Plain | undefined {
  if (name === "undefined") return undefined;
  const declared = evaluation.constants.get(name);
  if (!declared || evaluation.resolving.has(name)) return skip(node, evaluation);
  return evaluate(declared, {
    ...deeper(evaluation),
    resolving: new Set([...evaluation.resolving, name]),
  });
}

function skip(node: AnyNode, { path, report, toLine }: Evaluation): undefined {
  const isFunction = /Function|Property/.test(node.type);
  const subject = isFunction ? "A function" : "Computed by the script";
  report.add(
    "not mapped",
    path,
    `${subject} (line ${toLine(node.start)}). Avow reads values and runs no code.`,
  );
  return undefined;
}

/** Finds lines by the positions of their ends, which are listed once. */
function openLines(text: string): (position: number) => number {
  let ends: number[] | undefined;
  return (position) => {
    ends ??= [...text.matchAll(/\n/g)].map((match) => match.index);
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) < position) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}

function inner(evaluation: Evaluation, name: string): Evaluation {
  const { path } = evaluation;
  const within = path === "" && name.startsWith(".") ? name.slice(1) : path + name;
  return { ...evaluation, depth: evaluation.depth + 1, path: within };
}

function deeper(evaluation: Evaluation): Evaluation {
  return inner(evaluation, "");
}

function toPlainObject(entries: readonly [string, Plain][]): Plain {
  return Object.assign(Object.create(null), Object.fromEntries(entries)) as Record<string, Plain>;
}
