import { type Addition as Listed, listAdditions } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import type { Target } from "./members.ts";

/** A project or an organization that others have added the user to, and that the user has not opened yet. */
export type Addition = Target & Pick<Listed, "title" | "roles" | "addedAt">;

/** Maximum number of additions that are shown. */
const ADDITIONS_MAX = 100;

/** The newest additions of the signed-in user. @throws Problem */
export async function readAdditions(): Promise<readonly Addition[]> {
  const all = await send(listAdditions, { query: { perPage: ADDITIONS_MAX } });
  return all.flatMap(({ resource, id, title, roles, addedAt }) =>
    resource === "projects" || resource === "organizations"
      ? [{ collection: resource, id, title, roles, addedAt }]
      : [],
  );
}
