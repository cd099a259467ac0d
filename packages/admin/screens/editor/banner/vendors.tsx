import { useState } from "preact/hooks";
import { isVendor, vendorIdOf } from "@avow/contract/vendors";
import type { Step, Vendor, VendorReference } from "@avow/client/operations";
import { Icon } from "../../../ui/icons.tsx";
import { DangerLink } from "../../../ui/forms/danger-link.tsx";
import { editorWords } from "../../../words/editor.ts";
import { Bound, FindingNotes } from "../../fields/bound.tsx";
import { schemaAt, useAt, useEditing } from "../../fields/editing.ts";
import { FieldLock } from "../../fields/field-lock.tsx";
import type { KnownVendor } from "./known-vendors.ts";
import { Picker } from "./picker.tsx";
import { VendorLists } from "./vendor-lists.tsx";
import { useRemoving } from "./removing.tsx";

type Entry = Vendor | VendorReference | string;

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
  /** The index of the vendor to replace; the number of vendors, to add one. */
  const [picking, setPicking] = useState<number>();
  const vendors = (value ?? []) as Entry[];
  const removing = useRemoving({ list: vendors, change, entries: ":scope > ul > li summary" });
  const steps = (draft.doc.value["steps"] ?? []) as Step[];
  const taken = steps.flatMap((step) => step.vendors ?? []).map((one) => toName(one, known));
  return (
    <div ref={removing.around} class="vendors">
      <h3>{texts.title}</h3>
      <FieldLock at={at} label={texts.title} />
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
              isUnknown={isUnknown(vendor, known)}
              lang={lang}
              onReplace={() => setPicking(n)}
              onRemove={() => removing.remove(n, texts.removed(toTitle(vendor, known)))}
            />
          </li>
        ))}
      </ul>
      {mayWrite && (
        <button type="button" class="button small" onClick={() => setPicking(vendors.length)}>
          <Icon name="plus" />
          {texts.add}
        </button>
      )}
      {picking !== undefined && (
        <Picker
          heading={picking < vendors.length ? texts.replaceTitle : texts.pick}
          known={known}
          taken={taken}
          onPick={(picked) => {
            setPicking(undefined);
            removing.forget();
            change(vendors.toSpliced(picking, 1, picked));
          }}
          onClose={() => setPicking(undefined)}
        />
      )}
    </div>
  );
}

interface OneVendorProps {
  at: string;
  vendor: Entry;
  title: string;
  /** The vault has no vendor of this id. */
  isUnknown: boolean;
  lang: string | undefined;
  onReplace: () => void;
  onRemove: () => void;
}

/** Fields in the visitor's language. */
const spoken = new Set(["title", "shortDescription", "longDescription"]);

function OneVendor({
  at,
  vendor,
  title,
  isUnknown: isMissing,
  lang,
  onReplace,
  onRemove,
}: OneVendorProps) {
  const texts = editorWords.value.vendors;
  const { schema, findings, draft, mayWrite } = useEditing();
  const found = findings.filter(({ path }) => path.startsWith(`${at}/`) || path === at);
  const isFaulty = Object.keys(draft.faults.value).some((path) => path.startsWith(`${at}/`));
  // Signals have no input here; lists have their own.
  const names = Object.entries(schemaAt(schema, at)?.properties ?? {}).filter(
    ([, one]) => one.anyOf === undefined && one.type !== "array",
  );
  return (
    <details class="vendor" open={isFaulty}>
      <summary>
        <span class="cut">{title}</span>
        {found.length > 0 && <span class="badge warn">{found.length}</span>}
      </summary>
      <div class="vendor-form">
        <FindingNotes findings={found.filter(({ path }) => path === at)} />
        {vendorIdOf(vendor) !== undefined ? (
          <p class="soft">{isMissing ? texts.unknownHint : texts.stands}</p>
        ) : (
          <>
            {names.map(([name]) => (
              <Bound key={name} at={`${at}/${name}`} lang={spoken.has(name) ? lang : undefined} />
            ))}
            <VendorLists at={at} lang={lang} />
          </>
        )}
        {mayWrite && isMissing && (
          <button type="button" class="button small" onClick={onReplace}>
            {texts.replace}
          </button>
        )}
        {mayWrite && <DangerLink text={texts.remove} onClick={onRemove} />}
      </div>
    </details>
  );
}

function findKnown(vendor: Entry, known: readonly KnownVendor[]): KnownVendor | undefined {
  const id = vendorIdOf(vendor);
  return id === undefined ? undefined : known.find(({ value }) => value === id);
}

function isUnknown(vendor: Entry, known: readonly KnownVendor[]): boolean {
  return !isVendor(vendor) && findKnown(vendor, known) === undefined;
}

function toName(vendor: Entry, known: readonly KnownVendor[]): string {
  if (isVendor(vendor)) return vendor.name;
  return findKnown(vendor, known)?.name ?? vendorIdOf(vendor) ?? "";
}

function toTitle(vendor: Entry, known: readonly KnownVendor[]): string {
  if (isVendor(vendor)) return vendor.title || vendor.name;
  const { unknown } = editorWords.value.vendors;
  return findKnown(vendor, known)?.title ?? unknown(vendorIdOf(vendor) ?? "");
}
