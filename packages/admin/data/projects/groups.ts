import { listGroups } from "@avow/client/operations";
import { GROUPS_MAX, GROUP_LENGTH_MAX } from "@avow/contract/groups";
import { Problem } from "@avow/client/problem";
import { asProblem } from "../../api/problem.ts";
import { send } from "../../api/send.ts";
import { sitesWords } from "../../words/sites/words.ts";
import { type Doc, patchDocument, readDocument } from "../documents/documents.ts";
import { toGroupsOf } from "./project.ts";

const ATTEMPTS = 3;

/** The names of the groups of all projects that the user may read. @throws Problem */
export async function readGroupNames(): Promise<readonly string[]> {
  return (await send(listGroups, undefined)).map(({ name }) => name);
}

/**
 * Changes the groups of a project; a change by somebody else in the meantime is kept.
 * @throws Problem, invalid at `/field` when the project would have too many groups or too long a name
 */
export async function changeGroups(
  projectId: string,
  change: (groups: readonly string[]) => readonly string[],
  field = "groups",
): Promise<readonly string[]> {
  for (let attempt = 1; ; attempt += 1) {
    const version = await readDocument("projects", projectId);
    const groups = change(toGroupsOf(version.doc));
    const message = findGroupsFault(groups);
    if (message !== undefined)
      throw new Problem("invalid", { errors: [{ path: `/${field}`, message }] });
    try {
      const { doc }: { doc: Doc } = await patchDocument("projects", version, { groups });
      return toGroupsOf(doc);
    } catch (error) {
      if (asProblem(error).status !== 412 || attempt === ATTEMPTS) throw error;
    }
  }
}

function findGroupsFault(groups: readonly string[]): string | undefined {
  const { tooMany, tooLong } = sitesWords.value.groups;
  if (groups.length > GROUPS_MAX) return tooMany(GROUPS_MAX);
  const isLong = groups.some((name) => name.length > GROUP_LENGTH_MAX);
  return isLong ? tooLong(GROUP_LENGTH_MAX) : undefined;
}
