import { readObject } from "@avow/contract/json";
import { useId } from "preact/hooks";
import { toNumber } from "../../browser/format.ts";
import { Badge, Card } from "../../ui/parts.tsx";
import { editorWords } from "../../words/editor.ts";
import { Bound, Described } from "../fields/bound.tsx";
import { toContrast } from "@avow/contract/contrast";
import { toContrastLevel, toHex, toReadable } from "./contrast.ts";
import { useAt } from "../fields/editing.ts";

/** The widget's default colors in the light scheme. */
const ownColors = { main: "#1f6feb", background: "#ffffff", text: "#1d1d1f", title: "#1d1d1f" };
type ColorName = keyof typeof ownColors;
const colorNames = Object.keys(ownColors) as ColorName[];

/** The design of the project: colors with their contrast, position, shape and fonts. */
export function Design() {
  const { design } = editorWords.value;
  return (
    <div class="cards">
      <p class="soft">{design.lead}</p>
      <Card title={design.colors}>
        {colorNames.map((name) => (
          <ColorField key={name} name={name} />
        ))}
        <Contrasts />
      </Card>
      <Card title={design.shape}>
        <Named at="/widgetStyle/position" label={design.position} options={design.positions} />
        <Named at="/widgetStyle/colorScheme" label={design.scheme} options={design.schemes} />
        <Pixels at="/widgetStyle/borderRadius" label={design.radius} max={40} />
        <Pixels at="/widgetStyle/padding" label={design.padding} max={48} />
      </Card>
      <Card title={design.fonts}>
        <Bound at="/fonts/title" label={design.titleFont} hint={design.fontHint} />
        <Bound at="/fonts/text" label={design.textFont} />
      </Card>
    </div>
  );
}

function ColorField({ name }: { name: ColorName }) {
  const { design } = editorWords.value;
  const at = useAt(`/colors/${name}`);
  const id = useId();
  const text = typeof at.value === "string" ? at.value : "";
  const hex = text === "" ? undefined : toHex(text);
  const fault = text !== "" && hex === undefined ? design.unknown : at.fault;
  const label = design.names[name];
  return (
    <Described id={id} at={`/colors/${name}`} label={label} fault={fault} findings={at.findings}>
      {(described) => (
        <div class="color-field">
          <input
            type="color"
            aria-label={design.pick(label)}
            disabled={!at.mayWrite}
            value={hex ?? ownColors[name]}
            onInput={({ currentTarget: { value } }) => at.change(value)}
          />
          <input
            {...described}
            type="text"
            spellcheck={false}
            maxLength={100}
            readOnly={!at.mayWrite}
            placeholder={ownColors[name]}
            value={text}
            onInput={({ currentTarget: { value } }) => at.change(value || undefined)}
          />
        </div>
      )}
    </Described>
  );
}

/** The contrast of each color with its background. */
function Contrasts() {
  const { design } = editorWords.value;
  const colors = readObject(useAt("/colors").value);
  const of = (name: ColorName): string => {
    const own = colors[name];
    return (typeof own === "string" ? toHex(own) : undefined) ?? ownColors[name];
  };
  const { names } = design;
  const pairs: [text: string, front: string, back: string, isLarge: boolean][] = [
    [design.on(names.text, names.background), of("text"), of("background"), false],
    [design.on(names.title, names.background), of("title"), of("background"), true],
    [design.on(names.main, names.background), of("main"), of("background"), true],
    [design.on(design.buttonText, names.main), toReadable(of("main")), of("main"), false],
  ];
  return (
    <section aria-label={design.contrast}>
      <h3>{design.contrast}</h3>
      <ul class="contrasts">
        {pairs.map(([text, front, back, isLarge]) => {
          const contrast = toContrast(front, back);
          const level = toContrastLevel(contrast);
          const isEnough = level === "AAA" || level === "AA" || (level === "large" && isLarge);
          const label = level === "fails" || !isEnough ? design.fails : design.large;
          return (
            <li key={text}>
              <Sample front={front} back={back} />
              <span>{text}</span>
              <span class="soft">{toNumber(Math.floor(contrast * 10) / 10)} : 1</span>
              <Badge tone={isEnough ? "good" : "bad"}>
                {level === "AAA" || level === "AA" ? level : label}
              </Badge>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Sample({ front, back }: { front: string; back: string }) {
  return (
    <span class="sample" aria-hidden="true" style={{ color: front, background: back }}>
      Aa
    </span>
  );
}

interface NamedProps {
  at: string;
  label: string;
  options: Readonly<Record<string, string>>;
}

function Named({ at, label, options }: NamedProps) {
  const { value, fault, findings, mayWrite, change } = useAt(at);
  const id = useId();
  const text = typeof value === "string" ? value : "";
  return (
    <Described id={id} at={at} label={label} fault={fault} findings={findings}>
      {(described) => (
        <select
          {...described}
          disabled={!mayWrite}
          value={text}
          onChange={({ currentTarget }) => change(currentTarget.value || undefined)}
        >
          {!(text in options) && <option value={text}>{text}</option>}
          {Object.entries(options).map(([one, name]) => (
            <option key={one} value={one}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Described>
  );
}

function Pixels({ at, label, max }: { at: string; label: string; max: number }) {
  const { value, fault, findings, mayWrite, change } = useAt(at);
  const id = useId();
  return (
    <Described id={id} at={at} label={label} fault={fault} findings={findings}>
      {(described) => (
        <input
          {...described}
          type="number"
          min={0}
          max={max}
          readOnly={!mayWrite}
          value={typeof value === "number" ? value : ""}
          onInput={({ currentTarget: { value: typed } }) =>
            change(typed === "" ? undefined : Number(typed))
          }
        />
      )}
    </Described>
  );
}
