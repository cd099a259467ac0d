import { useState } from "preact/hooks";
import type { TcfVendor } from "@avow/client/operations";
import { Dialog } from "../../../ui/forms/dialog.tsx";
import { SearchField } from "../../../ui/forms/search-field.tsx";
import { Form } from "../../../ui/forms/form.tsx";
import { tcfWords } from "../../../words/tcf/words.ts";
import { toPurposes } from "./purposes.ts";

const SHOWN_MAX = 100;

interface PickPartnersProps {
  listed: readonly TcfVendor[];
  chosen: readonly number[];
  onTake: (ids: readonly number[]) => Promise<void>;
  onClose: () => void;
}

/** A searchable list of IAB's vendors; those already selected come first. */
export function PickPartners({ listed, chosen, onTake, onClose }: PickPartnersProps) {
  const texts = tcfWords.value;
  const [typed, setTyped] = useState("");
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set(chosen));
  const wanted = typed.trim().toLowerCase();
  const found = listed
    .filter((one) => one.name.toLowerCase().includes(wanted) || String(one.id) === wanted)
    .toSorted((a, b) => Number(chosen.includes(b.id)) - Number(chosen.includes(a.id)));
  const toggle = (one: number): void => {
    const next = new Set(ids);
    if (!next.delete(one)) next.add(one);
    setIds(next);
  };
  const rest = found.length - SHOWN_MAX;
  return (
    <Dialog title={texts.pick} onClose={onClose}>
      <SearchField label={texts.search} value={typed} onValue={setTyped} />
      <Form
        submit={texts.take(ids.size)}
        onSubmit={() => onTake([...ids].toSorted((a, b) => a - b))}
      >
        <fieldset class="checks picked">
          <legend class="hidden">{texts.pick}</legend>
          {found.slice(0, SHOWN_MAX).map((one) => (
            <label key={one.id} class="check">
              <input type="checkbox" checked={ids.has(one.id)} onChange={() => toggle(one.id)} />
              <span>
                {one.name}
                <small>{toPurposes(one)}</small>
              </span>
            </label>
          ))}
        </fieldset>
        <p class="soft" role="status">
          {found.length === 0 && texts.nothing}
          {rest > 0 && texts.more(rest)}
        </p>
      </Form>
    </Dialog>
  );
}
