import { parseSync } from "oxc-parser";

interface Node {
  type: string;
  [member: string]: unknown;
}

/**
 * The syntax that the templates may use: ECMAScript 5 without `new`, `this`, `delete`, regular expressions and exceptions,
 * with `const`, `let` and arrow functions. Google documents no other syntax of ECMAScript 6.
 * https://developers.google.com/tag-platform/tag-manager/templates/sandboxed-javascript
 */
const syntax = new Set([
  "ArrayExpression",
  "ArrowFunctionExpression",
  "AssignmentExpression",
  "BinaryExpression",
  "BlockStatement",
  "CallExpression",
  "ConditionalExpression",
  "ExpressionStatement",
  "Identifier",
  "IfStatement",
  "Literal",
  "LogicalExpression",
  "MemberExpression",
  "ObjectExpression",
  "ParenthesizedExpression",
  "Program",
  "Property",
  "ReturnStatement",
  "UnaryExpression",
  "VariableDeclaration",
  "VariableDeclarator",
]);
const unary = new Set(["!", "-", "+", "typeof"]);
const logical = new Set(["&&", "||"]);

/** https://developers.google.com/tag-platform/tag-manager/templates/standard-library */
const methods = new Set(
  "concat every filter forEach indexOf join map pop push reduce reverse slice sort splice charAt lastIndexOf match replace split substring toLowerCase toString toUpperCase trim".split(
    " ",
  ),
);

/** The breaches of the language of templates, in the body of a function with these globals. */
export function findLanguageBreaches(
  code: string,
  globals: readonly string[],
  ownMethods: readonly string[] = [],
): string[] {
  const { program, errors } = parseSync("template.js", `() => {${code}\n}`, {
    sourceType: "script",
  });
  if (errors.length > 0) return errors.map(({ message }) => message);
  const nodes = listNodes(program as unknown as Node);
  const declared = new Set(globals);
  const apis = new Set(["data"]);
  for (const node of nodes) {
    if (node.type === "VariableDeclarator") {
      declared.add(nameOf(node["id"]));
      if (nameOf((node["init"] as Node | null)?.["callee"]) === "require")
        apis.add(nameOf(node["id"]));
    }
    if (node.type === "ArrowFunctionExpression")
      for (const parameter of node["params"] as Node[]) declared.add(nameOf(parameter));
  }
  return nodes.flatMap((node) => {
    const breach = findBreach(node);
    if (breach !== undefined) return [breach];
    if (node.type === "Identifier" && !declared.has(nameOf(node)))
      return [`uses the global ${nameOf(node)}`];
    const callee = node.type === "CallExpression" ? (node["callee"] as Node) : undefined;
    if (callee?.type !== "MemberExpression" || apis.has(nameOf(callee["object"]))) return [];
    const method = nameOf(callee["property"]);
    const isKnown = methods.has(method) || ownMethods.includes(method);
    return isKnown ? [] : [`calls the method ${method}`];
  });
}

function findBreach(node: Node): string | undefined {
  const { type, operator } = node;
  if (!syntax.has(type)) return `uses ${type}`;
  if (node["async"]) return "uses async";
  if (type === "Literal" && ("regex" in node || "bigint" in node))
    return `uses ${String(node["raw"])}`;
  if (type === "Property" && (node["shorthand"] || node["computed"] || node["method"]))
    return "uses a short form of a property";
  if (type === "UnaryExpression" && !unary.has(String(operator))) return `uses ${String(operator)}`;
  if (type === "LogicalExpression" && !logical.has(String(operator)))
    return `uses ${String(operator)}`;
  if (type === "BinaryExpression" && /^(in|instanceof|\*\*)$/.test(String(operator)))
    return `uses ${String(operator)}`;
  return undefined;
}

/** All nodes, without the names of members and properties, which are no variables. */
function listNodes(node: Node): Node[] {
  const isName = (key: string): boolean =>
    !node["computed"] &&
    ((node.type === "MemberExpression" && key === "property") ||
      (node.type === "Property" && key === "key"));
  return [
    node,
    ...Object.entries(node)
      .filter(([key]) => !isName(key))
      .flatMap(([, value]) => [value].flat())
      .filter(isNode)
      .flatMap(listNodes),
  ];
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value;
}

function nameOf(node: unknown): string {
  return isNode(node) && node.type === "Identifier" ? String(node["name"]) : "";
}
