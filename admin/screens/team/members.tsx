import { useState } from "preact/hooks";
import { type Problem, asProblem } from "../../api/problem.ts";
import type { Role } from "../../data/project.ts";
import { toDay } from "../../format.ts";
import { me } from "../../session.ts";
import { FaultNote } from "../../ui/faults.tsx";
import { Badge } from "../../ui/parts.tsx";
import { words } from "../../words/words.ts";

/** Somebody with roles on a project. */
export interface Member {
  userId: string;
  email: string | null;
  emailConfirmed: boolean;
  displayName: string;
  roles: readonly Role[];
  addedAt: string;
  inheritedFrom?: string;
}

const order: readonly Role[] = ["owner", "editor", "viewer", "auditor"];

interface MembersProps {
  all: readonly Member[];
  isOwner: boolean;
  onChange: (member: Member, role: Role) => Promise<void>;
  onRemove: (member: Member) => void;
}

/** The people of a project, with what each is to it. */
export function Members({ all, isOwner, onChange, onRemove }: MembersProps) {
  const { team, account } = words.value;
  const [problem, setProblem] = useState<Problem>();
  const change = async (member: Member, role: Role): Promise<void> => {
    setProblem(undefined);
    try {
      await onChange(member, role);
    } catch (error) {
      setProblem(asProblem(error));
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
                  <strong>{member.displayName}</strong>{" "}
                  {member.userId === me.value?.id && <Badge>{team.you}</Badge>}{" "}
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
                  {isOwner && member.inheritedFrom === undefined && (
                    <button type="button" class="link danger" onClick={() => onRemove(member)}>
                      {team.remove}
                      <span class="hidden"> {member.displayName}</span>
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

interface RoleProps {
  member: Member;
  isOwner: boolean;
  onChange: (member: Member, role: Role) => Promise<void>;
}

function RoleOf({ member, isOwner, onChange }: RoleProps) {
  const { team } = words.value;
  const held = order.find((role) => member.roles.includes(role)) ?? "viewer";
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
      aria-label={`${team.role}, ${member.displayName}`}
      value={held}
      onChange={(event) => {
        const role = order.find((one) => one === event.currentTarget.value);
        if (role) void onChange(member, role);
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
