import { useId } from "preact/hooks";
import { type VendorUse, soldUses, vendorUses } from "@avow/contract/regions";
import { editorWords } from "../../../words/editor.ts";
import { Notes, describe } from "../../../ui/forms/notes.tsx";
import { useAt } from "../../fields/editing.ts";
import { Lines, Rows } from "../../fields/rows.tsx";

/** The uses, hosts and storage of a vendor. */
export function VendorLists({ at, lang }: { at: string; lang: string | undefined }) {
  return (
    <>
      <Uses at={`${at}/uses`} />
      <Lines at={`${at}/hosts`} lang={undefined} />
      <Rows at={`${at}/storage`} blank={{ name: "", kind: "cookie" }} lang={lang} />
    </>
  );
}

/** The uses that an opt-out ends. */
function Uses({ at }: { at: string }) {
  const { fields, hints, values } = editorWords.value;
  const { value, mayWrite, change } = useAt(at);
  const id = useId();
  const uses = (value ?? soldUses) as readonly VendorUse[];
  const notes = { id, hint: hints["uses"] };
  return (
    <fieldset class="checks" {...describe(notes)}>
      <legend>{fields["uses"]}</legend>
      {vendorUses.map((use) => (
        <label key={use} class="check">
          <input
            type="checkbox"
            checked={uses.includes(use)}
            disabled={!mayWrite}
            onChange={({ currentTarget: { checked } }) =>
              change(vendorUses.filter((one) => (one === use ? checked : uses.includes(one))))
            }
          />
          <span>{values[use]}</span>
        </label>
      ))}
      <Notes {...notes} />
    </fieldset>
  );
}
