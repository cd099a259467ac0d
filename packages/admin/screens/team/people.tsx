import { useState } from "preact/hooks";
import { invite, listProviders } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import {
  type Member,
  type Target,
  isLastOwner,
  ownsOrganization,
  putRole,
  readMembers,
  removeMember,
  toMemberName,
} from "../../data/projects/members.ts";
import type { Role } from "../../data/projects/project.ts";
import { forgetRoles } from "../../data/projects/rights.ts";
import { useLoad } from "../../data/use-load.ts";
import { go, takeParameter, toHref } from "../../browser/router.ts";
import { me } from "../../data/session.ts";
import { Confirm } from "../../ui/forms/confirm.tsx";
import { Dialog } from "../../ui/forms/dialog.tsx";
import { Choice, Field, Form } from "../../ui/forms/form.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Page } from "../../ui/page.tsx";
import { Copyable } from "../../ui/parts.tsx";
import { DataTable } from "../../ui/table/data-table.tsx";
import { useTableView } from "../../ui/table/table-view.ts";
import { notify } from "../../ui/toast.tsx";
import { organizationWords } from "../../words/organizations/words.ts";
import { words } from "../../words/words.ts";
import { Invitations } from "./invitations.tsx";
import { toColumns } from "./members.tsx";

const roles: readonly Role[] = ["viewer", "editor", "auditor", "owner"];

interface PeopleProps {
  target: Target;
  lead: string;
  /** Also reads the target and its organization. */
  onLoad: () => Promise<{ id: string; organizationId?: string | null }>;
}

/** The members and invitations of a project or an organization. Owners manage them; every member can leave. */
export function People({ target, lead, onLoad }: PeopleProps) {
  const { team } = words.value;
  const view = useTableView({ name: "team" });
  // The command palette opens the dialog with the screen.
  const [isInviting, setInviting] = useState(() => takeParameter("invite") !== undefined);
  const [removing, setRemoving] = useState<Member>();
  // The invitations are reloaded when it changes.
  const [revision, setRevision] = useState(0);
  const loaded = useLoad(async () => {
    const { organizationId = null } = await onLoad();
    // A project of an organization always has the organization's owners.
    const keepsOwner = organizationId === null;
    // Only the organization's owners manage its projects' members.
    const isDecided = organizationId === null || (await ownsOrganization(organizationId));
    return { all: await readMembers(target), keepsOwner, isDecided };
  }, [target.id]);
  const {
    all: members,
    keepsOwner,
    isDecided,
  } = loaded.state === "ready" ? loaded.value : { all: [], keepsOwner: true, isDecided: false };
  const own = members.find(({ userId }) => userId === me.value?.id);
  const isOwner = isDecided && (own?.roles.includes("owner") ?? false);
  const change = async (member: Member, role: Role): Promise<void> => {
    const { userId, roles: before } = member;
    await putRole(target, userId, role);
    loaded.reload();
    const [only] = before;
    // Users who lower their own role cannot raise it again.
    if (userId === me.peek()?.id) return forgetRoles(target.id);
    const undo = async (): Promise<void> => {
      if (only !== undefined) await putRole(target, userId, only);
      loaded.reload();
    };
    const text = team.roleChanged(toMemberName(member), team.roles[role]);
    notify(text, before.length === 1 ? undo : undefined);
  };
  const button = (
    <button type="button" class="button primary" onClick={() => setInviting(true)}>
      <Icon name="plus" />
      {team.invite}
    </button>
  );
  return (
    <Page title={team.title} lead={lead} actions={isOwner && button}>
      <DataTable
        caption={team.title}
        view={view}
        columns={toColumns({ isOwner, onChange: change, onRemove: setRemoving })}
        loaded={loaded}
        toRows={({ all }) => all}
        toKey={({ userId }) => userId}
        toName={toMemberName}
        lines={3}
        empty={() => null}
      />
      {isOwner && <Invitations target={target} revision={revision} />}
      {isInviting && isOwner && (
        <Invite
          target={target}
          onClose={() => setInviting(false)}
          onDone={() => setRevision((now) => now + 1)}
        />
      )}
      {removing && (
        <Remove
          target={target}
          member={removing}
          isLast={keepsOwner && isLastOwner(members, removing)}
          onClose={() => setRemoving(undefined)}
          onDone={loaded.reload}
        />
      )}
    </Page>
  );
}

