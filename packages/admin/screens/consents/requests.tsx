import { useState } from "preact/hooks";
import {
  type ErasureRequest,
  declineErasureRequest,
  listErasureRequests,
} from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { useLoad } from "../../data/use-load.ts";
import { toDay } from "../../browser/format.ts";
import { Confirm } from "../../ui/forms/confirm.tsx";
import { Ago, Card } from "../../ui/parts.tsx";
import { type Column, Table } from "../../ui/table/table.tsx";
import { notify } from "../../ui/toast.tsx";
import { consentWords } from "../../words/consents/words.ts";
import { tokenColumn } from "./token-column.tsx";

const LIMIT = 100;

interface RequestsProps {
  projectId: string;
  /** Only the request of this token. */
  token?: string;
  /** Whether the user may decline requests. */
  mayDecline: boolean;
}

/** Open requests for erasure with their due dates, the first due first. Shows nothing if there are none. */
export function Requests({ projectId, token, mayDecline }: RequestsProps) {
  const { requests: texts } = consentWords.value;
  const [declined, setDeclined] = useState<ErasureRequest>();
  const query = { limit: LIMIT, ...(token === undefined ? {} : { token }) };
  const loaded = useLoad(
    () => send(listErasureRequests, { path: { id: projectId }, query }),
    [projectId, token],
  );
  if (loaded.state !== "ready" || loaded.value.items.length === 0) return null;
  const { items, links } = loaded.value;
  return (
    <Card title={texts.title} lead={texts.lead}>
      <Table
        caption={texts.title}
        columns={toColumns(projectId, mayDecline ? setDeclined : undefined)}
        rows={items}
        toKey={({ id }) => id}
        isFlush
      />
      {links.next !== undefined && <p class="note">{texts.more}</p>}
      {declined && (
        <Confirm
          title={texts.dialog}
          text={texts.text}
          submit={texts.submit}
          onConfirm={async () => {
            const path = { id: projectId, requestId: declined.id };
            await send(declineErasureRequest, { path });
            setDeclined(undefined);
            loaded.reload();
            notify(texts.declined);
          }}
          onClose={() => setDeclined(undefined)}
        >
          <p class="code">{declined.token}</p>
        </Confirm>
      )}
    </Card>
  );
}

function toColumns(
  projectId: string,
  onDecline: ((request: ErasureRequest) => void) | undefined,
): readonly Column<ErasureRequest>[] {
  const { requests: texts } = consentWords.value;
  const columns: Column<ErasureRequest>[] = [
    tokenColumn(projectId),
    { id: "requested", title: texts.requested, cell: (one) => <Ago at={one.requestedAt} /> },
    { id: "due", title: texts.due, text: ({ dueAt }) => toDay(dueAt) },
  ];
  if (!onDecline) return columns;
  const cell = (one: ErasureRequest) => (
    <button type="button" class="button" onClick={() => onDecline(one)}>
      {texts.decline}
    </button>
  );
  return [...columns, { id: "decline", title: texts.decline, isActions: true, cell }];
}
