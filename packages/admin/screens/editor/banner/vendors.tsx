import { useState } from "preact/hooks";
import type { Step, Vendor } from "@avow/client/operations";
import { Icon } from "../../../ui/icons.tsx";
import { DangerLink } from "../../../ui/forms/danger-link.tsx";
import { editorWords } from "../../../words/editor.ts";
import { Bound, FindingNotes } from "../../fields/bound.tsx";
import { schemaAt, useAt, useEditing } from "../../fields/editing.ts";
import type { KnownVendor } from "./known-vendors.ts";
import { Picker } from "./picker.tsx";
import { useRemoving } from "./removing.tsx";

interface VendorsProps {
  at: string;
  known: readonly KnownVendor[];
  lang: string | undefined;
}

/** The vendors of a step, each with its form. */
export function Vendors({ at, known, lang }: VendorsProps) {
  const texts = editorWords.value.vendors;
  const { value, fault, findings, change, mayWrite } = useAt(at);
  const { draft } = useEditing();
  const [isPicking, setPicking] = useState(false);
  const vendors = (value ?? []) as (Vendor | string)[];
  const removing = useRemoving({ list: vendors, change, entries: ":scope > ul > li summary" });
  const steps = (draft.doc.value["steps"] ?? []) as Step[];
  const taken = steps.flatMap((step) => step.vendors ?? []).map((one) => toName(one, known));
  return (
    <div ref={removing.around} class="vendors">
      <h3>{texts.title}</h3>
      {fault && (
        <p class="fault" lang="en">
          {fault}
        </p>
      )}
      <FindingNotes findings={findings} />
      {removing.note}
      {vendors.length === 0 && <p class="soft">{texts.none}</p>}
      <ul>
        {vendors.map((vendor, n) => (
          <li key={removing.keys[n]}>
            <OneVendor
              at={`${at}/${n}`}
              vendor={vendor}
              title={toTitle(vendor, known)}
              lang={lang}
              onRemove={() => removing.remove(n, texts.removed(toTitle(vendor, known)))}
            />
          </li>
        ))}
      </ul>
      {mayWrite && (
        <button type="button" class="button small" onClick={() => setPicking(true)}>
          <Icon name="plus" />
          {texts.add}
        </button>
      )}
      {isPicking && (
        <Picker
          known={known}
          taken={taken}
          onPick={(picked) => {
            setPicking(false);
            removing.forget();
            change([...vendors, picked]);
          }}
          onClose={() => setPicking(false)}
        />
      )}
    </div>
  );
}

interface OneVendorProps {
  at: string;
  vendor: Vendor | string;
  title: string;
  lang: string | undefined;
  onRemove: () => void;
}

/** Fields in the visitor's language. */
const spoken = new Set(["title", "shortDescription", "longDescription"]);

function OneVendor({ at, vendor, title, lang, onRemove }: OneVendorProps) {
  const texts = editorWords.value.vendors;
  const { schema, findings, draft, mayWrite } = useEditing();
  const found = findings.filter(({ path }) => path.startsWith(`${at}/`) || path === at);
  const isFaulty = Object.keys(draft.faults.value).some((path) => path.startsWith(`${at}/`));
  // Lists, such as signals, have no input here.
  const names = Object.entries(schemaAt(schema, at)?.properties ?? {}).filter(
    ([, one]) => one.anyOf === undefined,
  );
  return (
    <details class="vendor" open={isFaulty}>
      <summary>
        <span class="cut">{title}</span>
        {found.length > 0 && <span class="badge warn">{found.length}</span>}
      </summary>
      <div class="vendor-form">
        <FindingNotes findings={found.filter(({ path }) => path === at)} />
        {typeof vendor === "string" ? (
          <p class="soft">{texts.stands}</p>
        ) : (
          names.map(([name]) => (
            <Bound key={name} at={`${at}/${name}`} lang={spoken.has(name) ? lang : undefined} />
          ))
        )}
        {mayWrite && <DangerLink text={texts.remove} onClick={onRemove} />}
      </div>
    </details>
  );
}

function toName(vendor: Vendor | string, known: readonly KnownVendor[]): string {
  if (typeof vendor !== "string") return vendor.name;
  return known.find(({ value }) => value === vendor)?.name ?? vendor;
}

function toTitle(vendor: Vendor | string, known: readonly KnownVendor[]): string {
  if (typeof vendor !== "string") return vendor.title || vendor.name;
  return known.find(({ value }) => value === vendor)?.title ?? vendor;
}
