import { listClientProjects } from "../api/interface.ts";
import { send } from "../api/send.ts";

/** As many as a page has. */
const PROJECTS_MAX = 1_000;

/** What the projects are called that whoever is signed in sees in any role, by id and title. @throws Problem */
export async function readProjectNames(): Promise<readonly (readonly [string, string])[]> {
  const all = await send(listClientProjects, { query: { perPage: PROJECTS_MAX } });
  return all.map(({ id, name }) => [id, name] as const);
}
