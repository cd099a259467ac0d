// avow pull, plan and apply: the configuration of projects as files.
import { writeFile } from "node:fs/promises";
import { createInterface } from "node:readline/promises";
import { isDeepStrictEqual } from "node:util";
import { readObject, readObjects } from "@avow/contract/json";
import { type Arguments, readArguments, readChoice } from "../terminal/arguments.ts";
import { CommandError, UsageError } from "../terminal/errors.ts";
import { toPath } from "../terminal/path.ts";
import { readBytes } from "../terminal/read-bytes.ts";
import { applyPlan } from "./apply.ts";
import { loadTree } from "./files/load.ts";
import type { Plan } from "./plan/plan.ts";
import { previewPublication } from "./plan/publication.ts";
import { listPublication, toJson, toText } from "./plan/report.ts";
import { getOnly, listStoredProjects } from "./plan/stored.ts";
import { environments, publishApplied } from "./publish.ts";
import { findTree, pullOrganization, pullProject } from "./pull.ts";
import { planTree } from "./targets.ts";

const PLAN_BYTES_MAX = 64 * 1024 * 1024;
const documentIdPattern = /^[0-9a-f]{24}$/;

const targetHelp = `  --project ID      the project (default: AVOW_PROJECT, else the one with the title of project.yaml)
  --organization ID the organization of a folder with projects/ (default: AVOW_ORGANIZATION)
`;
const targetOptions = {
  project: { type: "string" },
  organization: { type: "string" },
} as const;
const changeOptions = {
  ...targetOptions,
  prune: { type: "boolean" },
  create: { type: "boolean" },
} as const;
const changeHelp = `${targetHelp}  --create          create the project if none has its title
  --prune           delete stored documents without a file; projects are never deleted
`;

const pullHelp = `Usage: avow pull DIR [--project ID | --organization ID]

Writes the configuration of a project, or of all projects of an organization, into files: one
document each, in YAML. Files that already say the same are not touched, and comments survive in
those that change. Files in TypeScript are never written.

  project.yaml      title, website, design, controller
  banners/          cookie banners
  vendors/          vendors that banners refer to by name
  consent-forms/    contract-forms/  contract-texts/
  officer.yaml      tcf.yaml

${targetHelp}`;

const planHelp = `Usage: avow plan DIR [--project ID] [--prune] [--json] [--out FILE]

Compares the files of a folder with the service, and changes nothing. Prints what avow apply would
create, change and delete, field by field; the findings of the publish check; and which vendors and
forms people would be asked again after a publication.

${changeHelp}  --json            print the plan as JSON
  --out FILE        also save the plan, for avow apply --plan FILE
  --detailed-exitcode  exit with 0 for no changes, 1 for any error, 2 for changes

An API key needs the scopes vault:read and publish:read.

`;

const applyHelp = `Usage: avow apply DIR [--project ID] [--prune] [--plan FILE] [--publish ENVIRONMENT]

Changes the service so that it has what the files of a folder say. Each document is changed only if
nobody has changed it since the plan was made; otherwise the command stops, and lists what it did.
Applying again changes nothing. On a terminal it asks first.

${changeHelp}  --plan FILE       apply a plan of avow plan --out, and stop if anything differs from it
  --publish ENVIRONMENT  then publish to staging or production, if that changes anything there
  --yes             do not ask

An API key needs the scopes vault:read, vault:write and publish:read; --publish also publish:write.

`;

/** Runs `avow pull`; returns the exit status. */
export async function pullConfiguration(args: string[], signal: AbortSignal): Promise<number> {
  const given = readArguments(args, {
    help: pullHelp,
    options: targetOptions,
    positionals: ["DIR"],
  });
  if (!given) return 0;
  const { client, progress } = given;
  const { root, projectId, organizationId } = readTarget(given);
  const tree = await findTree(root);
  const options = { root, progress, tree, signal };
  if (projectId === undefined && organizationId !== undefined) {
    if (tree && !tree.isOrganization)
      throw new CommandError(`${root} has the files of one project. Pass --project ID.`);
    report(given, await pullOrganization(client, organizationId, options));
    return 0;
  }
  if (tree?.isOrganization === true)
    throw new CommandError(`${root} has several projects. Pass --organization ID.`);
  const listed = projectId === undefined ? await listStoredProjects(client, undefined, signal) : [];
  const titled = listed.filter(({ title }) => title === tree?.projects[0]?.project.name);
  const found =
    projectId ??
    getOnly(titled.length === 1 ? titled : listed, { noun: "project", option: "--project ID" }).id;
  report(given, await pullProject(client, found, options));
  return 0;
}

function report({ progress }: Arguments, pulled: { written: number; unchanged: number }): void {
  progress.say(`${pulled.written} files written, ${pulled.unchanged} unchanged.`);
}

