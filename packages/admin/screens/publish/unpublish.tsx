import { useState } from "preact/hooks";
import { unpublishProject } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import type { ShownProject } from "../../data/projects/project.ts";
import { Confirm } from "../../ui/forms/confirm.tsx";
import { Card } from "../../ui/parts.tsx";
import { notify } from "../../ui/toast.tsx";
import { publishingWords } from "../../words/publishing/words.ts";

/** Unpublishes a project, after the user has typed its title. */
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
        <Confirm
          title={unpublish.dialog(project.title)}
          text={unpublish.text}
          submit={unpublish.button}
          isDanger
          typed={{ text: project.title, label: unpublish.confirm, wrong: unpublish.wrong }}
          onConfirm={async () => {
            await send(unpublishProject, { path: { projectId: project.id } });
            close();
            notify(unpublish.done);
            onDone();
          }}
          onClose={close}
        />
      )}
    </Card>
  );
}
