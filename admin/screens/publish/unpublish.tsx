import { useState } from "preact/hooks";
import { unpublishProject } from "../../api/interface.ts";
import { Problem } from "../../api/problem.ts";
import { send } from "../../api/send.ts";
import type { ShownProject } from "../../data/project.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, Form } from "../../ui/form.tsx";
import { Card } from "../../ui/parts.tsx";
import { tell } from "../../ui/toast.tsx";
import { publishingWords } from "../../words/publishing/words.ts";
import { words } from "../../words/words.ts";

/** Takes a project off the air, for whoever types its title to be sure. */
export function UnpublishCard({ project, onDone }: { project: ShownProject; onDone: () => void }) {
  const { unpublish } = publishingWords.value;
  const [isAsking, setAsking] = useState(false);
  const close = (): void => setAsking(false);
  return (
    <Card title={unpublish.title} lead={unpublish.lead}>
      <div>
        <button type="button" class="button danger" onClick={() => setAsking(true)}>
          {unpublish.button}
        </button>
      </div>
      {isAsking && (
        <Dialog title={unpublish.dialog(project.title)} lead={unpublish.text} onClose={close}>
          <Form
            submit={unpublish.button}
            isDanger
            toText={() => unpublish.wrong}
            aside={
              <button type="button" class="button ghost" onClick={close}>
                {words.value.app.cancel}
              </button>
            }
            onSubmit={async ({ typed = "" }) => {
              if (typed.trim() !== project.title.trim()) throw toWrong();
              await send(unpublishProject, { path: { projectId: project.id } });
              close();
              tell(unpublish.done);
              onDone();
            }}
          >
            <p class="code">{project.title}</p>
            <Field name="typed" label={unpublish.confirm} autoComplete="off" isCode required />
          </Form>
        </Dialog>
      )}
    </Card>
  );
}

function toWrong(): Problem {
  return new Problem("invalid", { errors: [{ path: "/typed", message: "is another one" }] });
}
