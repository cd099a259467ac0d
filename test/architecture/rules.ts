import { dirname } from "node:path";
import type { Source } from "./tree.ts";

/** The layers of the server, from the bottom: each may import itself and those before it. */
const layers = ["platform", "config", "kernel", "http", "modules", "commands"] as const;

/** The modules that a module may call, and only through their verbs and schemas (ARCHITECTURE.md, "Flow"). */
export const arrows: Record<string, readonly string[]> = {
  auth: [],
  billing: [],
  assets: [],
  vault: ["billing"],
  consents: ["vault"],
  evidence: ["consents"],
  publish: ["vault", "billing", "consents", "assets", "evidence"],
  scans: ["vault"],
  "move-in": [],
  reviews: ["vault", "publish", "evidence"],
  templates: ["vault", "publish"],
  client: ["vault", "consents"],
  person: ["vault", "consents", "evidence"],
  webhooks: [],
  notifications: ["vault", "billing", "consents"],
  status: [],
};

/** The packages that a package may import. The lab imports the server until `contract` covers its needs. */
export const packageArrows: Record<string, readonly string[]> = {
  contract: [],
  client: ["contract"],
  verifier: [],
  "move-in": ["contract"],
  scanner: ["contract"],
  postgres: [],
  widget: ["contract"],
  react: ["widget"],
  vue: ["widget"],
  "react-native": ["react", "widget"],
  admin: ["client", "contract", "move-in", "verifier", "widget"],
  server: ["contract", "admin", "cli", "move-in", "postgres", "scanner", "verifier", "widget"],
  cli: ["client", "contract", "move-in", "scanner", "verifier"],
  lab: ["admin", "contract", "postgres", "server", "verifier"],
};

const testPattern = /\.test\.ts$|^test\//;
const privatePattern = /(?:^|[-/])(?:store|routes|jobs)\.ts$|\.test\.ts$/;
const queryPattern =
  /^packages\/server\/(?:platform\/db\/|(?:platform|kernel|http|modules)\/(?:[^/]+\/)*(?:[^/]+-)?store\.ts$)/;
const httpPattern =
  /^packages\/server\/(?:app(?:\/\w+)?\.ts|main\.ts|http\/|modules\/(?:[^/]+\/)+(?:[^/]+-)?routes\.ts$)/;
const environmentPattern = /^packages\/server\/(?:config\/config|main)\.ts$/;
const folderPattern = /(?:^|\/)(?:utils|helpers|common|lib)\//;

/** All breaches of the architecture's rules: file, line and rule. */
export function findBreaches(sources: readonly Source[]): string[] {
  const inServer = sources.filter(({ path }) => path.startsWith("packages/server/"));
  return [
    ...inServer.flatMap(findImportBreaches),
    ...inServer.filter(({ path }) => !testPattern.test(path)).flatMap(findLayerBreaches),
    ...sources.flatMap(findPackageBreaches),
    ...findCycles(sources),
  ];
}

/** Forbidden names among all files of the tree. */
export function findNameBreaches(paths: readonly string[]): string[] {
  return paths.flatMap((path) => [
    ...(folderPattern.test(path)
      ? [`${path}: no folder is named utils, helpers, common or lib`]
      : []),
    ...(/(?:^|\/)index\.[cm]?tsx?$/.test(path) ? [`${path}: there is no index file`] : []),
  ]);
}

function findImportBreaches({ path, imports }: Source): string[] {
  const own = toModule(path);
  const isTest = testPattern.test(path);
  return imports.flatMap(({ target, line }) => {
    const other = toModule(target);
    const breach = (rule: string) => [`${path}:${line} imports ${target}: ${rule}`];
    const isTop = /^packages\/server\/(?:app(?:\/\w+)?|main)\.ts$/.test(target);
    const [from, to] = [path, target].map(toLayer);
    if (from !== undefined && !isTest && (isTop || (to !== undefined && to > from)))
      return breach(
        isTop ? "nothing below knows what is above" : `${layers[from]} is below ${layers[to ?? 0]}`,
      );
    if (own === undefined || isTest) return [];
    if (other === undefined || other === own) return [];
    const allowed = arrows[own];
    if (!allowed) return breach(`the module ${own} is not in the table of arrows`);
    if (!allowed.includes(other))
      return breach(`${own} may call ${allowed.join(", ") || "no module"}`);
    return privatePattern.test(target) ? breach("only another module's verbs and schemas") : [];
  });
}

