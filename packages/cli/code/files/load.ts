import { findRuleFaults } from "@avow/contract/rules";
import type { JsonObject } from "@avow/contract/json";
import { type FileFault, FilesError } from "./faults.ts";
import { type Kind, kinds } from "./kinds.ts";
import { type SourceFile, readTree } from "./read-tree.ts";
import { findFieldFaults, toStoredValue } from "./schemas.ts";
import { runTypeScript } from "./typescript-file.ts";
import { type ReadFile, parseYaml } from "./yaml-file.ts";

/** A document of a file, with the fields that the service stores. References are still by name. */
export interface FileDocument {
  kind: Kind;
  /** Its path relative to the tree. */
  file: string;
  /** Its value as in the file. */
  value: JsonObject;
  /** Its fields as the service stores them, without `renamedFrom` and parents. */
  body: JsonObject;
  name: string;
  language: string | undefined;
  renamedFrom: string | undefined;
  /** An error at a JSON pointer into the document, as far as the file has positions. */
  toFault: (pointer: string, message: string) => FileFault;
}

/** The documents of one project. */
export interface ProjectTree {
  /** The path of its folder, '' for the tree's own. */
  folder: string;
  project: FileDocument;
  documents: FileDocument[];
}

/** A tree: one project, or all projects of an organization with the vendors that they share. */
export interface Tree {
  root: string;
  isOrganization: boolean;
  projects: ProjectTree[];
  /** Vendors of the organization. */
  vendors: FileDocument[];
}

const PROJECTS = "projects";
const PROJECTS_MAX = 1_000;

/** Reads and checks a whole tree. @throws FilesError with every error of its files, CommandError */
export async function loadTree(root: string): Promise<Tree> {
  const { tree, faults } = await readDocuments(root);
  const doubled = [tree.vendors, ...tree.projects.map(({ documents }) => documents)].flatMap(
    findDoubled,
  );
  const all = [...faults, ...doubled, ...findDoubled(tree.projects.map(({ project }) => project))];
  if (all.length > 0) throw new FilesError(all);
  return tree;
}

async function readDocuments(root: string): Promise<{ tree: Tree; faults: FileFault[] }> {
  const { files, faults } = await readTree(root);
  const isOrganization = files.some(({ path }) => path.startsWith(`${PROJECTS}/`));
  const tree: Tree = { root, isOrganization, projects: [], vendors: [] };
  const byFolder = new Map<string, FileDocument[]>();
  for (const source of files) {
    const place = findPlace(source.path, isOrganization);
    if (!place) {
      faults.push({ file: source.path, message: describeMisplaced(source.path) });
      continue;
    }
    const read = await readDocument(root, source, place.kind);
    if (Array.isArray(read)) faults.push(...read);
    else if (isOrganization && place.folder === "") tree.vendors.push(read);
    else byFolder.set(place.folder, [...(byFolder.get(place.folder) ?? []), read]);
  }
  for (const [folder, documents] of byFolder) {
    const [project, ...more] = documents.filter(({ kind }) => kind.kind === "project");
    const file = folder === "" ? "project.yaml" : `${folder}/project.yaml`;
    const hasBroken = faults.some((fault) => fault.file.replace(/\.\w+$/, ".yaml") === file);
    if (project) {
      const rest = documents.filter(({ kind }) => kind.kind !== "project");
      tree.projects.push({ folder, project, documents: [...rest, ...more] });
    } else if (!hasBroken) faults.push({ file, message: "is missing." });
  }
  if (tree.projects.length === 0 && faults.length === 0)
    faults.push({ file: "project.yaml", message: "is missing. To write it, run avow pull." });
  if (tree.projects.length > PROJECTS_MAX)
    faults.push({ file: PROJECTS, message: `has more than ${PROJECTS_MAX} projects.` });
  return { tree, faults };
}

interface Place {
  folder: string;
  kind: Kind;
}

/** The project's folder and the kind of a file, by its path. */
function findPlace(path: string, isOrganization: boolean): Place | undefined {
  const [, stem = ""] = /^(.+)\.(ya?ml|ts)$/.exec(path) ?? [];
  const names = stem.split("/");
  const inProject = isOrganization && names[0] === PROJECTS;
  const folder = inProject ? names.slice(0, 2).join("/") : "";
  const [first = "", second, ...deeper] = inProject ? names.slice(2) : names;
  if (stem === "" || deeper.length > 0) return undefined;
  const kind = kinds.find((one) =>
    second === undefined ? one.folder === undefined && one.file === first : one.folder === first,
  );
  if (!kind) return undefined;
  return isOrganization && !inProject && kind.kind !== "vendor" ? undefined : { folder, kind };
}

function describeMisplaced(path: string): string {
  const folders = kinds.flatMap(({ folder, file }) => folder ?? `${file}.yaml`).join(", ");
  return path.split("/").length === 1 && !/\.(ya?ml|ts)$/.test(path)
    ? "is no .yaml, .yml or .ts file. To keep it here, begin its name with _ or a dot."
    : `is not in a place for configuration (${folders}). To keep it here, begin its name with _ or a dot.`;
}

async function readDocument(
  root: string,
  { path, text }: SourceFile,
  kind: Kind,
): Promise<FileDocument | FileFault[]> {
  const read = path.endsWith(".ts") ? await runTypeScript(root, path) : parseYaml(path, text);
  if (Array.isArray(read)) return read;
  const found = findFieldFaults(kind.schema, read.value);
  const faults = found.map(({ pointer, message }) => toFault(path, read, pointer, message));
  if (faults.length > 0) return faults;
  const { renamedFrom, ...body } = toStoredValue(kind.schema, read.value) as JsonObject;
  const rules = findRuleFaults({ resource: kind.resource, body });
  if (rules.length > 0)
    return rules.map((rule) => toFault(path, read, rule.path, `${rule.path} ${rule.message}.`));
  return {
    kind,
    file: path,
    value: read.value,
    body,
    name: kind.identity === undefined ? kind.file : String(body[kind.identity]),
    language: typeof body["language"] === "string" ? body["language"] : undefined,
    renamedFrom: typeof renamedFrom === "string" ? renamedFrom : undefined,
    toFault: (pointer, message) => toFault(path, read, pointer, message),
  };
}

function toFault(file: string, { locate }: ReadFile, pointer: string, message: string): FileFault {
  return { file, ...locate(pointer), message };
}

/** Two files for one document. */
function findDoubled(documents: readonly FileDocument[]): FileFault[] {
  const files = new Map<string, string>();
  return documents.flatMap((document) => {
    const { kind, file, name, language } = document;
    const key = JSON.stringify([kind.kind, name, kind.isTranslated ? (language ?? "") : ""]);
    const other = files.get(key);
    if (other === undefined) {
      files.set(key, file);
      return [];
    }
    const where = kind.identity === undefined ? "" : `/${kind.identity}`;
    const spoken = kind.isTranslated && language !== undefined ? ` in ${language}` : "";
    const noun = kind.identity === undefined ? kind.noun : `${kind.noun} “${name}”${spoken}`;
    return [document.toFault(where, `The ${noun} is also in ${other}.`)];
  });
}
