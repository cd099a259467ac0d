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
              all={all}
              titles={named.state === "ready" ? named.value : new Map()}
              onRevoke={setRemoving}
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

interface TableProps {
  all: readonly AccessToken[];
  titles: ReadonlyMap<string, string>;
  onRevoke: (token: AccessToken) => void;
}

function Table({ all, titles, onRevoke }: TableProps) {
  const account = accountWords.value;
  return (
    <table class="stacked flush">
      <thead>
        <tr>
          <th scope="col">{account.label}</th>
          <th scope="col">{account.scopes}</th>
          <th scope="col">{account.used}</th>
          <th scope="col">{account.ends}</th>
          <th scope="col" class="end">
            <span class="hidden">{account.revoke}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {all.map((token) => (
          <tr key={token.id}>
            <th scope="row">
              {token.label}
              {token.projectId !== null && (
                <span class="soft kind">
                  {account.ofProject(titles.get(token.projectId) ?? token.projectId)}
                </span>
              )}
            </th>
            <td data-label={account.scopes}>
              <span class="code">{token.scopes?.join(", ")}</span>
            </td>
            <td data-label={account.used}>
              <Ago at={token.lastUsedAt} />
            </td>
            <td data-label={account.ends}>
              {token.expiresAt === null ? account.neverExpires : toDay(token.expiresAt)}
            </td>
            <td class="end">
              <DangerLink text={account.revoke} of={token.label} onClick={() => onRevoke(token)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
