import { useState } from "preact/hooks";
import { Problem } from "@avow/client/problem";
import { mergeGroups, parseGroups, withoutGroups } from "@avow/contract/groups";
import { asProblem } from "../../api/problem.ts";
import { changeGroups, readProjectsToGroup } from "../../data/projects/groups.ts";
import { type ShownProject, toHost } from "../../data/projects/project.ts";
import { useLoad } from "../../data/use-load.ts";
import { Dialog } from "../../ui/forms/dialog.tsx";
import { toFaultText } from "../../ui/forms/faults.tsx";
import { Field, Form, type Values } from "../../ui/forms/form.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { notify } from "../../ui/toast.tsx";
import { sitesWords } from "../../words/sites/words.ts";

/** Projects that the dialog offers. */
const PROJECTS_MAX = 500;
const LENGTH_MAX = 500;

interface GroupsDialogProps {
  /** The filter of the list. */
  filter: { text: string; group: string };
  /** The ids of the projects that are selected at first. */
  selected: readonly string[];
  onChanged: () => void;
  onClose: () => void;
}

/** Changes the groups of several projects of the list. */
export function GroupsDialog({ filter, selected, onChanged, onClose }: GroupsDialogProps) {
  const texts = sitesWords.value.groups;
  const loaded = useLoad(() => readProjectsToGroup(filter, PROJECTS_MAX), []);
  return (
    <Dialog title={texts.edit} lead={texts.editLead} onClose={onClose}>
      <LoadView of={loaded} lines={6}>
        {({ all, total }) => (
          <>
            <GroupsForm
              projects={all}
              selected={selected}
              onChanged={onChanged}
              onClose={onClose}
            />
            {total > all.length && <p class="hint">{texts.cut(all.length)}</p>}
          </>
        )}
      </LoadView>
    </Dialog>
  );
}

interface GroupsFormProps extends Pick<GroupsDialogProps, "selected" | "onChanged" | "onClose"> {
  projects: readonly ShownProject[];
}

function GroupsForm({ projects, selected: first, onChanged, onClose }: GroupsFormProps) {
  const texts = sitesWords.value.groups;
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set(first));
  const [failed, setFailed] = useState<readonly string[]>([]);
  const toggle = (id: string): void => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    setSelected(next);
  };
  const save = async ({ add = "", remove = "" }: Values): Promise<void> => {
    const [added, removed] = [parseGroups(add), parseGroups(remove)];
    if (selected.size === 0 || added.length + removed.length === 0)
      throw new Problem("invalid", { errors: [{ path: "/add", message: texts.nothing }] });
    const failures: string[] = [];
    const done = new Set<string>();
    for (const { id, title } of projects.filter((one) => selected.has(one.id)))
      try {
        await changeGroups(
          id,
          (groups) => mergeGroups(withoutGroups(groups, removed), added),
          "add",
        );
        done.add(id);
      } catch (error) {
        failures.push(texts.failed(title, toFaultText(asProblem(error))));
      }
    onChanged();
    notify(texts.changed(done.size));
    setFailed(failures);
    setSelected(new Set([...selected].filter((id) => !done.has(id))));
    if (failures.length === 0) onClose();
  };
  return (
    <Form submit={texts.save} onSubmit={save}>
      <fieldset class="field">
        <legend>{texts.projects}</legend>
        <label class="check">
          <input
            type="checkbox"
            checked={selected.size === projects.length && projects.length > 0}
            onChange={({ currentTarget: { checked } }) =>
              setSelected(new Set(checked ? projects.map(({ id }) => id) : []))
            }
          />
          <span>{texts.selectAll(projects.length)}</span>
        </label>
        <div class="checks-scrolled" tabIndex={0} role="group" aria-label={texts.projects}>
          {projects.map(({ id, title, site, groups }) => (
            <label key={id} class="check">
              <input type="checkbox" checked={selected.has(id)} onChange={() => toggle(id)} />
              <span>
                {title}
                <small>{[toHost(site), ...groups].join(" · ")}</small>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      <Field name="add" label={texts.addMany} hint={texts.manyHint} maxLength={LENGTH_MAX} />
      <Field name="remove" label={texts.removeMany} hint={texts.manyHint} maxLength={LENGTH_MAX} />
      {failed.length > 0 && (
        <ul class="note bad" role="alert">
          {failed.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
    </Form>
  );
}
