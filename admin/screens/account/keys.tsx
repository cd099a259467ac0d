import { useState } from "preact/hooks";
import { type AccessToken, deleteAccessToken } from "../../api/interface.ts";
import { send } from "../../api/send.ts";
import { readTokens } from "../../data/tokens.ts";
import { useLoad } from "../../data/use-load.ts";
import { toDay } from "../../format.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { Ago, Card } from "../../ui/parts.tsx";
import { Shown } from "../../ui/shown.tsx";
import { tell } from "../../ui/toast.tsx";
import { words } from "../../words/words.ts";
import { NewKey } from "./new-key.tsx";

/** Keys for programs: made here, shown once, revoked here. */
export function KeysCard() {
  const { account } = words.value;
  const [isMaking, setMaking] = useState(false);
  const [leaving, setLeaving] = useState<AccessToken>();
  const loaded = useLoad(() => readTokens("keys"), []);
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
      <Shown of={loaded}>
        {(all) =>
          all.length === 0 ? (
            <p class="soft">{account.noKeys}</p>
          ) : (
            <Table all={all} onRevoke={setLeaving} />
          )
        }
      </Shown>
      {isMaking && (
        <NewKey
          onClose={() => {
            setMaking(false);
            loaded.reload();
          }}
        />
      )}
      {leaving && (
        <Confirm
          title={account.revokeTitle(leaving.label)}
          text={account.revokeText}
          submit={account.revoke}
          isDanger
          onConfirm={async () => {
            await send(deleteAccessToken, { path: { id: leaving.id } });
            setLeaving(undefined);
            tell(account.revoked);
            loaded.reload();
          }}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </Card>
  );
}

function Table({
  all,
  onRevoke,
}: {
  all: readonly AccessToken[];
  onRevoke: (token: AccessToken) => void;
}) {
  const { account } = words.value;
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
            <th scope="row">{token.label}</th>
            <td data-label={account.scopes}>
              <span class="code">{token.scopes?.join(", ")}</span>
            </td>
            <td data-label={account.used}>
              <Ago at={token.lastUsedAt} />
            </td>
            <td data-label={account.ends}>
              {token.expiresAt === null ? account.forever : toDay(token.expiresAt)}
            </td>
            <td class="end">
              <button type="button" class="link danger" onClick={() => onRevoke(token)}>
                {account.revoke}
                <span class="hidden"> {token.label}</span>
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
