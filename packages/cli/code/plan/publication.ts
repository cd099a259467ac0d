import type { Client } from "@avow/client";
import { type AsksAgain, type Finding, previewProject } from "@avow/client/operations";
import { Problem } from "@avow/client/problem";
import { type JsonObject, readList, readObject, readText } from "@avow/contract/json";
import { FilesError } from "../files/faults.ts";
import type { FileDocument } from "../files/load.ts";
import { kinds } from "../files/kinds.ts";

/** A finding of the publish check, with the document that it is about. */
interface PlannedFinding extends Omit<Finding, "about"> {
  document: string;
}

/** The findings and re-consents of a publication of the planned state. */
export interface Publication {
  errors: number;
  warnings: number;
  findings: PlannedFinding[];
  asksAgain: AsksAgain;
}

export interface Draft {
  file: FileDocument;
  /** Undefined for a document that the plan creates. */
  id: string | undefined;
  body: JsonObject;
}

/**
 * Has the service check what a publication after the plan would contain. `bodies` are the drafts as they would be
 * stored. Undefined when the changes are more than the service previews in one request.
 * @throws FilesError when the service would reject a document
 */
export async function previewPublication(
  client: Client,
  {
    projectId,
    drafts,
    removed,
  }: { projectId: string; drafts: readonly Draft[]; removed: readonly string[] },
  signal: AbortSignal,
): Promise<{ publication: Publication; bodies: JsonObject[] } | undefined> {
  const documents = drafts.map(({ file, id, body }) =>
    id === undefined ? { collection: file.kind.resource, body } : { id, body },
  );
  const input = { path: { projectId }, body: { documents, removed: [...removed] } };
  try {
    const preview = await client.send(
      previewProject,
      input as (typeof previewProject)["input"] & object,
      { signal },
    );
    const { errors, warnings, findings, asksAgain, content } = preview;
    return {
      publication: {
        errors,
        warnings,
        findings: findings.map((finding) => toPlanned(finding, content)),
        asksAgain,
      },
      bodies: preview.documents.map(({ body }) => body),
    };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.status === 413) return undefined;
    throw toFilesError(error, drafts) ?? error;
  }
}

function toPlanned(finding: Finding, content: JsonObject): PlannedFinding {
  const { about: _, ...rest } = finding;
  return { ...rest, document: describeDocument(content, finding.path) };
}

function toFilesError(problem: Problem, drafts: readonly Draft[]): FilesError | undefined {
  const faults = problem.errors.flatMap(({ path, message }) => {
    const [, at, pointer = ""] = /^\/documents\/(\d+)\/body(\/.*)?$/.exec(path) ?? [];
    const draft = at === undefined ? undefined : drafts[Number(at)];
    return draft ? [draft.file.toFault(pointer, `${pointer} ${message}.`)] : [];
  });
  return faults.length > 0 ? new FilesError(faults) : undefined;
}

/** The document of a finding, whose path begins with its list in the published file and its place in it. */
function describeDocument(content: JsonObject, path: string): string {
  const [, list = "", at = ""] = path.split("/");
  const resource = list === "contractsV2" ? "content" : list;
  const kind = kinds.find((one) => one.resource === resource);
  const name = readText(readObject(readList(content[list])[Number(at)])["name"]);
  return kind && name !== undefined ? `${kind.noun} “${name}”` : "project";
}
