import { useId } from "preact/hooks";
import { consentModels } from "@avow/contract/regions";
import { isVendor } from "@avow/contract/vendors";
import type { RegionRule, Step } from "@avow/client/operations";
import { DangerLink } from "../../../ui/forms/danger-link.tsx";
import { Icon } from "../../../ui/icons.tsx";
import { regionWords } from "../../../words/regions/words.ts";
import { Bound, Described, FindingNotes } from "../../fields/bound.tsx";
import { useAt, useEditing, useMayWrite } from "../../fields/editing.ts";
import { toRuleName } from "../../fields/region-names.ts";
import { useRemoving } from "./removing.tsx";

/** The rules that the laws of most visitors require. */
const usual: readonly RegionRule[] = [
  { in: ["EEA", "GB", "CH", "BR", "CA-QC"], model: "opt-in" },
  { in: ["US_PRIVACY", "CA"], model: "opt-out" },
  { in: ["*"], model: "notice" },
];

/** The rules by region of a banner. */
export function Regions() {
  const texts = regionWords.value;
  const { value, findings, change, mayWrite } = useAt("/regions");
  const rules = (value ?? []) as RegionRule[];
  const removing = useRemoving({
    list: rules,
    change: (next) => change(next.length > 0 ? next : undefined),
    entries: ":scope > fieldset input",
  });
  return (
    <div ref={removing.around} class="cards">
      <p class="soft">
        {texts.lead} {texts.source}
      </p>
      <FindingNotes findings={findings} />
      {removing.note}
      {rules.map((rule, n) => (
        <Rule
          key={removing.keys[n]}
          at={`/regions/${n}`}
          rule={rule}
          onRemove={() => removing.remove(n, texts.removed(toRuleName(rule)))}
        />
      ))}
      {mayWrite && (
        <div class="actions">
          {rules.length === 0 && (
            <button type="button" class="button small" onClick={() => change(usual)}>
              {texts.usual}
            </button>
          )}
          <button
            type="button"
            class="button small"
            onClick={() => {
              removing.forget();
              change([...rules, { in: ["*"], model: "opt-in" }]);
            }}
          >
            <Icon name="plus" />
            {texts.add}
          </button>
        </div>
      )}
    </div>
  );
}

interface RuleProps {
  at: string;
  rule: RegionRule;
  onRemove: () => void;
}

function Rule({ at, rule, onRemove }: RuleProps) {
  const texts = regionWords.value;
  const { draft, findings } = useEditing();
  const mayWrite = useMayWrite("/regions");
  const lang = draft.doc.value["language"] as string | undefined;
  return (
    <fieldset class="card row-list">
      <legend>{toRuleName(rule)}</legend>
      <FindingNotes findings={findings.filter(({ path }) => path === `${at}/in`)} />
      <Codes at={`${at}/in`} />
      <Model at={`${at}/model`} />
      {rule.model !== "opt-in" && <Defaults at={`${at}/defaults`} />}
      <details open={rule.title !== undefined || rule.message !== undefined}>
        <summary>{texts.texts}</summary>
        <Bound at={`${at}/title`} lang={lang} />
        <Bound at={`${at}/message`} lang={lang} />
      </details>
      {mayWrite && <DangerLink text={texts.remove} onClick={onRemove} />}
    </fieldset>
  );
}

/** The codes of a rule's regions. */
function Codes({ at }: { at: string }) {
  const { regions, regionsHint } = regionWords.value;
  const { value, itemFault, mayWrite, change } = useAt(at);
  const id = useId();
  return (
    <Described id={id} label={regions} hint={regionsHint} fault={itemFault}>
      {(described) => (
        <input
          {...described}
          type="text"
          autocapitalize="characters"
          spellcheck={false}
          readOnly={!mayWrite}
          defaultValue={((value ?? []) as string[]).join(", ")}
          onInput={({ currentTarget }) =>
            change(
              currentTarget.value
                .toUpperCase()
                .split(/[\s,;]+/)
                .filter(Boolean),
            )
          }
        />
      )}
    </Described>
  );
}

function Model({ at }: { at: string }) {
  const { model, models } = regionWords.value;
  const { value, fault, findings, mayWrite, change } = useAt(at);
  const id = useId();
  return (
    <Described id={id} label={model} fault={fault} findings={findings}>
      {(described) => (
        <select
          {...described}
          disabled={!mayWrite}
          value={String(value)}
          onChange={({ currentTarget }) => change(currentTarget.value)}
        >
          {consentModels.map((one) => (
            <option key={one} value={one}>
              {models[one]}
            </option>
          ))}
        </select>
      )}
    </Described>
  );
}

/** Whether each vendor runs before an answer. */
function Defaults({ at }: { at: string }) {
  const { draft } = useEditing();
  const { value, findings, mayWrite, change } = useAt(at);
  const defaults = (value ?? {}) as Record<string, boolean>;
  const steps = (draft.doc.value["steps"] ?? []) as Step[];
  const vendors = steps
    .flatMap((step) => step.vendors ?? [])
    .filter(isVendor)
    .filter(({ required }) => required !== true);
  if (vendors.length === 0) return null;
  return (
    <fieldset class="checks">
      <legend>{regionWords.value.defaults}</legend>
      <FindingNotes findings={findings} />
      {vendors.map(({ name, title }) => (
        <label key={name} class="check">
          <input
            type="checkbox"
            checked={defaults[name] !== false}
            disabled={!mayWrite}
            onChange={({ currentTarget: { checked } }) => {
              const { [name]: _, ...rest } = defaults;
              const next = checked ? rest : { ...rest, [name]: false };
              change(Object.keys(next).length > 0 ? next : undefined);
            }}
          />
          <span>{title || name}</span>
        </label>
      ))}
    </fieldset>
  );
}
