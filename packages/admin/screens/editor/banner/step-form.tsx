import type { Step } from "@avow/client/operations";
import { fields } from "../../../api/fields.ts";
import { findAt } from "../../../data/documents/pointer.ts";
import { DangerLink } from "../../../ui/forms/danger-link.tsx";
import { editorWords } from "../../../words/editor.ts";
import { Bound, FindingNotes } from "../../fields/bound.tsx";
import { schemaAt, useAt, useEditing, useMayWrite } from "../../fields/editing.ts";
import { describeLock } from "./layouts.tsx";
import type { StepOptions } from "./offered.ts";
import { Partners } from "../partners/partners.tsx";
import { toTitle } from "../../fields/titles.ts";
import { Vendors } from "./vendors.tsx";

interface StepFormProps {
  at: string;
  step: Step;
  offered: StepOptions;
  isLocked: boolean;
  onRemove: () => void;
}

/** Fields without an input here: vendors have their own list, a step's `strings` are set through the API. */
const elsewhere = new Set(["vendors", "strings"]);
/** The order in which a visitor reads the fields; technical fields come last. */
const order = ["topTitle", "title", "subTitle", "message", "image"];

/** The form of a step, with the fields of its layout. */
export function StepForm({ at, step, offered, isLocked, onRemove }: StepFormProps) {
  const { steps: texts } = editorWords.value;
  const { draft, findings } = useEditing();
  const mayWrite = useMayWrite("/steps");
  const lang = findAt(draft.doc.value, "/language") as string | undefined;
  const own = Object.entries(schemaAt(fields.cookies, "/steps/0")?.properties ?? {});
  const names = own
    .filter(([, schema]) => schema["x-layouts"]?.includes(step.layout) !== false)
    .map(([name]) => name)
    .filter((name) => !elsewhere.has(name));
  const sorted = [
    ...order.filter((name) => names.includes(name)),
    ...names.filter((name) => !order.includes(name)),
  ];
  const hasVendors = own.some(
    ([name, schema]) => name === "vendors" && schema["x-layouts"]?.includes(step.layout) !== false,
  );
  return (
    <section class="card">
      <h2>{toTitle(step)}</h2>
      {isLocked && (
        <p class="note bad">
          {texts.lockedNow} {describeLock(step.layout, offered)}
        </p>
      )}
      <FindingNotes findings={findings.filter(({ path }) => path === at)} />
      {sorted
        .filter((name) => name !== "layout")
        .filter((name) => name !== "showToggleAllSwitch" || hasVendors)
        .map((name) => (
          <Bound key={name} at={`${at}/${name}`} lang={order.includes(name) ? lang : undefined} />
        ))}
      {hasVendors && <Vendors at={`${at}/vendors`} known={offered.vendors} lang={lang} />}
      {step.layout === "iab" && <Partners />}
      <LayoutFaults at={at} />
      {mayWrite && <DangerLink text={texts.remove} onClick={onRemove} />}
    </section>
  );
}

/** The layout is chosen when a step is created; errors about it are shown here. */
function LayoutFaults({ at }: { at: string }) {
  const { fault } = useAt(`${at}/layout`);
  if (fault === undefined) return null;
  return (
    <p class="fault" lang="en">
      {fault}
    </p>
  );
}
