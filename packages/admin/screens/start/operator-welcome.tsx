import { useState } from "preact/hooks";
import { getInstanceStatus, listOperators } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { base } from "../../browser/base.ts";
import { useLoad } from "../../data/use-load.ts";
import { Badge, Card } from "../../ui/parts.tsx";
import { startWords } from "../../words/start/words.ts";
import { words } from "../../words/words.ts";

/** The key of the flag that this browser has dismissed the welcome. */
const DISMISSED = "avow-operator-welcomed";

/** Welcomes the only operator of an installation, with what is left to set up. */
export function OperatorWelcome() {
  const { operator: texts } = startWords.value;
  const [isDismissed, setDismissed] = useState(() => localStorage.getItem(DISMISSED) !== null);
  const loaded = useLoad(() => Promise.all([send(getInstanceStatus), send(listOperators)]), []);
  // The cards below report a failure.
  if (isDismissed || loaded.state !== "ready") return null;
  const [{ mails, backup }, operators] = loaded.value;
  if (operators.length !== 1) return null;
  const items = [
    { name: texts.mail, text: texts.mailText, isDone: mails.driver === "smtp" },
    { name: texts.backup, text: texts.backupText, isDone: backup !== null },
    { name: texts.publicUrl, text: texts.publicUrlText(location.origin + base), isDone: false },
  ];
  return (
    <div class="welcome">
      <Card
        title={texts.title}
        lead={texts.lead}
        action={
          <button
            type="button"
            class="button small"
            onClick={() => {
              localStorage.setItem(DISMISSED, "1");
              setDismissed(true);
            }}
          >
            {texts.dismiss}
          </button>
        }
      >
        <ol>
          {items.map(({ name, text, isDone }) => (
            <li key={name}>
              <strong>{name}</strong> {isDone && <Badge tone="good">{words.value.app.yes}</Badge>}
              <p class="soft">{text}</p>
            </li>
          ))}
        </ol>
      </Card>
    </div>
  );
}
