import { useState } from "preact/hooks";
import type { Addition } from "../../data/projects/additions.ts";
import { removeMember } from "../../data/projects/members.ts";
import { toDay } from "../../browser/format.ts";
import { toHref } from "../../browser/router.ts";
import { me } from "../../data/session.ts";
import { Confirm } from "../../ui/forms/confirm.tsx";
import { DangerLink } from "../../ui/forms/danger-link.tsx";
import { Card } from "../../ui/parts.tsx";
import { notify } from "../../ui/toast.tsx";
import { organizationWords } from "../../words/organizations/words.ts";
import { words } from "../../words/words.ts";

interface AdditionsProps {
  all: readonly Addition[];
  onLeave: () => void;
}

/** The projects and organizations that others have added the user to, to open or to leave; nothing without any. */
export function Additions({ all, onLeave }: AdditionsProps) {
  const { additions, team } = words.value;
  const texts = organizationWords.value.team;
  const [leaving, setLeaving] = useState<Addition>();
  if (all.length === 0) return null;
  return (
    <Card title={additions.title} lead={additions.lead}>
      <table class="stacked flush">
        <thead>
          <tr>
            <th scope="col">{additions.to}</th>
            <th scope="col">{team.role}</th>
            <th scope="col">{team.since}</th>
            <th scope="col" class="end">
              <span class="hidden">{texts.leave}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {all.map((one) => (
            <tr key={one.id}>
              <th scope="row">
                <a href={toHref(`/${one.collection}/${one.id}`)}>{additions.open(one.title)}</a>
              </th>
              <td data-label={team.role}>{one.roles.map((role) => team.roles[role]).join(", ")}</td>
              <td data-label={team.since}>{toDay(one.addedAt)}</td>
              <td class="end">
                <DangerLink text={texts.leave} of={one.title} onClick={() => setLeaving(one)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
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
