import type { Source } from "./tree.ts";

/** Which modules a module may call, and those only by their verbs and schemas (house, "Flow"). */
export const arrows: Record<string, readonly string[]> = {
  auth: [],
  billing: [],
  assets: [],
  vault: ["billing"],
  consents: ["vault"],
  evidence: ["consents"],
  publish: ["vault", "billing", "consents", "assets", "evidence"],
  client: ["vault", "consents"],
  person: ["vault", "consents", "evidence"],
  webhooks: [],
};

const linesMax = 400;
const linesMedianMax = 80;
const lines90Max = 220;
const functionLinesMax = 70;
const testPattern = /\.test\.ts$|^test\//;
const privatePattern = /(?:^|[-/])(?:store|routes|jobs)\.ts$|\.test\.ts$/;
const queryPattern =
  /^server\/(?:platform\/db\/|(?:platform|modules)\/(?:[^/]+\/)*(?:[^/]+-)?store\.ts$)/;
const httpPattern =
  /^server\/(?:app(?:-\w+)?\.ts|main\.ts|platform\/http\/|modules\/(?:[^/]+\/)+(?:[^/]+-)?routes\.ts$)/;
const environmentPattern = /^server\/(?:config|main)\.ts$/;
const folderPattern = /(?:^|\/)(?:utils|helpers|common|lib)\//;

/** Every way in which the sources break the house's rules: file, line and rule. */
export function findBreaches(sources: readonly Source[]): string[] {
  const inServer = sources.filter(({ path }) => path.startsWith("server/"));
  return [
    ...inServer.flatMap(findImportBreaches),
    ...inServer.filter(({ path }) => !testPattern.test(path)).flatMap(findLayerBreaches),
    ...sources.filter(({ path }) => path.startsWith("verifier/")).flatMap(findVerifierBreaches),
    ...findCycles(sources),
    ...sources.flatMap(findLengthBreaches),
    ...findMedianBreaches(inServer.filter(({ path }) => !testPattern.test(path))),
  ];
}

/** Names that the house does not have, over every file of the tree. */
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
    const isTop = /^server\/(?:app(?:-\w+)?|main)\.ts$/.test(target);
    if (path.startsWith("server/platform/") && (other !== undefined || isTop)) {
      return breach("platform knows no module");
    }
    if (own === undefined || isTest) return [];
    if (isTop) return breach("nothing below knows what is above");
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
      target.startsWith("server/platform/http/") ||
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
          "knows HTTP: only routes, app, main and platform/http do",
        )),
  ];
}

/** The verifier checks the service, so it shares nothing with it; and it runs in a browser. */
function findVerifierBreaches({ path, imports }: Source): string[] {
  return imports
    .filter(({ target }) => !target.startsWith("verifier/") && target !== "canonicalize")
    .map(({ target, line }) => `${path}:${line} imports ${target}: the verifier depends on nobody`);
}

function findLengthBreaches({ path, lines, functions }: Source): string[] {
  const long = lines > linesMax ? [`${path}: ${lines} lines, more than ${linesMax}`] : [];
  if (testPattern.test(path)) return long;
  const functionBreaches = functions
    .filter((found) => found.lines >= functionLinesMax)
    .map(
      (found) =>
        `${path}:${found.line} ${found.name} has ${found.lines} lines, not under ${functionLinesMax}`,
    );
  return [...long, ...functionBreaches];
}

function findMedianBreaches(sources: readonly Source[]): string[] {
  const sorted = sources.map(({ lines }) => lines).toSorted((a, b) => a - b);
  const [median = 0, ninetieth = 0] = [0.5, 0.9].map(
    (part) => sorted[Math.floor(sorted.length * part)],
  );
  return [
    ...(median < linesMedianMax
      ? []
      : [`server: the median file has ${median} lines, not under ${linesMedianMax}`]),
    ...(ninetieth < lines90Max
      ? []
      : [`server: one file in ten has ${ninetieth} lines, not under ${lines90Max}`]),
  ];
}

/** Each import cycle once, type imports included, as the path around it. */
function findCycles(sources: readonly Source[]): string[] {
  const targets = new Map(
    sources.map(({ path, imports }) => [path, imports.map(({ target }) => target)]),
  );
  const done = new Set<string>();
  const breaches: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) {
      breaches.push(`${path}: an import cycle: ${[...trail.slice(start), path].join(" → ")}`);
      return;
    }
    if (done.has(path)) return;
    for (const target of targets.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const { path } of sources) visit(path, []);
  return breaches;
}

function toModule(path: string): string | undefined {
  return /^server\/modules\/([^/]+)\//.exec(path)?.[1];
}
