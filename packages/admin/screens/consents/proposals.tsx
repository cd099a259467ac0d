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
import { Confirm } from "../../ui/forms/confirm.tsx";
import { Card } from "../../ui/parts.tsx";
import { type Column, Table } from "../../ui/table/table.tsx";
import { notify } from "../../ui/toast.tsx";
import { consentWords } from "../../words/consents/words.ts";
import { tokenColumn } from "./token-column.tsx";

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
      <Table
        caption={texts.title}
        columns={toColumns({ projectId, nameOf, onDecide: mayErase ? setDecision : undefined })}
        rows={items}
        toKey={({ id }) => id}
        isFlush
      />
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

function isOwn({ proposedBy }: ErasureProposal): boolean {
  return proposedBy === me.value?.id;
}

function toColumns({
  projectId,
  nameOf,
  onDecide,
}: {
  projectId: string;
  nameOf: (userId: string) => string;
  onDecide: ((decision: Decision) => void) | undefined;
}): readonly Column<ErasureProposal>[] {
  const { proposals: texts } = consentWords.value;
  const columns: Column<ErasureProposal>[] = [
    tokenColumn(projectId),
    {
      id: "by",
      title: texts.by,
      text: (one) => (isOwn(one) ? texts.you : nameOf(one.proposedBy)),
    },
    { id: "until", title: texts.until, text: ({ expiresAt }) => toDay(expiresAt) },
    {
      id: "due",
      title: texts.due,
      text: ({ dueAt }) => (dueAt === undefined ? "–" : toDay(dueAt)),
    },
  ];
  if (!onDecide) return columns;
  const cell = (proposal: ErasureProposal) => (
    <span class="actions">
      {!isOwn(proposal) && (
        <button
          type="button"
          class="button danger"
          onClick={() => onDecide({ proposal, isConfirmed: true })}
        >
          {texts.confirm}
        </button>
      )}
      <button
        type="button"
        class="button"
        onClick={() => onDecide({ proposal, isConfirmed: false })}
      >
        {isOwn(proposal) ? texts.withdraw : texts.reject}
      </button>
    </span>
  );
  return [...columns, { id: "decision", title: texts.decision, isActions: true, cell }];
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
    <Confirm
      title={isConfirmed ? texts.confirmTitle : texts.rejectTitle}
      text={isConfirmed ? texts.confirmText : texts.rejectText}
      submit={isConfirmed ? texts.confirm : texts.reject}
      isDanger={isConfirmed}
      onConfirm={decide}
      onClose={onClose}
    >
      <p class="code">{proposal.token}</p>
    </Confirm>
  );
}
