import { useState } from "preact/hooks";
import type { Vendor } from "@avow/client/operations";
import { Dialog } from "../../../ui/forms/dialog.tsx";
import { SearchField } from "../../../ui/forms/search-field.tsx";
import { editorWords } from "../../../words/editor.ts";
import { type KnownVendor, toSlug } from "./known-vendors.ts";

interface PickerProps {
  heading: string;
  known: readonly KnownVendor[];
  /** The names of vendors that are already in the banner. */
  taken: readonly string[];
  onPick: (picked: Vendor | string) => void;
  onClose: () => void;
}

const sources = ["used", "vault", "known"] as const;
const SHOWN_MAX = 50;

/** A searchable list of vendors for a step; an unknown name can be added as a custom vendor. */
export function Picker({ heading, known, taken, onPick, onClose }: PickerProps) {
  const texts = editorWords.value.vendors;
  const [typed, setTyped] = useState("");
  const wanted = typed.trim().toLowerCase();
  const found = known
    .filter(({ name, title, domain }) =>
      `${name} ${title} ${domain}`.toLowerCase().includes(wanted),
    )
    .slice(0, SHOWN_MAX);
  const slug = toSlug(typed);
  return (
    <Dialog title={heading} onClose={onClose}>
      <SearchField label={texts.search} value={typed} onValue={setTyped} />
      <div class="picked" aria-live="polite">
        {found.length === 0 && <p class="soft">{texts.nothing}</p>}
        {sources.map((source) => {
          const own = found.filter((one) => one.source === source);
          if (own.length === 0) return null;
          return (
            <section key={source} aria-label={texts[source]}>
              <h3>{texts[source]}</h3>
              <ul>
                {own.map(({ name, title, domain, value }) => (
                  <li key={name}>
                    <button
                      type="button"
                      class="choice"
                      disabled={taken.includes(name)}
                      onClick={() => onPick(value)}
                    >
                      {title}
                      <span class="soft">{taken.includes(name) ? texts.taken : domain}</span>
                    </button>
                  </li>
                ))}
              </ul>
            </section>
          );
        })}
      </div>
      {wanted !== "" && !taken.includes(slug) && (
        <button
          type="button"
          class="button"
          onClick={() => onPick({ name: slug, title: typed.trim() })}
        >
          {texts.own(typed.trim())}
        </button>
      )}
    </Dialog>
  );
}
