import { useState } from "preact/hooks";
import { type InvitationItem, withdrawInvitation } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { type Target, readInvitations } from "../../data/projects/members.ts";
import { useLoad } from "../../data/use-load.ts";
import { toDay } from "../../browser/format.ts";
import { Confirm } from "../../ui/forms/confirm.tsx";
import { Pager, usePage } from "../../ui/pager.tsx";
import { Card } from "../../ui/parts.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { type Column, Table } from "../../ui/table/table.tsx";
import { notify } from "../../ui/toast.tsx";
import { DangerLink } from "../../ui/forms/danger-link.tsx";
import { organizationWords } from "../../words/organizations/words.ts";
import { words } from "../../words/words.ts";

const PER_PAGE = 10;

interface InvitationsProps {
  target: Target;
  /** The list is reloaded when it changes. */
  revision: number;
}

/** Pending invitations, for owners; nothing if there are none. */
export function Invitations({ target, revision }: InvitationsProps) {
  const texts = organizationWords.value.team;
  const [page, setPage] = usePage();
  const [removing, setRemoving] = useState<InvitationItem>();
  const loaded = useLoad(
    () => readInvitations(target, { page, perPage: PER_PAGE }),
    [target.id, page, revision],
  );
  // Most teams have none: a loading state would only flash.
  if (loaded.state === "loading") return null;
  if (loaded.state === "ready" && loaded.value.total === 0) return null;
  return (
    <Card title={texts.invitations} lead={texts.invitationsLead}>
      <LoadView of={loaded}>
        {({ all, total }) => (
          <>
            <Table
              caption={texts.invitations}
              columns={toColumns(setRemoving)}
              rows={all}
              toKey={({ id }) => id}
              isFlush
            />
            <Pager page={page} perPage={PER_PAGE} total={total} onPage={setPage} />
          </>
        )}
      </LoadView>
      {removing && (
        <Confirm
          title={texts.withdrawTitle(removing.email)}
          text={texts.withdrawText}
          submit={texts.withdraw}
          isDanger
          onConfirm={async () => {
            await send(withdrawInvitation, { path: { token: removing.id } });
            setRemoving(undefined);
            notify(texts.withdrawn);
            setPage(1);
            loaded.reload();
          }}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </Card>
  );
}

function toColumns(
  onWithdraw: (invitation: InvitationItem) => void,
): readonly Column<InvitationItem>[] {
  const { team } = words.value;
  const texts = organizationWords.value.team;
  return [
    { id: "address", title: texts.address, text: ({ email }) => email },
    { id: "role", title: team.role, text: ({ role }) => team.roles[role] },
    { id: "by", title: texts.by, text: ({ invitedBy }) => invitedBy.displayName },
    { id: "ends", title: texts.ends, text: ({ expiration }) => toDay(expiration) },
    {
      id: "withdraw",
      title: texts.withdraw,
      isActions: true,
      cell: (one) => (
        <DangerLink text={texts.withdraw} of={one.email} onClick={() => onWithdraw(one)} />
      ),
    },
  ];
}
