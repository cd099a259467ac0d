import type { ConfigurationResult, PublicationDiff, PublishJob } from "@avow/client/operations";
import { publishingWords } from "../../words/publishing/words.ts";

type ListName = ConfigurationResult["collection"];
type Selection = Pick<PublishJob, "services" | ListName>;

/** A part of the project with unpublished changes. */
interface ChangedPart {
  /** `project`, or the list and the id of a configuration: `cookies/6b02…`. */
  value: string;
  name: string;
}

const NAME = "part";
const PROJECT = "project";

/** The changed parts that can be published by themselves; a deleted configuration cannot be selected. */
function listChangedParts({ changes }: PublicationDiff): ChangedPart[] {
  const parts = new Map<string, ChangedPart>();
  for (const { configuration, item, kind } of changes) {
    if (!configuration)
      parts.set(PROJECT, { value: PROJECT, name: publishingWords.value.choose.project });
    else if (kind !== "removed" || item) {
      const value = `${configuration.collection}/${configuration.identifier}`;
      parts.set(value, { value, name: configuration.name });
    }
  }
  return [...parts.values()];
}

/** Check boxes for the changed parts, all selected at first; nothing where there is only one. */
export function ChooseParts({ diff }: { diff: PublicationDiff }) {
  const texts = publishingWords.value.choose;
  const parts = listChangedParts(diff);
  if (parts.length < 2) return null;
  return (
    <details>
      <summary>{texts.summary}</summary>
      <fieldset class="checks">
        <legend>{texts.hint}</legend>
        {parts.map(({ value, name }) => (
          <label key={value} class="check">
            <input type="checkbox" name={NAME} value={value} defaultChecked />
            <span>{name}</span>
          </label>
        ))}
      </fieldset>
    </details>
  );
}

/** The selection of a form with `ChooseParts`: empty for everything, undefined if no part is selected. */
export function readSelection(diff: PublicationDiff, data: FormData): Selection | undefined {
  const all = listChangedParts(diff);
  const chosen = data.getAll(NAME).map(String);
  if (all.length < 2 || chosen.length === all.length) return {};
  if (chosen.length === 0) return undefined;
  const lists: Partial<Record<ListName, string[]>> = {};
  for (const value of chosen) {
    const [list, id] = value.split("/");
    if (id !== undefined) (lists[list as ListName] ??= []).push(id);
  }
  return chosen.includes(PROJECT) ? { services: ["project", "dpo", "tcf"], ...lists } : lists;
}
