import { getErasureRule, setErasureRule } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { useLoad } from "../../data/use-load.ts";
import { Form } from "../../ui/forms/form.tsx";
import { Card } from "../../ui/parts.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { notify } from "../../ui/toast.tsx";
import { projectWords } from "../../words/projects/words.ts";

/** The rule that a second owner confirms erasures. */
export function ErasureRule({ projectId }: { projectId: string }) {
  const { erasures: texts } = projectWords.value;
  const path = { id: projectId };
  const loaded = useLoad(() => send(getErasureRule, { path }), [projectId]);
  return (
    <Card title={texts.title} lead={texts.lead}>
      <LoadView of={loaded} lines={2}>
        {({ needsSecondPerson }) => (
          <Form
            key={String(needsSecondPerson)}
            submit={texts.save}
            isPlain
            onSubmit={async (values) => {
              const body = { needsSecondPerson: values["needsSecondPerson"] === "on" };
              await send(setErasureRule, { path, body });
              loaded.reload();
              notify(texts.saved);
            }}
          >
            <label class="check">
              <input type="checkbox" name="needsSecondPerson" defaultChecked={needsSecondPerson} />
              <span>
                {texts.rule}
                <small>{texts.hint}</small>
              </span>
            </label>
          </Form>
        )}
      </LoadView>
    </Card>
  );
}
