import { useState } from "preact/hooks";
import type { TcfVendor } from "@avow/client/operations";
import { Problem } from "@avow/client/problem";
import { type Tcf, readTcf, saveTcf } from "../../../data/tcf.ts";
import { useLoad } from "../../../data/use-load.ts";
import { Field, Form } from "../../../ui/forms/form.tsx";
import { Icon } from "../../../ui/icons.tsx";
import { LoadView } from "../../../ui/load-view.tsx";
import { notify } from "../../../ui/toast.tsx";
import { tcfWords } from "../../../words/tcf/words.ts";
import { useEditing } from "../../fields/editing.ts";
import { PickPartners } from "./pick-partners.tsx";
import { toPurposes } from "./purposes.ts";

const CMP = { least: 2, most: 4_095 };

/** The project's TCF partners, which steps with the layout `iab` ask for. */
export function Partners() {
  const texts = tcfWords.value;
  const { draft } = useEditing();
  const projectId = String(draft.doc.value["projectId"]);
  const loaded = useLoad(() => readTcf(projectId), [projectId]);
  return (
    <div class="vendors">
      <h3>{texts.title}</h3>
      <p class="soft">{texts.lead}</p>
      <LoadView of={loaded} lines={4}>
        {(tcf, reload) => (
          <Chosen
            tcf={tcf}
            onSave={async (change) => {
              await saveTcf(projectId, tcf, change);
              notify(texts.saved);
              reload();
              // The banner has not changed, but the publication has: this reloads the preview.
              draft.change({ ...draft.doc.peek() });
            }}
          />
        )}
      </LoadView>
    </div>
  );
}

interface ChosenProps {
  tcf: Tcf;
  onSave: (change: Parameters<typeof saveTcf>[2]) => Promise<void>;
}

function Chosen({ tcf, onSave }: ChosenProps) {
  const texts = tcfWords.value;
  const { mayWrite } = useEditing();
  const [isPicking, setPicking] = useState(false);
  const { settings, listed } = tcf;
  const ids = settings?.vendors ?? [];
  const byId = new Map((listed ?? []).map((one) => [one.id, one]));
  return (
    <>
      {listed === undefined && <p class="note warn">{texts.noList}</p>}
      <p class="soft">{ids.length === 0 ? texts.none : texts.count(ids.length)}</p>
      <ul class="rows partners">
        {ids.map((id) => (
          <li key={id}>
            <Partner vendor={byId.get(id)} id={id} />
          </li>
        ))}
      </ul>
      {mayWrite && listed && (
        <button type="button" class="button small" onClick={() => setPicking(true)}>
          <Icon name="plus" />
          {texts.choose}
        </button>
      )}
      {isPicking && listed && (
        <PickPartners
          listed={listed}
          chosen={ids}
          onTake={async (vendors) => {
            await onSave({ vendors: [...vendors] });
            setPicking(false);
          }}
          onClose={() => setPicking(false)}
        />
      )}
      {mayWrite && <Registration key={settings?.version} tcf={tcf} onSave={onSave} />}
    </>
  );
}

function Partner({ vendor, id }: { vendor: TcfVendor | undefined; id: number }) {
  const texts = tcfWords.value;
  if (!vendor) return <span class="soft">{texts.struck(id)}</span>;
  return (
    <>
      <span>
        {vendor.name}
        <span class="soft under">{toPurposes(vendor)}</span>
      </span>
      {vendor.policyUrl !== undefined && (
        <a href={vendor.policyUrl} target="_blank" rel="noreferrer">
          {texts.policy}
          <span class="hidden"> {vendor.name}</span>
        </a>
      )}
    </>
  );
}

/** The CMP id of the service's operator and the country of the publisher. */
function Registration({ tcf: { settings }, onSave }: ChosenProps) {
  const texts = tcfWords.value;
  return (
    <Form
      submit={texts.save}
      isPlain
      toText={({ path }) => (path === "/cmpId" ? texts.wrongCmp : texts.wrongCountry)}
      onSubmit={async ({ cmpId = "", publisherCC = "" }) => {
        const number = Number(cmpId);
        const isNumber = Number.isInteger(number) && number >= CMP.least && number <= CMP.most;
        if (!isNumber) throw toWrong("/cmpId");
        if (publisherCC !== "" && !/^[A-Za-z]{2}$/.test(publisherCC)) throw toWrong("/publisherCC");
        const country = publisherCC === "" ? {} : { publisherCC: publisherCC.toUpperCase() };
        await onSave({ cmpId: number, ...country });
      }}
    >
      <Field
        name="cmpId"
        label={texts.cmp}
        hint={texts.cmpHint}
        inputMode="numeric"
        value={settings?.cmpId === undefined ? "" : String(settings.cmpId)}
        required
      />
      <Field
        name="publisherCC"
        label={texts.country}
        hint={texts.countryHint}
        maxLength={2}
        value={settings?.publisherCC ?? ""}
      />
    </Form>
  );
}

function toWrong(path: string): Problem {
  return new Problem("invalid", { errors: [{ path, message: "is none" }] });
}