interface InviteProps {
  target: Target;
  onClose: () => void;
  onDone: () => void;
}

function Invite({ target, onClose, onDone }: InviteProps) {
  const { team, auth, app } = words.value;
  const [unmailed, setUnmailed] = useState<{ email: string; url: string; isBound: boolean }>();
  const providers = useLoad(() => send(listProviders), []);
  // Each person of an organization with its own sign-in has an account there, with a confirmed address.
  const isOfOrganization =
    providers.state === "ready" && providers.value.some(({ ofOrganization }) => ofOrganization);
  if (unmailed)
    return (
      <Dialog
        title={team.unmailedTitle}
        lead={team.unmailedLead(unmailed.email, unmailed.isBound)}
        onClose={onClose}
      >
        <Copyable text={unmailed.url} label={team.unmailedLink} />
        <div class="form-end">
          <button type="button" class="button primary" onClick={onClose}>
            {app.close}
          </button>
        </div>
      </Dialog>
    );
  return (
    <Dialog title={team.inviteTitle} lead={team.inviteLead} onClose={onClose}>
      <Form
        submit={team.inviteButton}
        onSubmit={async ({ email = "", role = "", acceptance }) => {
          const chosen = roles.find((one) => one === role) ?? "viewer";
          const boundToAddress = acceptance === "address";
          const body = { email, role: chosen, data: target, boundToAddress };
          const made = await send(invite, { body });
          onDone();
          if (!made.mailed) {
            const url = toLink(made.invitationToken.value);
            return setUnmailed({ email, url, isBound: boundToAddress });
          }
          notify(team.invited(email));
          onClose();
        }}
      >
        <Field name="email" label={auth.email} type="email" autoComplete="off" required />
        <Choice
          name="role"
          label={team.role}
          options={roles.map((role) => [role, `${team.roles[role]}: ${team.roleHints[role]}`])}
        />
        <Choice
          key={providers.state}
          name="acceptance"
          label={team.acceptance}
          value={isOfOrganization ? "address" : "anyone"}
          options={[
            ["anyone", team.acceptances.anyone],
            ["address", team.acceptances.address],
          ]}
        />
      </Form>
    </Dialog>
  );
}

/** The address of an invitation, as its e-mail has it. */
function toLink(token: string): string {
  return new URL(toHref(`/invitation?token=${encodeURIComponent(token)}`), location.href).href;
}

interface RemoveProps {
  target: Target;
  member: Member;
  isLast: boolean;
  onClose: () => void;
  onDone: () => void;
}

/** Removes a member, or leaves. */
function Remove({ target, member, isLast, onClose, onDone }: RemoveProps) {
  const { team } = words.value;
  const texts = organizationWords.value.team;
  const { collection, id } = target;
  const isSelf = member.userId === me.value?.id;
  const ofOther = collection === "projects" ? team : texts;
  return (
    <Confirm
      title={isSelf ? texts.leaveTitle[collection] : ofOther.removeTitle(toMemberName(member))}
      text={isSelf ? texts.leaveText[collection] : ofOther.removeText}
      submit={isSelf ? texts.leave : team.remove}
      isDanger
      refusal={isLast ? texts.lastOwner : undefined}
      onConfirm={async () => {
        await removeMember(target, member.userId);
        onClose();
        if (!isSelf) return onDone();
        notify(texts.left);
        go(`/${collection}`, { replace: true });
        forgetRoles(id);
      }}
      onClose={onClose}
    />
  );
}
