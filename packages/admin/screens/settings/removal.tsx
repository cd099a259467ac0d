import { useState } from "preact/hooks";
import { deleteProject } from "@avow/client/operations";
import { asProblem } from "../../api/problem.ts";
import { send } from "../../api/send.ts";
import { titles } from "../../data/projects/project.ts";
import { forgetRoles } from "../../data/projects/rights.ts";
import { go } from "../../browser/router.ts";
import { Confirm } from "../../ui/forms/confirm.tsx";
import { Card } from "../../ui/parts.tsx";
import { notify } from "../../ui/toast.tsx";
import { projectWords } from "../../words/projects/words.ts";

/** Deletes a project. An owner types its title if the service asks for a confirmation, because something would be lost. */
export function Removal({ id }: { id: string }) {
  const texts = projectWords.value;
  const [isAsking, setAsking] = useState(false);
  const [isLosing, setLosing] = useState(false);
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
          text={isLosing ? texts.removeLosing : texts.removeText}
          submit={texts.removeButton}
          isDanger
          {...(isLosing && {
            typed: { text: title, label: texts.removeConfirm, wrong: texts.removeWrong },
          })}
          onConfirm={async () => {
            const query = isLosing ? { confirm: id } : {};
            try {
              await send(deleteProject, { path: { documentId: id }, query });
            } catch (error) {
              if (isLosing || asProblem(error).kind !== "conflict") throw error;
              return setLosing(true);
            }
            go("/projects");
            forgetRoles(id);
            notify(texts.removed(title));
          }}
          onClose={() => {
            setAsking(false);
            setLosing(false);
          }}
        />
      )}
    </Card>
  );
}
