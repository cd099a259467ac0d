import { useState } from "preact/hooks";
import { createApiKey } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { readProjectNames } from "../../data/projects/projects.ts";
import { isOfProject, scopes } from "../../data/scopes.ts";
import { useLoad } from "../../data/use-load.ts";
import { Dialog } from "../../ui/forms/dialog.tsx";
import { Choice, Field, Form } from "../../ui/forms/form.tsx";
import { Copyable } from "../../ui/parts.tsx";
import { accountWords } from "../../words/account/words.ts";

const DAY_MS = 86_400_000;
const days = [30, 90, 365] as const;

interface NewKeyProps {
  onClose: () => void;
}

/** Creates a key and shows it once. */
export function NewKey({ onClose }: NewKeyProps) {
  const account = accountWords.value;
  // A key can be limited to one project; without a list of projects it applies to all.
  const named = useLoad(readProjectNames, []);
  const projects = named.state === "ready" ? named.value : [];
  const [token, setToken] = useState<string>();
  const [isScopeMissing, setScopeMissing] = useState(false);
  const [projectId, setProjectId] = useState("");
  const offered = projectId === "" ? scopes : scopes.filter(isOfProject);
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
          const chosen = offered.filter((one) => data.getAll("scope").includes(one));
          setScopeMissing(chosen.length === 0);
          if (chosen.length === 0) return;
          const end = Number(lasts) * DAY_MS;
          const expiresAt = end > 0 ? { expiresAt: new Date(Date.now() + end).toISOString() } : {};
          const limited = projectId === "" ? {} : { projectId };
          const body = { label, scopes: chosen, ...expiresAt, ...limited };
          const key = await send(createApiKey, { body });
          setToken(key.token);
        }}
      >
        <Field name="label" label={account.label} maxLength={200} required />
        <Choice
          name="lasts"
          label={account.expires}
          options={[
            ...days.map((one) => [String(one), account.days(one)] as const),
            ["0", account.neverExpires],
          ]}
        />
        {projects.length > 0 && (
          <Choice
            name="projectId"
            label={account.project}
            value={projectId}
            onChange={setProjectId}
            options={[["", account.anyProject], ...projects]}
          />
        )}
        {projectId !== "" && <p class="hint">{account.projectHint}</p>}
        <fieldset class="checks many">
          <legend>{account.scopes}</legend>
          {offered.map((scope) => (
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
