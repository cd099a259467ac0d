import { useId, useState } from "preact/hooks";
import { GROUP_LENGTH_MAX, mergeGroups, withoutGroups } from "@avow/contract/groups";
import { asProblem } from "../../api/problem.ts";
import { changeGroups, readGroupNames } from "../../data/projects/groups.ts";
import { toFaultText } from "../../ui/forms/faults.tsx";
import { Field, Form } from "../../ui/forms/form.tsx";
import { useLoad } from "../../data/use-load.ts";
import { Badge, Card } from "../../ui/parts.tsx";
import { notify } from "../../ui/toast.tsx";
import { sitesWords } from "../../words/sites/words.ts";

interface GroupsCardProps {
  projectId: string;
  groups: readonly string[];
  mayWrite: boolean;
}

/** The groups of a project. Each change is saved at once. */
export function GroupsCard({ projectId, groups: read, mayWrite }: GroupsCardProps) {
  const texts = sitesWords.value.groups;
  const [groups, setGroups] = useState(read);
  const known = useLoad(readGroupNames, []);
  const listId = useId();
  const names = known.state === "ready" ? withoutGroups(known.value, groups) : [];
  const remove = async (name: string): Promise<void> => {
    try {
      setGroups(await changeGroups(projectId, (present) => withoutGroups(present, [name])));
    } catch (error) {
      notify(toFaultText(asProblem(error)));
    }
  };
  return (
    <Card title={texts.title} lead={texts.lead}>
      {groups.length === 0 ? (
        <p class="soft">{texts.none}</p>
      ) : (
        <ul class="tags">
          {groups.map((name) => (
            <li key={name}>
              <Badge>{name}</Badge>
              {mayWrite && (
                <button
                  type="button"
                  class="close"
                  aria-label={texts.remove(name)}
                  onClick={() => void remove(name)}
                >
                  ×
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {mayWrite && (
        <Form
          submit={texts.addButton}
          isPlain
          isReset
          onSubmit={async ({ group = "" }) => {
            const name = group.trim().replaceAll(/\s+/g, " ");
            const add = (present: readonly string[]) => mergeGroups(present, [name]);
            setGroups(await changeGroups(projectId, add, "group"));
          }}
        >
          <Field
            name="group"
            label={texts.add}
            list={listId}
            autoComplete="off"
            maxLength={GROUP_LENGTH_MAX}
            pattern=".*\S.*"
            required
          />
          <datalist id={listId}>
            {names.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </Form>
      )}
    </Card>
  );
}
