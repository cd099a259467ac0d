import { readProject } from "../../data/projects/project.ts";
import { words } from "../../words/words.ts";
import { People } from "./people.tsx";

/** The members of a project. */
export default function Team({ projectId = "" }: { projectId?: string }) {
  const { team } = words.value;
  return (
    <People
      target={{ collection: "projects", id: projectId }}
      lead={team.lead}
      onLoad={() => readProject(projectId)}
    />
  );
}
