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
  const said = projectWords.value;
  const [isAsking, setAsking] = useState(false);
  const title = titles.value[id] ?? "";
  return (
    <Card title={said.remove} lead={said.removeLead}>
      <div>
        <button type="button" class="button danger" onClick={() => setAsking(true)}>
          {said.removeButton}
        </button>
      </div>
      {isAsking && (
        <Confirm
          title={said.removeTitle(title)}
          text={said.removeText}
          submit={said.removeButton}
          isDanger
          typed={{ text: title, label: said.removeConfirm, wrong: said.removeWrong }}
          onConfirm={async () => {
            await send(deleteProject, { path: { documentId: id }, query: { confirm: id } });
            go("/projects");
            forgetRoles(id);
            notify(said.removed(title));
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </Card>
  );
}
