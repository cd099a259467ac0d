import { useState } from "preact/hooks";
import { type InvitationItem, withdrawInvitation } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { type Target, readInvitations } from "../../data/projects/members.ts";
import { useLoad } from "../../data/use-load.ts";
import { toDay } from "../../browser/format.ts";
import { Confirm } from "../../ui/forms/confirm.tsx";
import { Pager, usePage } from "../../ui/pager.tsx";
import { Card } from "../../ui/parts.tsx";
import { Shown } from "../../ui/shown.tsx";
import { tell } from "../../ui/toast.tsx";
import { DangerLink } from "../../ui/forms/danger-link.tsx";
import { organizationWords } from "../../words/organizations/words.ts";
import { words } from "../../words/words.ts";

const PER_PAGE = 10;

interface InvitationsProps {
  target: Target;
  /** Another number has them read again. */
  turn: number;
}

/** Who was invited and has not answered, for owners; nothing where nobody is. */
export function Invitations({ target, turn }: InvitationsProps) {
  const said = organizationWords.value.team;
  const [page, setPage] = usePage();
  const [leaving, setLeaving] = useState<InvitationItem>();
  const loaded = useLoad(
    () => readInvitations(target, { page, perPage: PER_PAGE }),
    [target.id, page, turn],
  );
  // Most teams wait for nobody: nothing is to be there for a moment, and to go.
  if (loaded.state === "loading") return null;
  if (loaded.state === "ready" && loaded.value.total === 0) return null;
  return (
    <Card title={said.invitations} lead={said.invitationsLead}>
      <Shown of={loaded}>
        {({ all, total }) => (
          <>
            <Table all={all} onWithdraw={setLeaving} />
            <Pager page={page} perPage={PER_PAGE} total={total} onPage={setPage} />
          </>
        )}
      </Shown>
      {leaving && (
        <Confirm
          title={said.withdrawTitle(leaving.email)}
          text={said.withdrawText}
          submit={said.withdraw}
          isDanger
          onConfirm={async () => {
            await send(withdrawInvitation, { path: { token: leaving.id } });
            setLeaving(undefined);
            tell(said.withdrawn);
            setPage(1);
            loaded.reload();
          }}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </Card>
  );
}

interface TableProps {
  all: readonly InvitationItem[];
  onWithdraw: (invitation: InvitationItem) => void;
}

function Table({ all, onWithdraw }: TableProps) {
  const { team } = words.value;
  const said = organizationWords.value.team;
  return (
    <table class="stacked flush">
      <thead>
        <tr>
          <th scope="col">{said.address}</th>
          <th scope="col">{team.role}</th>
          <th scope="col">{said.by}</th>
          <th scope="col">{said.ends}</th>
          <th scope="col" class="end">
            <span class="hidden">{said.withdraw}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {all.map((one) => (
          <tr key={one.id}>
            <th scope="row">{one.email}</th>
            <td data-label={team.role}>{team.roles[one.role]}</td>
            <td data-label={said.by}>{one.invitedBy.displayName}</td>
            <td data-label={said.ends}>{toDay(one.expiration)}</td>
            <td class="end">
              <DangerLink text={said.withdraw} of={one.email} onClick={() => onWithdraw(one)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
