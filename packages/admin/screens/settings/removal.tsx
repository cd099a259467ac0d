import { useState } from "preact/hooks";
import { deleteProject } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { titles } from "../../data/projects/project.ts";
import { forgetRoles } from "../../data/projects/rights.ts";
import { go } from "../../browser/router.ts";
import { Confirm } from "../../ui/forms/confirm.tsx";
import { Card } from "../../ui/parts.tsx";
import { notify } from "../../ui/toast.tsx";
import { projectWords } from "../../words/projects/words.ts";

/** Deletes a project, after an owner has typed its title. */
export function Removal({ id }: { id: string }) {
  const texts = projectWords.value;
  const [isAsking, setAsking] = useState(false);
  const title = titles.value[id] ?? "";
  return (
    <Card title={texts.remove} lead={texts.removeLead}>
      <div>
        <button type="button" class="button danger" onClick={() => setAsking(true)}>
          {texts.removeButton}
        </button>
      </div>
      {isAsking && (
        <Confirm
          title={texts.removeTitle(title)}
          text={texts.removeText}
          submit={texts.removeButton}
          isDanger
          typed={{ text: title, label: texts.removeConfirm, wrong: texts.removeWrong }}
          onConfirm={async () => {
            await send(deleteProject, { path: { documentId: id }, query: { confirm: id } });
            go("/projects");
            forgetRoles(id);
            notify(texts.removed(title));
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </Card>
  );
}
