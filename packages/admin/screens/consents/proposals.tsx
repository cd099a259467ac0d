import { useState } from "preact/hooks";
import {
  type ErasureProposal,
  confirmErasure,
  listErasureProposals,
  rejectErasure,
} from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { readMembers, toMemberName } from "../../data/projects/members.ts";
import { me } from "../../data/session.ts";
import { useLoad } from "../../data/use-load.ts";
import { toDay, toNumber } from "../../browser/format.ts";
import { toHref } from "../../browser/router.ts";
import { Dialog } from "../../ui/forms/dialog.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { Card } from "../../ui/parts.tsx";
import { notify } from "../../ui/toast.tsx";
import { consentWords } from "../../words/consents/words.ts";
import { toTokenPath } from "./paths.ts";

const LIMIT = 100;

interface ProposalsProps {
  projectId: string;
  /** Only the proposal of this token. */
  token?: string;
  /** Whether the user may decide. */
  mayErase: boolean;
  /** Changes when a proposal was made on this screen. */
  revision?: number;
  onErased?: () => void;
}

type Decision = { proposal: ErasureProposal; isConfirmed: boolean };

/** Erasures that wait for a second person. Shows nothing if there are none. */
export function Proposals({ projectId, token, mayErase, revision, onErased }: ProposalsProps) {
  const { proposals: texts } = consentWords.value;
  const [decision, setDecision] = useState<Decision>();
  const loaded = useLoad(
    () => readProposals({ projectId, token, mayErase }),
    [projectId, token, mayErase, revision],
  );
  if (loaded.state !== "ready" || loaded.value.items.length === 0) return null;
  const { items, nameOf, hasMore } = loaded.value;
  const onDone = (): void => {
    setDecision(undefined);
    loaded.reload();
  };
  return (
    <Card title={texts.title} lead={texts.lead}>
      <div class="table-card">
        <table class="stacked">
          <thead>
            <tr>
              <th scope="col">{texts.token}</th>
              <th scope="col">{texts.by}</th>
              <th scope="col">{texts.until}</th>
              <th scope="col">{texts.due}</th>
              {mayErase && (
                <th scope="col">
                  <span class="hidden">{texts.decision}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {items.map((proposal) => (
              <Row
                key={proposal.id}
                proposal={proposal}
                name={nameOf(proposal.proposedBy)}
                mayErase={mayErase}
                onDecide={(isConfirmed) => setDecision({ proposal, isConfirmed })}
              />
            ))}
          </tbody>
        </table>
      </div>
      {hasMore && <p class="note">{texts.more}</p>}
      {decision && (
        <Decide
          {...decision}
          onDone={() => {
            onDone();
            if (decision.isConfirmed) onErased?.();
          }}
          onClose={() => setDecision(undefined)}
        />
      )}
    </Card>
  );
}

async function readProposals({
  projectId,
  token,
  mayErase,
}: Pick<ProposalsProps, "projectId" | "mayErase"> & { token: string | undefined }) {
  const query = { limit: LIMIT, ...(token === undefined ? {} : { token }) };
  const { items, links } = await send(listErasureProposals, { path: { id: projectId }, query });
  // Auditors see no members.
  const isNamed = items.length > 0 && mayErase;
  const members = isNamed ? await readMembers({ collection: "projects", id: projectId }) : [];
  const nameOf = (id: string): string => {
    const member = members.find(({ userId }) => userId === id);
    return member ? toMemberName(member) : id;
  };
  return { items, nameOf, hasMore: links.next !== undefined };
}

interface RowProps {
  proposal: ErasureProposal;
  name: string;
  mayErase: boolean;
  onDecide: (isConfirmed: boolean) => void;
}

function Row({ proposal, name, mayErase, onDecide }: RowProps) {
  const { proposals: texts } = consentWords.value;
  const { projectId, token, proposedBy, expiresAt, dueAt } = proposal;
  const isOwn = proposedBy === me.value?.id;
  return (
    <tr>
      <th scope="row" class="narrow-cell">
        <a class="code cut" href={toHref(toTokenPath(projectId, token))}>
          {token}
        </a>
      </th>
      <td data-label={texts.by}>{isOwn ? texts.you : name}</td>
      <td data-label={texts.until}>{toDay(expiresAt)}</td>
      <td data-label={texts.due}>{dueAt === undefined ? "–" : toDay(dueAt)}</td>
      {mayErase && (
        <td>
          <span class="actions">
            {!isOwn && (
              <button type="button" class="button danger" onClick={() => onDecide(true)}>
                {texts.confirm}
              </button>
            )}
            <button type="button" class="button" onClick={() => onDecide(false)}>
              {isOwn ? texts.withdraw : texts.reject}
            </button>
          </span>
        </td>
      )}
    </tr>
  );
}

interface DecideProps extends Decision {
  onDone: () => void;
  onClose: () => void;
}

function Decide({ proposal, isConfirmed, onDone, onClose }: DecideProps) {
  const { proposals: texts } = consentWords.value;
  const path = { id: proposal.projectId, proposalId: proposal.id };
  const decide = async (): Promise<void> => {
    if (isConfirmed) notify(texts.erased(toNumber((await send(confirmErasure, { path })).count)));
    else {
      await send(rejectErasure, { path });
      notify(texts.rejected);
    }
    onDone();
  };
  return (
    <Dialog
      title={isConfirmed ? texts.confirmTitle : texts.rejectTitle}
      lead={isConfirmed ? texts.confirmText : texts.rejectText}
      onClose={onClose}
    >
      <Form
        submit={isConfirmed ? texts.confirm : texts.reject}
        isDanger={isConfirmed}
        onSubmit={decide}
      >
        <p class="code">{proposal.token}</p>
      </Form>
    </Dialog>
  );
}
