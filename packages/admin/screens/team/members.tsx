import { asProblem } from "../../api/problem.ts";
import { type Member, toMemberName } from "../../data/projects/members.ts";
import type { Role } from "../../data/projects/project.ts";
import { toDay } from "../../browser/format.ts";
import { me } from "../../data/session.ts";
import { toFaultText } from "../../ui/forms/faults.tsx";
import { Badge } from "../../ui/parts.tsx";
import type { Column } from "../../ui/table/table.tsx";
import { notify } from "../../ui/toast.tsx";
import { DangerLink } from "../../ui/forms/danger-link.tsx";
import { organizationWords } from "../../words/organizations/words.ts";
import { accountWords } from "../../words/account/words.ts";
import { words } from "../../words/words.ts";

const order: readonly Role[] = ["owner", "editor", "viewer", "auditor"];

interface MembersProps {
  isOwner: boolean;
  onChange: (member: Member, role: Role) => Promise<void>;
  onRemove: (member: Member) => void;
}

/** The columns of the members of a project or an organization. A change of a role that fails is shown and taken back. */
export function toColumns({
  isOwner,
  onChange,
  onRemove,
}: MembersProps): readonly Column<Member>[] {
  const { team } = words.value;
  const change = async (member: Member, role: Role): Promise<boolean> => {
    try {
      await onChange(member, role);
      return true;
    } catch (error) {
      notify(toFaultText(asProblem(error)));
      return false;
    }
  };
  return [
    {
      id: "person",
      title: team.person,
      order: toMemberName,
      text: (member) => `${toMemberName(member)} ${member.email ?? ""}`,
      cell: (member) => <Person member={member} />,
    },
    {
      id: "role",
      title: team.role,
      order: (member) => order.indexOf(toRole(member)),
      text: (member) => team.roles[toRole(member)],
      cell: (member) => <RoleOf member={member} isOwner={isOwner} onChange={change} />,
    },
    {
      id: "since",
      title: team.since,
      order: ({ addedAt }) => addedAt,
      text: ({ addedAt }) => toDay(addedAt),
    },
    {
      id: "remove",
      title: team.remove,
      isActions: true,
      cell: (member) =>
        mayRemove(member, isOwner) && (
          <DangerLink
            text={isSelf(member) ? organizationWords.value.team.leave : team.remove}
            of={isSelf(member) ? undefined : toMemberName(member)}
            onClick={() => onRemove(member)}
          />
        ),
    },
  ];
}

function Person({ member }: { member: Member }) {
  const { team } = words.value;
  return (
    <>
      <strong>{toMemberName(member)}</strong> {isSelf(member) && <Badge>{team.you}</Badge>}{" "}
      {member.displayName === null && <Badge>{team.unopened}</Badge>}{" "}
      {member.email !== null && !member.emailConfirmed && (
        <Badge tone="warn">{accountWords.value.emailUnconfirmed}</Badge>
      )}
      <span class="soft under">{member.email}</span>
    </>
  );
}

function isSelf({ userId }: Member): boolean {
  return userId === me.value?.id;
}

/** Owners can remove others; every member can leave. */
function mayRemove(member: Member, isOwner: boolean): boolean {
  return member.inheritedFrom === undefined && (isOwner || isSelf(member));
}

function toRole({ roles }: Member): Role {
  return order.find((role) => roles.includes(role)) ?? "viewer";
}

interface RoleProps {
  member: Member;
  isOwner: boolean;
  /** Returns whether the change succeeded. */
  onChange: (member: Member, role: Role) => Promise<boolean>;
}

function RoleOf({ member, isOwner, onChange }: RoleProps) {
  const { team } = words.value;
  const held = toRole(member);
  const change = async (role: Role, select: HTMLSelectElement): Promise<void> => {
    if (!(await onChange(member, role))) select.value = held;
  };
  if (!isOwner || member.inheritedFrom !== undefined)
    return (
      <span>
        {team.roles[held]}
        {member.inheritedFrom !== undefined && <span class="soft"> {team.inherited}</span>}
      </span>
    );
  return (
    <select
      class="inline"
      aria-label={`${team.role}, ${toMemberName(member)}`}
      value={held}
      onChange={({ currentTarget: select }) => {
        const role = order.find((one) => one === select.value);
        if (role) void change(role, select);
      }}
    >
      {order.map((role) => (
        <option key={role} value={role}>
          {team.roles[role]}
        </option>
      ))}
    </select>
  );
}