/** Runs `avow plan`; returns the exit status. */
export async function planConfiguration(args: string[], signal: AbortSignal): Promise<number> {
  const isDetailed = args.includes("--detailed-exitcode");
  try {
    return await runPlan(args, signal, isDetailed);
  } catch (error) {
    // Wrong usage exits with 2 otherwise, which means changes here.
    if (isDetailed && error instanceof UsageError) throw new CommandError(error.message);
    throw error;
  }
}

async function runPlan(args: string[], signal: AbortSignal, isDetailed: boolean): Promise<number> {
  const given = readArguments(args, {
    help: planHelp,
    options: {
      ...changeOptions,
      json: { type: "boolean" },
      out: { type: "string" },
      "detailed-exitcode": { type: "boolean" },
    },
    positionals: ["DIR"],
  });
  if (!given) return 0;
  const [folder = ""] = given.positionals;
  if (documentIdPattern.test(folder))
    throw new UsageError(`${folder} is an id. To set the plan of an organization: avow set-plan.`);
  const plan = await makePlan(given, signal);
  const json = `${JSON.stringify(toJson(plan), null, 2)}\n`;
  const out = given.text("out");
  if (out !== undefined)
    await writeFile(toPath(out), json).catch((error: Error) => {
      throw new CommandError(`${out} cannot be written.`, { cause: error });
    });
  process.stdout.write(given.is("json") ? json : toText(plan));
  return isDetailed && hasChanges(plan) ? 2 : 0;
}

/** Runs `avow apply`; returns the exit status. */
export async function applyConfiguration(args: string[], signal: AbortSignal): Promise<number> {
  const given = readArguments(args, {
    help: applyHelp,
    options: {
      ...changeOptions,
      plan: { type: "string" },
      publish: { type: "string" },
      yes: { type: "boolean" },
    },
    positionals: ["DIR"],
  });
  if (!given) return 0;
  const { client, progress } = given;
  const publish = given.text("publish");
  const environment =
    publish === undefined ? undefined : readChoice("publish", publish, environments);
  const plan = await makePlan(given, signal);
  const file = given.text("plan");
  if (file !== undefined) await assertSame(plan, file);
  process.stdout.write(toText(plan));
  if (hasChanges(plan) && !(await isConfirmed(given, signal))) {
    progress.say("Nothing was changed.");
    return 1;
  }
  const applied = await applyPlan(client, plan, { progress, signal });
  for (const [at, { id }] of applied.entries())
    if (!plan.projects[at]?.publication) {
      const input = { projectId: id, drafts: [], removed: [] };
      const preview = await previewPublication(client, input, signal);
      if (preview) process.stdout.write(`${listPublication(preview.publication).join("\n")}\n`);
    }
  if (environment !== undefined)
    for (const project of applied)
      await publishApplied(client, project, { environment, progress, signal });
  return 0;
}

async function makePlan(given: Arguments, signal: AbortSignal): Promise<Plan> {
  const { root, ...target } = readTarget(given);
  const tree = await loadTree(root);
  const options = { ...target, creates: given.is("create"), prune: given.is("prune") };
  return planTree(given.client, tree, options, signal);
}

function readTarget({ positionals, text }: Arguments) {
  const [folder = ""] = positionals;
  if (folder === "") throw new UsageError("Expected a folder.");
  const readId = (name: "project" | "organization", variable: string) => {
    const id = text(name) ?? (process.env[variable] || undefined);
    if (id === undefined || documentIdPattern.test(id)) return id;
    throw new UsageError(`--${name}: expected an id of 24 hexadecimal characters, got ${id}.`);
  };
  return {
    root: toPath(folder),
    projectId: readId("project", "AVOW_PROJECT"),
    organizationId: readId("organization", "AVOW_ORGANIZATION"),
  };
}

function hasChanges({ shared, projects }: Plan): boolean {
  return [shared, ...projects].some(({ changes }) => changes.length > 0);
}

/** @throws CommandError unless a saved plan has the same changes of the same versions */
async function assertSame(plan: Plan, file: string): Promise<void> {
  const text = Buffer.from(await readBytes(file, PLAN_BYTES_MAX)).toString("utf8");
  let saved: unknown;
  try {
    saved = JSON.parse(text);
  } catch {
    throw new CommandError(`${file} is no plan.`);
  }
  if (isDeepStrictEqual(toChanges(saved), toChanges(JSON.parse(JSON.stringify(toJson(plan))))))
    return;
  throw new CommandError(
    `The files or the service have changed since ${file} was written. Plan again.`,
  );
}

/** The part of a plan that must not differ: findings and numbers of people may. */
function toChanges(plan: unknown) {
  const { format, vendors, projects } = readObject(plan);
  return {
    format,
    vendors,
    projects: readObjects(projects).map((project) => ({ ...project, publication: undefined })),
  };
}

async function isConfirmed(given: Arguments, signal: AbortSignal): Promise<boolean> {
  if (given.is("yes") || !process.stdin.isTTY || !process.stdout.isTTY) return true;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = await terminal.question("Apply these changes? Only yes is accepted: ", {
      signal,
    });
    return answer.trim() === "yes";
  } finally {
    terminal.close();
  }
}
