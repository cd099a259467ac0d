import type { Mutation } from "./mutation.ts";

export const publish: readonly Mutation[] = [
  {
    name: "rolls back to the newest version, not to the requested one",
    file: "packages/server/modules/publish/publications/publications-store.ts",
    find: '    .select(["hash", "content"])\n    .where("project_id", "=", target.projectId)\n    .where("environment", "=", target.environment)\n    .where("version", "=", version)',
    replace:
      '    .select(["hash", "content"])\n    .where("project_id", "=", target.projectId)\n    .where("environment", "=", target.environment)\n    .where("version", ">=", version)\n    .orderBy("version", "desc")\n    .limit(1)',
    caughtBy: "test/interface/publish-versions.test.ts",
  },
  {
    name: "mixes the publications of production and staging",
    file: "packages/server/modules/publish/publications/publications-store.ts",
    find: '    .select(columns)\n    .where("project_id", "=", target.projectId)\n    .where("environment", "=", target.environment)\n',
    replace: '    .select(columns)\n    .where("project_id", "=", target.projectId)\n',
    caughtBy: "test/interface/publish-versions.test.ts",
  },
  {
    name: "publishes a scheduled job before its time",
    file: "packages/server/modules/publish/publications/waiting.ts",
    find: "if (publishAt && publishAt > now) return false;",
    replace: "if (publishAt && publishAt < now) return false;",
    caughtBy: "test/interface/publish-waiting.test.ts",
  },
  {
    name: "runs a scheduled publication of a user who has lost the right to publish",
    file: "packages/server/modules/publish/publications/waiting.ts",
    find: '  await assertStillAllowed(app, scope, { projectId, right: forced ? "own" : "publish" });\n',
    replace: "",
    caughtBy: "test/interface/publish-waiting.test.ts",
  },
  {
    name: "lets an editor override errors of the publish check",
    file: "packages/server/modules/publish/jobs/publish.ts",
    find: 'await getProject(ctx.tx, ctx.scope, projectId, force ? "own" : undefined);',
    replace: "await getProject(ctx.tx, ctx.scope, projectId, force ? undefined : undefined);",
    caughtBy: "test/interface/publish-force.test.ts",
  },
  {
    name: "answers a request with force with a running job without it",
    file: "packages/server/modules/publish/jobs/publish.ts",
    find: "if (force && !job.forced) {",
    replace: "if (force && job.forced) {",
    caughtBy: "test/interface/publish-force.test.ts",
  },
  {
    name: "cancels the scheduled publication of the other environment",
    file: "packages/server/modules/publish/jobs/publish.ts",
    find: "one.environment === (environment ?? one.environment),",
    replace: "one.environment !== environment,",
    caughtBy: "test/interface/publish-waiting.test.ts",
  },
  {
    name: "writes the served file of a job that a newer publication overtook",
    file: "packages/server/modules/publish/jobs/upload.ts",
    find: "if (running && newest?.version === job.version) await putPrepared(app.objects, coded);",
    replace:
      "if (running || newest?.version === job.version) await putPrepared(app.objects, coded);",
    caughtBy: "packages/server/modules/publish/jobs/run.test.ts",
  },
  {
    name: "sets the live version for a publication to staging",
    file: "packages/server/modules/publish/jobs/upload.ts",
    find: '  if (environment !== "production") return;\n',
    replace: "",
    caughtBy: "test/interface/publish-versions.test.ts",
  },
  {
    name: "retries a job as if the last attempt had not failed",
    file: "packages/server/modules/publish/jobs/run.ts",
    find: "if (!fault && !isLast) throw error;",
    replace: "if (!fault && isLast) throw error;",
    caughtBy: "packages/server/modules/publish/jobs/run.test.ts",
  },
  {
    name: "allows a file one byte larger than the plan",
    file: "packages/server/modules/publish/content/limits.ts",
    find: "size <= plan.fileBytesMax) return [];",
    replace: "size <= plan.fileBytesMax + 1) return [];",
    caughtBy: "packages/server/modules/publish/content/content.test.ts",
  },
  {
    name: "allows one configuration more than the plan",
    file: "packages/server/modules/publish/content/limits.ts",
    find: "count <= plan.configurationsMax) return [];",
    replace: "count <= plan.configurationsMax + 1) return [];",
    caughtBy: "packages/server/modules/publish/content/content.test.ts",
  },
  {
    name: "does not await the search for lost files of an unchanged publication",
    file: "packages/server/modules/publish/jobs/run.ts",
    find: "(await areFilesIntact(app, active))",
    replace: "areFilesIntact(app, active)",
    caughtBy: "test/interface/publish-again.test.ts",
  },
];
