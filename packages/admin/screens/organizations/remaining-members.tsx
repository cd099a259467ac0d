import { readRemainingMembers, toMemberName } from "../../data/projects/members.ts";
import { useLoad } from "../../data/use-load.ts";
import { LoadView } from "../../ui/load-view.tsx";
import { organizationWords } from "../../words/organizations/words.ts";

/** Maximum number of names; others are counted. */
const NAMED_MAX = 10;

interface RemainingMembersProps {
  projectId: string;
  /** The target organization; null: none. */
  to: string | null;
}

/** Lists the users who keep their own role on a project that is about to be moved. */
export function RemainingMembers({ projectId, to }: RemainingMembersProps) {
  const { home } = organizationWords.value;
  const loaded = useLoad(() => readRemainingMembers(projectId, to), [projectId, to]);
  return (
    <LoadView of={loaded} lines={1}>
      {(all) => {
        const named = all.slice(0, NAMED_MAX);
        const names = named.map((member) =>
          member.email === null
            ? toMemberName(member)
            : `${toMemberName(member)} (${member.email})`,
        );
        return (
          all.length > 0 && (
            <p class="note warn">
              {home.remainingMembers(names.join(", "), all.length - named.length)}
            </p>
          )
        );
      }}
    </LoadView>
  );
}
