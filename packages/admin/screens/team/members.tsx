import { useState } from "preact/hooks";
import { type Problem } from "@avow/client/problem";
import { asProblem } from "../../api/problem.ts";
import { type Member, toMemberName } from "../../data/projects/members.ts";
import type { Role } from "../../data/projects/project.ts";
import { toDay } from "../../browser/format.ts";
import { me } from "../../data/session.ts";
import { FaultNote } from "../../ui/forms/faults.tsx";
import { Badge } from "../../ui/parts.tsx";
import { DangerLink } from "../../ui/forms/danger-link.tsx";
import { organizationWords } from "../../words/organizations/words.ts";
import { accountWords } from "../../words/account/words.ts";
import { words } from "../../words/words.ts";

const order: readonly Role[] = ["owner", "editor", "viewer", "auditor"];

interface MembersProps {
  all: readonly Member[];
  isOwner: boolean;
  onChange: (member: Member, role: Role) => Promise<void>;
  onRemove: (member: Member) => void;
}

/** The members of a project or an organization with their roles. */
export function Members({ all, isOwner, onChange, onRemove }: MembersProps) {
  const { team } = words.value;
  const account = accountWords.value;
  const [problem, setProblem] = useState<Problem>();
  const change = async (member: Member, role: Role): Promise<boolean> => {
    setProblem(undefined);
    try {
      await onChange(member, role);
      return true;
    } catch (error) {
      setProblem(asProblem(error));
      return false;
    }
  };
  return (
    <>
      {problem && <FaultNote problem={problem} />}
      <div class="table-card">
        <table class="stacked">
          <thead>
            <tr>
              <th scope="col">{team.person}</th>
              <th scope="col">{team.role}</th>
              <th scope="col">{team.since}</th>
              <th scope="col" class="end">
                <span class="hidden">{team.remove}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {all.map((member) => (
              <tr key={member.userId}>
                <th scope="row">
                  <strong>{toMemberName(member)}</strong>{" "}
                  {member.userId === me.value?.id && <Badge>{team.you}</Badge>}{" "}
                  {member.displayName === null && <Badge>{team.unopened}</Badge>}{" "}
                  {member.email !== null && !member.emailConfirmed && (
                    <Badge tone="warn">{account.emailUnconfirmed}</Badge>
                  )}
                  <span class="soft under">{member.email}</span>
                </th>
                <td data-label={team.role}>
                  <RoleOf member={member} isOwner={isOwner} onChange={change} />
                </td>
                <td data-label={team.since}>{toDay(member.addedAt)}</td>
                <td class="end">
                  <Removal member={member} isOwner={isOwner} onRemove={onRemove} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** Owners can remove others; every member can leave. */
function Removal({
  member,
  isOwner,
  onRemove,
}: Omit<MembersProps, "all" | "onChange"> & { member: Member }) {
  const isSelf = member.userId === me.value?.id;
  if (member.inheritedFrom !== undefined || !(isOwner || isSelf)) return null;
  return (
    <DangerLink
      text={isSelf ? organizationWords.value.team.leave : words.value.team.remove}
      of={isSelf ? undefined : toMemberName(member)}
      onClick={() => onRemove(member)}
    />
  );
}

interface RoleProps {
  member: Member;
  isOwner: boolean;
  /** Returns whether the change succeeded. */
  onChange: (member: Member, role: Role) => Promise<boolean>;
}

function RoleOf({ member, isOwner, onChange }: RoleProps) {
  const { team } = words.value;
  const held = order.find((role) => member.roles.includes(role)) ?? "viewer";
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
