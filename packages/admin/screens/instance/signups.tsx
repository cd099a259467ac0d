import { type Signups, getSignups, setSignups } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { useLoad } from "../../data/use-load.ts";
import { Form } from "../../ui/forms/form.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { Card } from "../../ui/parts.tsx";
import { notify } from "../../ui/toast.tsx";
import { instanceWords } from "../../words/instance/words.ts";

const modes = ["open", "invitation", "closed"] as const;

/** The mode of sign-ups; read-only if the service's setting decides. */
export function SignupsCard() {
  const { signups, signupsLead } = instanceWords.value;
  const loaded = useLoad(() => send(getSignups), []);
  return (
    <Card title={signups} lead={signupsLead}>
      <LoadView of={loaded}>
        {(current) => (current.fixed ? <Fixed current={current} /> : <Choices current={current} />)}
      </LoadView>
    </Card>
  );
}

function Fixed({ current }: { current: Signups }) {
  const { fixed, modes: names } = instanceWords.value;
  return (
    <p>
      <strong>{names[current.mode].name}.</strong> {fixed}
    </p>
  );
}

function Choices({ current }: { current: Signups }) {
  const { modes: names, save, saved, signups } = instanceWords.value;
  return (
    <Form
      submit={save}
      onSubmit={async ({ mode }) => {
        const chosen = modes.find((one) => one === mode) ?? current.mode;
        await send(setSignups, { body: { mode: chosen } });
        notify(saved);
      }}
    >
      <fieldset class="checks">
        <legend class="hidden">{signups}</legend>
        {modes.map((mode) => (
          <label key={mode} class="check">
            <input type="radio" name="mode" value={mode} defaultChecked={mode === current.mode} />
            <span>
              {names[mode].name}
              <small>{names[mode].hint}</small>
            </span>
          </label>
        ))}
      </fieldset>
    </Form>
  );
}
