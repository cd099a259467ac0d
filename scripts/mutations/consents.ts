import type { Mutation } from "./mutation.ts";

export const consents: readonly Mutation[] = [
  {
    name: "drops the project from the scope of a list of consents",
    file: "server/modules/consents/store.ts",
    find: '    .selectFrom("consents")\n    .where("project_id", "=", filter.projectId)\n',
    replace: '    .selectFrom("consents")\n',
    caughtBy: "test/interface/app-reads.test.ts",
  },
  {
    name: "includes the last id of a page in the next one",
    file: "server/modules/consents/store.ts",
    find: '    .selectAll()\n    .$if(after !== undefined, (q) => q.where("id", order === "asc" ? ">" : "<", after ?? ""))',
    replace:
      '    .selectAll()\n    .$if(after !== undefined, (q) => q.where("id", order === "asc" ? ">=" : "<=", after ?? ""))',
    caughtBy: "test/interface/app-reads.test.ts",
  },
  {
    name: "answers a consent whose group failed as stored",
    file: "server/modules/consents/collector.ts",
    find: "    if (outcome instanceof Error) {",
    replace: "    if (outcome instanceof TypeError) {",
    caughtBy: "test/interface/app-groups.test.ts",
  },
  {
    name: "lets the queue of consents grow past its limit",
    file: "server/modules/consents/collector.ts",
    find: "waitingCount >= queueMax ||",
    replace: "waitingCount > 2 * queueMax ||",
    caughtBy: "test/interface/app-groups.test.ts",
  },
  {
    name: "keeps the start of an answer that had expired",
    file: "server/modules/consents/states.ts",
    find: "    !isExpired(before, createdAt);",
    replace: "    isExpired(before, createdAt) !== undefined;",
    caughtBy: "server/modules/consents/states.test.ts",
  },
  {
    name: "reports a refusal after an acceptance as refused, not withdrawn",
    file: "server/modules/consents/states.ts",
    find: 'before.answer === "refused" ? "refused" : "withdrawn"',
    replace: 'before.answer !== "withdrawn" ? "refused" : "withdrawn"',
    caughtBy: "server/modules/consents/states.test.ts",
  },
  {
    name: "reports an answer to a different question as still valid",
    file: "server/modules/consents/states.ts",
    find: 'if (offer && !isCovered(offer, state)) return "superseded";',
    replace: "",
    caughtBy: "test/interface/publish-materiality.test.ts",
  },
  {
    name: "stores the query of the page's URL",
    file: "server/modules/consents/records.ts",
    find: "url: url && url.origin + url.pathname,",
    replace: "url: url && url.origin + url.pathname + url.search,",
    caughtBy: "test/interface/app.test.ts",
  },
  {
    name: "allows a batch one configuration more than the limit",
    file: "server/modules/consents/batch.ts",
    find: "const named = [...new Set(identifiers)].slice(0, CONFIGURATIONS_MAX);",
    replace: "const named = [...new Set(identifiers)].slice(0, CONFIGURATIONS_MAX + 1);",
    caughtBy: "test/interface/app-bounds.test.ts",
  },
  {
    name: "gives a visitor a link although the project gives none",
    file: "server/modules/consents/links.ts",
    find: "return personPage?.visitorLinks !== false;",
    replace: "return personPage !== null;",
    caughtBy: "test/interface/person-links.test.ts",
  },
  {
    name: "revokes a link of a project that the caller cannot see",
    file: "server/modules/consents/links.ts",
    find: "  await getProject(tx, ctx.scope, projectId);\n  const token = await findLinkToken",
    replace: "  const token = await findLinkToken",
    caughtBy: "test/interface/person-links.test.ts",
  },
  {
    name: "lists forms of projects where the caller has no right to read",
    file: "server/modules/client/store.ts",
    find: '.where(sql<boolean>`roles && ${sql.val([...rolesFor("read")])}::text[]`)',
    replace: "",
    caughtBy: "test/interface/client-roles.test.ts",
  },
];
