import { useState } from "preact/hooks";
import { type AccessToken, deleteAccessToken } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { readNamesOf } from "../../data/projects/projects.ts";
import { readTokens } from "../../data/tokens.ts";
import { useLoad } from "../../data/use-load.ts";
import { toDay } from "../../browser/format.ts";
import { Confirm } from "../../ui/forms/confirm.tsx";
import { Ago, Card } from "../../ui/parts.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { type Column, Table } from "../../ui/table/table.tsx";
import { notify } from "../../ui/toast.tsx";
import { DangerLink } from "../../ui/forms/danger-link.tsx";
import { accountWords } from "../../words/account/words.ts";
import { NewKey } from "./new-key.tsx";

/** API keys: create them (shown once) and revoke them. */
export function KeysCard() {
  const account = accountWords.value;
  const [isMaking, setMaking] = useState(false);
  const [removing, setRemoving] = useState<AccessToken>();
  const loaded = useLoad(() => readTokens("keys"), []);
  const shown = loaded.state === "ready" ? loaded.value : [];
  const ids = shown.flatMap(({ projectId }) => projectId ?? []).toSorted();
  // Until the titles are loaded, and if they fail to load, projects are shown by id.
  const named = useLoad(() => readNamesOf(ids), [ids.join(" ")]);
  return (
    <Card
      title={account.keys}
      lead={account.keysLead}
      action={
        <button type="button" class="button small" onClick={() => setMaking(true)}>
          {account.createKey}
        </button>
      }
    >
      <LoadView of={loaded}>
        {(all) =>
          all.length === 0 ? (
            <p class="soft">{account.noKeys}</p>
          ) : (
            <Table
              caption={account.keys}
              columns={toColumns(named.state === "ready" ? named.value : new Map(), setRemoving)}
              rows={all}
              toKey={({ id }) => id}
              isFlush
            />
          )
        }
      </LoadView>
      {isMaking && (
        <NewKey
          onClose={() => {
            setMaking(false);
            loaded.reload();
          }}
        />
      )}
      {removing && (
        <Confirm
          title={account.revokeTitle(removing.label)}
          text={account.revokeText}
          submit={account.revoke}
          isDanger
          onConfirm={async () => {
            await send(deleteAccessToken, { path: { id: removing.id } });
            setRemoving(undefined);
            notify(account.revoked);
            loaded.reload();
          }}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </Card>
  );
}

function toColumns(
  titles: ReadonlyMap<string, string>,
  onRevoke: (token: AccessToken) => void,
): readonly Column<AccessToken>[] {
  const account = accountWords.value;
  return [
    {
      id: "label",
      title: account.label,
      cell: ({ label, projectId }) => (
        <>
          {label}
          {projectId !== null && (
            <span class="soft kind">{account.ofProject(titles.get(projectId) ?? projectId)}</span>
          )}
        </>
      ),
    },
    {
      id: "scopes",
      title: account.scopes,
      cell: ({ scopes }) => <span class="code">{scopes?.join(", ")}</span>,
    },
    { id: "used", title: account.used, cell: ({ lastUsedAt }) => <Ago at={lastUsedAt} /> },
    {
      id: "ends",
      title: account.ends,
      text: ({ expiresAt }) => (expiresAt === null ? account.neverExpires : toDay(expiresAt)),
    },
    {
      id: "revoke",
      title: account.revoke,
      isActions: true,
      cell: (token) => (
        <DangerLink text={account.revoke} of={token.label} onClick={() => onRevoke(token)} />
      ),
    },
  ];
}
