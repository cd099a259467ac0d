import { useState } from "preact/hooks";
import type { Addition } from "../../data/projects/additions.ts";
import { removeMember } from "../../data/projects/members.ts";
import { toDay } from "../../browser/format.ts";
import { toHref } from "../../browser/router.ts";
import { me } from "../../data/session.ts";
import { Confirm } from "../../ui/forms/confirm.tsx";
import { DangerLink } from "../../ui/forms/danger-link.tsx";
import { Card } from "../../ui/parts.tsx";
import { type Column, Table } from "../../ui/table/table.tsx";
import { notify } from "../../ui/toast.tsx";
import { organizationWords } from "../../words/organizations/words.ts";
import { words } from "../../words/words.ts";

interface AdditionsProps {
  all: readonly Addition[];
  onLeave: () => void;
}

/** The projects and organizations that others have added the user to, to open or to leave; nothing without any. */
export function Additions({ all, onLeave }: AdditionsProps) {
  const { additions } = words.value;
  const texts = organizationWords.value.team;
  const [leaving, setLeaving] = useState<Addition>();
  if (all.length === 0) return null;
  return (
    <Card title={additions.title} lead={additions.lead}>
      <Table
        caption={additions.title}
        columns={toColumns(setLeaving)}
        rows={all}
        toKey={({ id }) => id}
        isFlush
      />
      {leaving && (
        <Confirm
          title={texts.leaveTitle[leaving.collection]}
          text={texts.leaveText[leaving.collection]}
          submit={texts.leave}
          isDanger
          onConfirm={async () => {
            await removeMember(leaving, me.peek()?.id ?? "");
            setLeaving(undefined);
            notify(texts.left);
            onLeave();
          }}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </Card>
  );
}

function toColumns(onLeave: (addition: Addition) => void): readonly Column<Addition>[] {
  const { additions, team } = words.value;
  const { leave } = organizationWords.value.team;
  return [
    {
      id: "to",
      title: additions.to,
      cell: ({ collection, id, title }) => (
        <a href={toHref(`/${collection}/${id}`)}>{additions.open(title)}</a>
      ),
    },
    {
      id: "role",
      title: team.role,
      text: ({ roles }) => roles.map((role) => team.roles[role]).join(", "),
    },
    { id: "since", title: team.since, text: ({ addedAt }) => toDay(addedAt) },
    {
      id: "leave",
      title: leave,
      isActions: true,
      cell: (one) => <DangerLink text={leave} of={one.title} onClick={() => onLeave(one)} />,
    },
  ];
}
