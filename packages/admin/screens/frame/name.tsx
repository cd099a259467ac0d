import { titles } from "../../data/projects/project.ts";

/** The title of a project, as soon as a screen has read it. */
export function ProjectName({ id }: { id: string }) {
  return <>{titles.value[id] ?? "…"}</>;
}
