import { useState } from "preact/hooks";
import { Problem } from "@avow/client/problem";
import { mergeGroups, parseGroups, withoutGroups } from "@avow/contract/groups";
import { changeGroups } from "../../data/projects/groups.ts";
import { type ShownProject, toHost } from "../../data/projects/project.ts";
import { Dialog } from "../../ui/forms/dialog.tsx";
import { toFaultText } from "../../ui/forms/faults.tsx";
import { Field, Form, type Values } from "../../ui/forms/form.tsx";
import { runEach } from "../../ui/table/run-each.ts";
import { notify } from "../../ui/toast.tsx";
import { sitesWords } from "../../words/sites/words.ts";

const LENGTH_MAX = 500;

interface GroupsDialogProps {
  projects: readonly ShownProject[];
  onChanged: () => void;
  onClose: () => void;
}

/** Changes the groups of projects. Those that fail stay, to be tried again. */
export function GroupsDialog({ projects, onChanged, onClose }: GroupsDialogProps) {
  const texts = sitesWords.value.groups;
  const [left, setLeft] = useState(projects);
  const [failed, setFailed] = useState<readonly string[]>([]);
  const save = async ({ add = "", remove = "" }: Values): Promise<void> => {
    const [added, removed] = [parseGroups(add), parseGroups(remove)];
    if (added.length + removed.length === 0)
      throw new Problem("invalid", { errors: [{ path: "/add", message: texts.nothing }] });
    const change = (groups: readonly string[]) =>
      mergeGroups(withoutGroups(groups, removed), added);
    const { done, failed: failures } = await runEach(left, ({ id }) =>
      changeGroups(id, change, "add"),
    );
    onChanged();
    notify(texts.changed(done.length));
    setFailed(failures.map(({ row, problem }) => texts.failed(row.title, toFaultText(problem))));
    setLeft(failures.map(({ row }) => row));
    if (failures.length === 0) onClose();
  };
  return (
    <Dialog title={texts.edit} lead={texts.editLead} onClose={onClose}>
      <Form submit={texts.save} onSubmit={save}>
        <Field name="add" label={texts.addMany} hint={texts.manyHint} maxLength={LENGTH_MAX} />
        <Field
          name="remove"
          label={texts.removeMany}
          hint={texts.manyHint}
          maxLength={LENGTH_MAX}
        />
        <ul class="names-scrolled" tabIndex={0} aria-label={texts.projects}>
          {left.map(({ id, title, site, groups }) => (
            <li key={id}>
              {title}
              <small>{[toHost(site), ...groups].join(" · ")}</small>
            </li>
          ))}
        </ul>
        {failed.length > 0 && (
          <ul class="note bad" role="alert">
            {failed.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        )}
      </Form>
    </Dialog>
  );
}