function findLayerBreaches({ path, imports, queryLines, environmentLines }: Source): string[] {
  const at = (lines: readonly number[], rule: string) =>
    lines.map((line) => `${path}:${line} ${rule}`);
  const http = imports.filter(
    ({ target, names }) =>
      target.startsWith("packages/server/http/") ||
      target.startsWith("@fastify/") ||
      // The logger's type is Fastify's, and no HTTP.
      (target === "fastify" && names.some((name) => name !== "FastifyBaseLogger")),
  );
  return [
    ...(queryPattern.test(path) ? [] : at(queryLines, "has SQL: only stores and platform/db do")),
    ...(environmentPattern.test(path)
      ? []
      : at(environmentLines, "reads process.env: only config does")),
    ...(httpPattern.test(path)
      ? []
      : at(
          http.map(({ line }) => line),
          "knows HTTP: only routes, app, main and http do",
        )),
  ];
}

/** Packages import each other only along the arrows, and through the other's `exports`. */
function findPackageBreaches({ path, imports }: Source): string[] {
  const own = toPackage(path);
  if (own === undefined || testPattern.test(path)) return [];
  return imports.flatMap(({ target, line }) => {
    const byName = /^@avow\/([^/]+)/.exec(target)?.[1];
    const other = byName ?? toPackage(target);
    const breach = (rule: string) => [`${path}:${line} imports ${target}: ${rule}`];
    if (other === own && byName === undefined) return [];
    // build.ts runs in Node at build time; the rest runs in a browser.
    if (own === "verifier" && target !== "canonicalize" && !path.endsWith("/build.ts"))
      return breach("the verifier depends on nobody");
    if (other === undefined)
      return target.startsWith("test/") && own !== "lab" ? breach("tests are above packages") : [];
    const allowed = packageArrows[own] ?? [];
    if (!allowed.includes(other))
      return breach(`${own} may import ${allowed.join(", ") || "no package"}`);
    const isDebt = own === "lab" && other === "server";
    return byName === undefined && !isDebt ? breach(`import @avow/${other} by its name`) : [];
  });
}

/** Import cycles, each once as the path around it; type imports count. */
function findCycles(sources: readonly Source[]): string[] {
  return listCycles(
    new Map(sources.map(({ path, imports }) => [path, imports.map(({ target }) => target)])),
  );
}

/** Cycles of imports among folders of packages; type imports count, tests do not. */
export function findFolderCycles(sources: readonly Source[]): string[] {
  const folders = new Map<string, string[]>();
  for (const { path, imports } of sources) {
    if (!path.startsWith("packages/") || testPattern.test(path)) continue;
    const folder = dirname(path);
    const targets = imports
      .filter(({ target }) => /\.tsx?$/.test(target))
      .map(({ target }) => dirname(target));
    const others = targets.filter((target) => target !== folder);
    folders.set(folder, [...(folders.get(folder) ?? []), ...others]);
  }
  return listCycles(folders);
}

function listCycles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const breaches: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) {
      breaches.push(`${path}: an import cycle: ${[...trail.slice(start), path].join(" → ")}`);
      return;
    }
    if (done.has(path)) return;
    for (const target of graph.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  return breaches;
}

function toModule(path: string): string | undefined {
  return /^packages\/server\/modules\/([^/]+)\//.exec(path)?.[1];
}

/** The index of a file's layer; undefined outside the server's folders. */
function toLayer(path: string): number | undefined {
  const index = layers.findIndex((layer) => path.startsWith(`packages/server/${layer}/`));
  return index === -1 ? undefined : index;
}

function toPackage(path: string): string | undefined {
  return /^packages\/([^/]+)\//.exec(path)?.[1];
}
