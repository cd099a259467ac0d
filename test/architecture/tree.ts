import { globSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import * as ast from "typescript/unstable/ast";
import { API } from "typescript/unstable/sync";

/** The facts about one source file that the rules check. `path` is relative to the root, with slashes. */
export interface Source {
  path: string;
  imports: Import[];
  /** Lines with a query: an `sql` template, or a query builder's start. */
  queryLines: number[];
  /** Lines that read `process.env`. */
  environmentLines: number[];
}

interface Import {
  /** A file of the tree, relative to the root; or a package, as written. */
  target: string;
  names: string[];
  line: number;
}

const queryStarts = new Set(["selectFrom", "insertInto", "updateTable", "deleteFrom", "mergeInto"]);
const ignored = ["**/node_modules/**", "**/data/**", "**/dist/**"];

/** The paths of all TypeScript files below the root, in any project. */
export function listPaths(root: string): string[] {
  const found = globSync("**/*.{ts,tsx,mts,cts}", { cwd: root, exclude: ignored });
  return found.map((path) => path.split(sep).join("/")).toSorted();
}

/** Parses every source file of the projects in `root` with the compiler's own parser. */
export function readSources(root: string): Source[] {
  const api = new API({ cwd: root });
  try {
    const openProjects = globSync("{.,packages/*}/tsconfig.json", { cwd: root }).map((name) =>
      join(root, name),
    );
    const projects = api.updateSnapshot({ openProjects }).getProjects();
    if (projects.length === 0) throw new Error(`There is no project in ${root}.`);
    return projects.flatMap(({ rootFiles, program }) =>
      rootFiles.map((name) => {
        const file = program.getSourceFile(name);
        if (!file) throw new Error(`${name} cannot be parsed.`);
        return toSource(root, file);
      }),
    );
  } finally {
    api.close();
  }
}

function toSource(root: string, file: ast.SourceFile): Source {
  const path = relative(root, file.fileName).split(sep).join("/");
  const lineOf = (position: number) => file.getLineAndCharacterOfPosition(position).line + 1;
  const source: Source = {
    path,
    imports: [],
    queryLines: [],
    environmentLines: [],
  };
  const visit = (node: ast.Node): void => {
    const line = lineOf(node.getStart(file));
    const imported = toImport(node, path);
    if (imported) source.imports.push({ ...imported, line });
    if (isQuery(node)) source.queryLines.push(line);
    if (isEnvironment(node)) source.environmentLines.push(line);
    node.forEachChild(visit);
  };
  visit(file);
  return source;
}

function toImport(node: ast.Node, path: string): Omit<Import, "line"> | undefined {
  if (ast.isImportDeclaration(node) || ast.isExportDeclaration(node)) {
    if (!node.moduleSpecifier || !ast.isStringLiteral(node.moduleSpecifier)) return undefined;
    const target = toTarget(path, node.moduleSpecifier.text);
    return { target, names: ast.isImportDeclaration(node) ? toNames(node) : ["*"] };
  }
  const [specifier] = ast.isCallExpression(node) ? node.arguments : [];
  const isDynamic =
    ast.isCallExpression(node) && node.expression.kind === ast.SyntaxKind.ImportKeyword;
  if (!isDynamic || !specifier || !ast.isStringLiteral(specifier)) return undefined;
  return { target: toTarget(path, specifier.text), names: ["*"] };
}

function toNames({ importClause }: ast.ImportDeclaration): string[] {
  const names = importClause?.name ? ["default"] : [];
  const bindings = importClause?.namedBindings;
  if (!bindings) return names;
  if (!ast.isNamedImports(bindings)) return [...names, "*"];
  return [
    ...names,
    ...bindings.elements.map(({ propertyName, name }) => (propertyName ?? name).text),
  ];
}

function toTarget(path: string, specifier: string): string {
  return specifier.startsWith(".")
    ? join(dirname(path), specifier).split(sep).join("/")
    : specifier;
}

function isQuery(node: ast.Node): boolean {
  if (ast.isTaggedTemplateExpression(node)) {
    return ast.isIdentifier(node.tag) && node.tag.text === "sql";
  }
  if (!ast.isCallExpression(node) || !ast.isPropertyAccessExpression(node.expression)) return false;
  return queryStarts.has(node.expression.name.text);
}

/** `process.env`, `process["env"]`, or either through `globalThis`. */
function isEnvironment(node: ast.Node): boolean {
  if (ast.isPropertyAccessExpression(node)) {
    return node.name.text === "env" && /\bprocess$/.test(node.expression.getText());
  }
  if (!ast.isElementAccessExpression(node)) return false;
  const { argumentExpression: name } = node;
  return (
    ast.isStringLiteral(name) && name.text === "env" && /\bprocess$/.test(node.expression.getText())
  );
}
