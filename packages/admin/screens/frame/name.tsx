import { titles } from "../../data/projects/project.ts";

/** The title of a project, once a screen has loaded it. */
export function ProjectName({ id }: { id: string }) {
  return <>{titles.value[id] ?? "…"}</>;
}
