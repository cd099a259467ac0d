import { useState } from "preact/hooks";
import type { RegionRule, Step } from "@avow/client/operations";
import { ANY_REGION, expandRegions } from "@avow/contract/regions";
import type { ConfigurationKind, Doc } from "../../../data/documents/documents.ts";
import type { Content, PreviewInput } from "../../../preview/messages.ts";
import { toLanguageName } from "../../../browser/format.ts";
import { Dialog } from "../../../ui/forms/dialog.tsx";
import { toFaultText } from "../../../ui/forms/faults.tsx";
import { editorWords } from "../../../words/editor.ts";
import { regionWords } from "../../../words/regions/words.ts";
import { toRuleName } from "../../fields/region-names.ts";
import { PreviewFrame } from "./frame.tsx";
import { toTitle } from "../../fields/titles.ts";
import type { Previewed } from "./use-preview.ts";

const devices = {
  phone: [390, 700],
  tablet: [820, 900],
  desktop: [1_280, 800],
} as const;
type Device = keyof typeof devices;
/** A code of no country (ISO 3166-1, user-assigned), which only the rule for all others matches. */
const NOWHERE = "ZZ";
const zooms = ["fit", "whole"] as const;
type Zoom = (typeof zooms)[number];
const deviceNames = Object.keys(devices) as Device[];

interface PreviewPanelProps {
  kind: ConfigurationKind;
  doc: Doc;
  previewed: Previewed;
  step?: number;
  onStep?: (step: number) => void;
}

/** The preview of the edited configuration, by device, color scheme, language and step; also in the full window. */
export function PreviewPanel({ kind, doc, previewed, step = 0, onStep }: PreviewPanelProps) {
  const { preview: texts } = editorWords.value;
  const [device, setDevice] = useState<Device>(
    kind !== "cookies" || matchMedia("(max-width: 48rem)").matches ? "phone" : "desktop",
  );
  const [scheme, setScheme] = useState<PreviewInput["scheme"]>("light");
  const [other, setOther] = useState<string>();
  const [rule, setRule] = useState(0);
  const [isReopened, setReopened] = useState(false);
  const [isFull, setFull] = useState(false);
  const [zoom, setZoom] = useState<Zoom>("whole");
  const [revision, setRevision] = useState(0);
  const content: Content | undefined = previewed.preview?.content;
  const spoken = (content?.[kind] ?? []).filter(
    ({ identifier, language }) => identifier === doc.id || language !== undefined,
  );
  const identifier = spoken.some((one) => one.identifier === other) ? (other ?? doc.id) : doc.id;
  const rules = ((kind === "cookies" && doc["regions"]) || []) as RegionRule[];
  const region = toExample(rules[rule] ?? rules[0]);
  const [width, height] = devices[device];
  const drawing = (
    <>
      <div class="preview-bar">
        <Looks {...{ device, setDevice, scheme, setScheme }} />
        {kind === "cookies" && (
          <StepChoice
            steps={(doc["steps"] ?? []) as Step[]}
            value={isReopened ? "choices" : String(step)}
            onChange={(next) => {
              setReopened(next === "choices");
              if (next !== "choices") onStep?.(Number(next));
            }}
          />
        )}
        {rules.length > 0 && (
          <Select
            label={regionWords.value.preview}
            value={String(rule)}
            options={rules.map((one, at) => [String(at), toRuleName(one)])}
            onChange={(at) => setRule(Number(at))}
          />
        )}
        {spoken.length > 1 && (
          <Select
            label={texts.language}
            value={identifier}
            options={spoken.map((one) => [one.identifier, toSpoken(one)])}
            onChange={setOther}
          />
        )}
        <button type="button" class="button small" onClick={() => setRevision((now) => now + 1)}>
          {texts.again}
        </button>
        {isFull ? (
          <Segments
            label={texts.zoom}
            value={zoom}
            options={zooms.map((one) => [one, texts.zooms[one]])}
            onChange={setZoom}
          />
        ) : (
          <button type="button" class="button small" onClick={() => setFull(true)}>
            {texts.full}
          </button>
        )}
      </div>
      <Notes previewed={previewed} />
      {content && (
        <PreviewFrame
          shown={{ kind, identifier, content, scheme, step: isReopened ? "choices" : step, region }}
          width={width}
          height={height}
          isWhole={isFull && zoom === "whole"}
          revision={revision}
        />
      )}
    </>
  );
  return (
    <section class="preview" aria-label={texts.title}>
      {isFull ? (
        <Dialog title={texts.title} isWhole onClose={() => setFull(false)}>
          {drawing}
        </Dialog>
      ) : (
        drawing
      )}
      <p class="hint">{texts.hint}</p>
    </section>
  );
}

/** A region to which a rule applies. */
function toExample(rule: RegionRule | undefined): string | undefined {
  const [first] = expandRegions(rule?.in ?? []);
  return first === ANY_REGION ? NOWHERE : first;
}

interface LooksProps {
  device: Device;
  setDevice: (device: Device) => void;
  scheme: PreviewInput["scheme"];
  setScheme: (scheme: PreviewInput["scheme"]) => void;
}

function Looks({ device, setDevice, scheme, setScheme }: LooksProps) {
  const { preview: texts } = editorWords.value;
  return (
    <>
      <Segments
        label={texts.device}
        value={device}
        options={deviceNames.map((one) => [one, texts.devices[one]])}
        onChange={setDevice}
      />
      <Segments
        label={texts.scheme}
        value={scheme}
        options={[
          ["light", texts.schemes.light],
          ["dark", texts.schemes.dark],
        ]}
        onChange={setScheme}
      />
    </>
  );
}

interface StepChoiceProps {
  steps: readonly Step[];
  value: string;
  onChange: (value: string) => void;
}

function StepChoice({ steps, value, onChange }: StepChoiceProps) {
  const { preview: texts } = editorWords.value;
  if (steps.length === 0) return null;
  const options = steps.map((one, at): [string, string] => [String(at), toTitle(one)]);
  return (
    <Select
      label={texts.step}
      value={value}
      options={[...options, ["choices", texts.choices]]}
      onChange={onChange}
    />
  );
}

function Notes({ previewed: { preview, problem } }: { previewed: Previewed }) {
  const { preview: texts } = editorWords.value;
  if (!problem) return preview ? null : <p class="soft">{texts.working}</p>;
  return (
    <p class="note warn" role="status">
      {preview ? texts.stale : texts.failed} {problem.kind !== "invalid" && toFaultText(problem)}
    </p>
  );
}

function toSpoken({ language, identifier }: { language?: string; identifier: string }): string {
  return language === undefined ? identifier : toLanguageName(language);
}

interface SegmentsProps<T extends string> {
  label: string;
  value: T;
  options: readonly (readonly [value: T, text: string])[];
  onChange: (value: T) => void;
}

/** A group of toggle buttons. */
function Segments<T extends string>({ label, value, options, onChange }: SegmentsProps<T>) {
  return (
    <div class="segments" role="group" aria-label={label}>
      {options.map(([one, text]) => (
        <button key={one} type="button" aria-pressed={one === value} onClick={() => onChange(one)}>
          {text}
        </button>
      ))}
    </div>
  );
}

function Select({ label, value, options, onChange }: SegmentsProps<string>) {
  return (
    <select
      class="inline"
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      {options.map(([one, text]) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </select>
  );
}
