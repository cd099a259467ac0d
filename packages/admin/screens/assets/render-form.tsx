import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import type { RenderOptions } from "../../data/assets.ts";
import { Notes, describe } from "../../ui/forms/notes.tsx";
import { assetWords } from "../../words/assets/words.ts";

const SIDE_MAX = 4_096;
const densities = { "": "1", "1.5": "1.5", "2": "2", "3": "3" };

interface RenderFormProps {
  asked: RenderOptions;
  onChange: (next: RenderOptions) => void;
}

/** The parameters of a render, without those that have no effect in combination. */
export function RenderForm({ asked, onChange }: RenderFormProps) {
  const texts = assetWords.value.builder;
  const put = <K extends keyof RenderOptions>(name: K, value: RenderOptions[K] | undefined): void =>
    onChange(toPlain({ ...asked, [name]: value }));
  const isCut = asked.fit === "crop";
  return (
    <div class="render-form">
      <NumberField
        label={texts.width}
        value={asked.w}
        max={SIDE_MAX}
        onValue={(w) => put("w", w)}
      />
      <NumberField
        label={texts.height}
        value={asked.h}
        max={SIDE_MAX}
        onValue={(h) => put("h", h)}
      />
      <Select
        label={texts.fit}
        value={asked.fit ?? "clip"}
        options={texts.fits}
        onValue={(fit) => put("fit", fit === "clip" ? undefined : (fit as RenderOptions["fit"]))}
      />
      <Select
        label={texts.density}
        value={asked.dpr === undefined ? "" : String(asked.dpr)}
        options={densities}
        onValue={(dpr) => put("dpr", dpr === "" ? undefined : Number(dpr))}
      />
      {isCut && (
        <Select
          label={texts.keep}
          value={asked.crop ?? "center"}
          options={texts.keeps}
          onValue={(crop) => put("crop", crop === "center" ? undefined : crop)}
        />
      )}
      <Select
        label={texts.format}
        value={asked.fm ?? ""}
        options={texts.formats}
        onValue={(fm) => put("fm", fm === "" ? undefined : (fm as RenderOptions["fm"]))}
      />
      <NumberField
        label={texts.quality}
        hint={texts.qualityHint}
        value={asked.q}
        max={100}
        onValue={(q) => put("q", q)}
      />
      <Background value={asked.bg} onValue={(bg) => put("bg", bg)} />
      <label class="check">
        <input
          type="checkbox"
          checked={asked.auto === "compress"}
          onChange={({ currentTarget: { checked } }) =>
            put("auto", checked ? "compress" : undefined)
          }
        />
        <span>{texts.compress}</span>
      </label>
    </div>
  );
}

const names = ["w", "h", "dpr", "fit", "crop", "bg", "fm", "q", "auto"] as const;

/** The defined parameters in a fixed order. `crop` applies only to `fit=crop`. */
function toPlain(asked: {
  [K in keyof RenderOptions]: RenderOptions[K] | undefined;
}): RenderOptions {
  const given = names.filter((name) => name !== "crop" || asked.fit === "crop");
  const pairs = given.map((name) => [name, asked[name]] as const);
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
}

interface FieldProps {
  label: string;
  hint?: string;
  children: (described: { id: string; "aria-describedby"?: string }) => ComponentChildren;
}

function Labelled({ label, hint, children }: FieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, ...describe({ id, hint }) })}
      <Notes id={id} hint={hint} />
    </div>
  );
}

interface NumberFieldProps {
  label: string;
  hint?: string;
  value: number | undefined;
  max: number;
  onValue: (value: number | undefined) => void;
}

/** A positive integer. Invalid input is marked by the browser and not passed on. */
function NumberField({ label, hint, value, max, onValue }: NumberFieldProps) {
  return (
    <Labelled label={label} {...(hint === undefined ? {} : { hint })}>
      {(described) => (
        <input
          {...described}
          type="number"
          inputMode="numeric"
          min={1}
          max={max}
          step={1}
          value={value ?? ""}
          onInput={({ currentTarget }) => {
            const { valueAsNumber, validity } = currentTarget;
            currentTarget.setAttribute("aria-invalid", String(!validity.valid));
            if (!validity.valid) return;
            onValue(Number.isNaN(valueAsNumber) ? undefined : valueAsNumber);
          }}
        />
      )}
    </Labelled>
  );
}

interface SelectProps {
  label: string;
  value: string;
  options: Readonly<Record<string, string>>;
  onValue: (value: string) => void;
}

function Select({ label, value, options, onValue }: SelectProps) {
  return (
    <Labelled label={label}>
      {(described) => (
        <select
          {...described}
          value={value}
          onChange={({ currentTarget }) => onValue(currentTarget.value)}
        >
          {Object.entries(options).map(([one, text]) => (
            <option key={one} value={one}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

const colorPattern = /^[0-9A-Fa-f]{6}$/;

function Background({
  value,
  onValue,
}: {
  value: string | undefined;
  onValue: (value: string | undefined) => void;
}) {
  const texts = assetWords.value.builder;
  return (
    <Labelled label={texts.background} hint={texts.backgroundHint}>
      {(described) => (
        <input
          {...described}
          type="text"
          spellcheck={false}
          maxLength={6}
          pattern={colorPattern.source}
          defaultValue={value ?? ""}
          key={value === undefined ? "none" : "some"}
          onInput={({ currentTarget }) => {
            const typed = currentTarget.value.trim();
            const isColor = colorPattern.test(typed);
            currentTarget.setAttribute("aria-invalid", String(typed !== "" && !isColor));
            if (typed === "" || isColor) onValue(typed === "" ? undefined : typed);
          }}
        />
      )}
    </Labelled>
  );
}
