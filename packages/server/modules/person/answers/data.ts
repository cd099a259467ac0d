import { hrefOf, paths } from "@avow/contract/urls";
import { findErasureRequest } from "../../consents/erase/requests.ts";
import { type Link, isVisitorLink, listLinksOfToken } from "../../consents/links/links.ts";
import { listRecordsAfter } from "../../consents/read/registry.ts";
import { toConsent } from "../../consents/records/consent-out.ts";
import { listTokenState } from "../../consents/states/token-state.ts";
import { getProject } from "../../vault/documents/access.ts";
import type { PersonApp } from "./ports.ts";

/** Maximum records of a download, and the size of the pages that they are read in. */
const RECORDS_MAX = 1_000;
const PAGE = 200;

/**
 * Everything that is stored about a token in its project, for access and portability (GDPR, articles 15 and 20): the
 * current answers, the records as the interface returns them, the links to the page, and a request for erasure.
 * `isComplete` is false beyond 1,000 records or the first page of answers.
 * @throws Fault not-found if the project was deleted
 */
export async function readData(
  { db, data, now, publicUrl }: Pick<PersonApp, "db" | "data" | "now" | "publicUrl">,
  { projectId, token }: Pick<Link, "projectId" | "token">,
) {
  const readAt = now();
  const { body } = await getProject(db, { kind: "system" }, projectId);
  const query = { projectId, token, now: readAt, at: undefined, named: [], cursor: undefined };
  const state = await listTokenState({ db, data }, query);
  const records = [];
  let cursor: string | undefined = "";
  while (cursor !== undefined && records.length < RECORDS_MAX) {
    const window = { order: "desc", limit: PAGE, cursor } as const;
    const page = await listRecordsAfter(data, { projectId, token }, window);
    records.push(...page.items.map((record) => toConsent(record, publicUrl)));
    cursor = page.next;
  }
  const request = await findErasureRequest(data, { projectId, token });
  return {
    readAt: readAt.toISOString(),
    isComplete: state.next === undefined && cursor === undefined,
    project: { id: projectId, title: body.title, website: body.websiteURL },
    token,
    answers: state.items.flatMap(({ collection, identifier, item, name, status, state: own }) =>
      own ? [{ collection, identifier, item, name, status, since: own.since.toISOString() }] : [],
    ),
    records: records.map(({ links, _id, ...record }) => ({ ...record, proof: links["proof"] })),
    links: (await listLinksOfToken(data, { projectId, token }, readAt)).map((link) => ({
      id: link.id,
      createdAt: link.createdAt.toISOString(),
      createdBy: isVisitorLink(link) ? "visitor" : "site",
      expiresAt: link.expiresAt.toISOString(),
    })),
    erasureRequest: request && {
      requestedAt: request.requestedAt.toISOString(),
      dueAt: request.dueAt.toISOString(),
      declinedAt: request.declinedAt?.toISOString(),
    },
    verifier: hrefOf(publicUrl, paths.verifier, {}),
  };
}
