import { useState } from "preact/hooks";
import {
  addProjectUser,
  invite,
  listProjectUsers,
  removeProjectUser,
} from "../../api/interface.ts";
import { send } from "../../api/send.ts";
import { type Role, readProject } from "../../data/project.ts";
import { useLoad } from "../../data/use-load.ts";
import { me } from "../../session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Choice, Field, Form } from "../../ui/form.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Page } from "../../ui/page.tsx";
import { Shown } from "../../ui/shown.tsx";
import { tell } from "../../ui/toast.tsx";
import { words } from "../../words/words.ts";
import { type Member, Members } from "./members.tsx";

const roles: readonly Role[] = ["viewer", "editor", "auditor", "owner"];

/** Who may see and change a project; owners change that. */
export default function Team({ projectId = "" }: { projectId?: string }) {
  const { team } = words.value;
  const [isInviting, setInviting] = useState(false);
  const [leaving, setLeaving] = useState<Member>();
  const path = { documentId: projectId };
  const loaded = useLoad(async () => {
    await readProject(projectId);
    return send(listProjectUsers, { path });
  }, [projectId]);
  const members = loaded.state === "ready" ? loaded.value : [];
  const own = members.find(({ userId }) => userId === me.value?.id);
  const isOwner = own?.roles.includes("owner") ?? false;
  const change = async ({ userId }: Member, role: Role): Promise<void> => {
    await send(addProjectUser, { path, body: { userId, roles: [role] } });
    loaded.reload();
  };
  const button = (
    <button type="button" class="button primary" onClick={() => setInviting(true)}>
      <Icon name="plus" />
      {team.invite}
    </button>
  );
  return (
    <Page title={team.title} lead={team.lead} actions={isOwner && button}>
      <Shown of={loaded}>
        {(all) => <Members all={all} isOwner={isOwner} onChange={change} onRemove={setLeaving} />}
      </Shown>
      {isInviting && <Invite projectId={projectId} onClose={() => setInviting(false)} />}
      {leaving && (
        <Remove
          member={leaving}
          projectId={projectId}
          onClose={() => setLeaving(undefined)}
          onDone={loaded.reload}
        />
      )}
    </Page>
  );
}

function Invite({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const { team, auth } = words.value;
  return (
    <Dialog title={team.inviteTitle} lead={team.inviteLead} onClose={onClose}>
      <Form
        submit={team.inviteButton}
        onSubmit={async ({ email = "", role = "" }) => {
          const chosen = roles.find((one) => one === role) ?? "viewer";
          const data = { collection: "projects", id: projectId } as const;
          await send(invite, { body: { email, role: chosen, data } });
          tell(team.invited(email));
          onClose();
        }}
      >
        <Field name="email" label={auth.email} type="email" autoComplete="off" required />
        <Choice
          name="role"
          label={team.role}
          options={roles.map((role) => [role, `${team.roles[role]}: ${team.roleHints[role]}`])}
        />
      </Form>
    </Dialog>
  );
}

interface RemoveProps {
  member: Member;
  projectId: string;
  onClose: () => void;
  onDone: () => void;
}

function Remove({ member, projectId, onClose, onDone }: RemoveProps) {
  const { team, app } = words.value;
  return (
    <Dialog title={team.removeTitle(member.displayName)} lead={team.removeText} onClose={onClose}>
      <Form
        submit={team.remove}
        isDanger
        aside={
          <button type="button" class="button ghost" onClick={onClose}>
            {app.cancel}
          </button>
        }
        onSubmit={async () => {
          const path = { documentId: projectId, userId: member.userId };
          await send(removeProjectUser, { path });
          onClose();
          onDone();
        }}
      />
    </Dialog>
  );
}
