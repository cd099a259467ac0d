import { paths } from "@avow/contract/urls";
import { Type } from "typebox";
import { toScope } from "../../../kernel/actor.ts";
import type { Http } from "../../../http/http.ts";
import { rolesThatAllow } from "../documents/access.ts";
import { listGroups } from "./groups-store.ts";
import type { VaultApp } from "../documents/vault.ts";

const GROUPS_LISTED_MAX = 1_000;
const GroupsOut = Type.Array(
  Type.Object(
    { name: Type.String(), projects: Type.Integer({ description: "Projects that have it." }) },
    { title: "SiteGroup" },
  ),
);

/** Registers the list of the groups of the caller's projects. */
export function registerGroupRoute(http: Http, { db }: Pick<VaultApp, "db">): void {
  http.get(
    paths.groups,
    {
      schema: {
        tags: ["vault"],
        operationId: "listGroups",
        summary: "List the groups of the projects that you may see",
        description:
          "By name, the first 1,000. `GET /v1/vault/projects?groups=` lists the projects of a group.",
        response: { 200: GroupsOut },
      },
    },
    (req) => {
      const scope = toScope(req.actor);
      return listGroups(db, scope, { held: rolesThatAllow(scope), limit: GROUPS_LISTED_MAX });
    },
  );
}
