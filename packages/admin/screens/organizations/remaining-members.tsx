import { readRemainingMembers } from "../../data/projects/members.ts";
import { useLoad } from "../../data/use-load.ts";
import { LoadView } from "../../ui/load-view.tsx";
import { organizationWords } from "../../words/organizations/words.ts";

/** As many as are named; of others their number is told. */
const NAMED_MAX = 10;

interface RemainingMembersProps {
  projectId: string;
  /** Where the project goes; null: it stands by itself. */
  to: string | null;
}

/** Who goes on seeing a project that is moved, though not by where it goes: before it is moved, its owner is told. */
export function RemainingMembers({ projectId, to }: RemainingMembersProps) {
  const { home } = organizationWords.value;
  const loaded = useLoad(() => readRemainingMembers(projectId, to), [projectId, to]);
  return (
    <LoadView of={loaded} lines={1}>
      {(all) => {
        const named = all.slice(0, NAMED_MAX);
        const names = named.map(({ displayName, email }) =>
          email === null ? displayName : `${displayName} (${email})`,
        );
        return (
          all.length > 0 && (
            <p class="note warn">{home.remainingMembers(names.join(", "), all.length - named.length)}</p>
          )
        );
      }}
    </LoadView>
  );
}
