import { useState } from "preact/hooks";
import { createApiKey } from "../../api/interface.ts";
import { send } from "../../api/send.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Choice, Field, Form } from "../../ui/form.tsx";
import { Copyable } from "../../ui/parts.tsx";
import { words } from "../../words/words.ts";

type Scope = NonNullable<typeof createApiKey.given>["body"]["scopes"][number];

const DAY_MS = 86_400_000;
const days = [30, 90, 365] as const;
/** Each scope of the interface: one that is missing here is an error of types. */
const scopes = Object.keys({
  "vault:read": true,
  "vault:write": true,
  "publish:read": true,
  "publish:write": true,
  "consents:read": true,
  "consents:write": true,
  "consents:erase": true,
  "proofs:read": true,
  "trail:read": true,
  "stats:read": true,
  "assets:read": true,
  "assets:write": true,
  "webhooks:read": true,
  "webhooks:write": true,
  "billing:read": true,
} satisfies Record<Scope, true>) as Scope[];

/** Makes a key and shows it, once. */
export function NewKey({ onClose }: { onClose: () => void }) {
  const { account } = words.value;
  const [token, setToken] = useState<string>();
  const [isScopeMissing, setScopeMissing] = useState(false);
  if (token !== undefined)
    return (
      <Dialog title={account.keyMade} lead={account.keyMadeText}>
        <Copyable text={token} label={account.keys} />
        <button type="button" class="button primary" onClick={onClose}>
          {account.keyDone}
        </button>
      </Dialog>
    );
  return (
    <Dialog title={account.createKey} onClose={onClose}>
      <Form
        submit={account.keyButton}
        onSubmit={async ({ label = "", lasts = "" }, data) => {
          const chosen = scopes.filter((one) => data.getAll("scope").includes(one));
          setScopeMissing(chosen.length === 0);
          if (chosen.length === 0) return;
          const end = Number(lasts) * DAY_MS;
          const expiresAt = end > 0 ? { expiresAt: new Date(Date.now() + end).toISOString() } : {};
          const key = await send(createApiKey, { body: { label, scopes: chosen, ...expiresAt } });
          setToken(key.token);
        }}
      >
        <Field name="label" label={account.label} maxLength={200} required />
        <Choice
          name="lasts"
          label={account.expires}
          options={[
            ...days.map((one) => [String(one), account.days(one)] as const),
            ["0", account.forever],
          ]}
        />
        <fieldset class="checks many">
          <legend>{account.scopes}</legend>
          {scopes.map((scope) => (
            <label key={scope} class="check">
              <input type="checkbox" name="scope" value={scope} />
              <span class="code">{scope}</span>
            </label>
          ))}
        </fieldset>
        {isScopeMissing && (
          <p class="fault" role="alert">
            {account.scopeNeeded}
          </p>
        )}
      </Form>
    </Dialog>
  );
}
