import { useMemo, useRef, useState } from "preact/hooks";
import {
  type PublishJob,
  type ScanWithResult,
  createCookieConfiguration,
  patchCookieConfiguration,
  patchProject,
  publishProject,
  startScan,
} from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { toLanguageName } from "../../browser/format.ts";
import { toHref } from "../../browser/router.ts";
import type { ShownProject } from "../../data/projects/project.ts";
import { type Proposed, guessLanguage, toBanner, toTextLanguage } from "../../ready-made/banner.ts";
import {
  commonServices,
  findScannedLanguage,
  listFound,
  listUnknownHosts,
  toHostVendor,
} from "../../ready-made/proposal.ts";
import { type Kind, kinds, textLanguages } from "../../ready-made/texts.ts";
import { Choice, Form } from "../../ui/forms/form.tsx";
import { scanWords } from "../../words/scans/words.ts";
import { startWords } from "../../words/start/words.ts";
import { language } from "../../words/words.ts";
import { type SiteColors, SitePreview } from "./site-preview.tsx";

/** The common services that are selected initially. */
const usual: readonly string[] = ["google_analytics"];

interface OfferProps {
  project: ShownProject;
  /** The newest scan; it may have failed. */
  scan: ScanWithResult | undefined;
  onPublish: (job: PublishJob) => void;
  /** Called after a scan has started. */
  onScan: () => void;
}

/** A banner made of what the scan has found, or of common services, over the website's own picture. */
export function Offer({ project, scan, onPublish, onScan }: OfferProps) {
  const texts = startWords.value;
  const result = scan?.result ?? undefined;
  const offered = useMemo(() => (result ? listFound(result) : commonServices), [result]);
  const unknown = useMemo(() => (result ? listUnknownHosts(result) : []), [result]);
  const siteColors = toColors(result?.appearance);
  const [spoken, setSpoken] = useState(
    () => (result && findScannedLanguage(result)) ?? guessLanguage(project.site, language.peek()),
  );
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(result ? offered.map(({ name }) => name) : usual),
  );
  const [sorted, setSorted] = useState<Readonly<Record<string, Kind>>>({});
  const [hasColors, setHasColors] = useState(siteColors !== undefined);
  // The id of the created banner, reused if its publication failed.
  const made = useRef<string>(undefined);
  const colors = hasColors ? siteColors : undefined;
  const body = useMemo(() => {
    const hosts = unknown.flatMap((host) => {
      const kind = sorted[host];
      return kind === undefined ? [] : [toHostVendor(host, kind)];
    });
    const all = [...offered.filter(({ name }) => chosen.has(name)), ...hosts];
    return toBanner({ projectId: project.id, language: spoken, chosen: all });
  }, [offered, chosen, sorted, spoken]);
  const publish = async (): Promise<void> => {
    const path = { documentId: project.id };
    if (colors) await send(patchProject, { path, body: { colors } });
    if (made.current === undefined)
      made.current = (await send(createCookieConfiguration, { body })).id;
    else await send(patchCookieConfiguration, { path: { documentId: made.current }, body });
    onPublish(await send(publishProject, { path: { id: project.id } }));
  };
  return (
    <div class="start-halves">
      <div class="cards">
        {!result && (
          <Unscanned
            reason={scan?.status === "Error" ? (scan.message ?? "") : undefined}
            onStart={async () => {
              await send(startScan, { path: { projectId: project.id }, body: { pages: 3 } });
              onScan();
            }}
          />
        )}
        <section class="card">
          <Form
            submit={texts.publish}
            aside={
              <a class="button ghost" href={toHref(`/projects/${project.id}`)}>
                {texts.later}
              </a>
            }
            onSubmit={publish}
          >
            <Services
              legend={result ? texts.found(offered.length) : texts.services}
              offered={offered}
              chosen={chosen}
              onChange={setChosen}
            />
            {result && offered.length === 0 && <p class="soft">{texts.foundNone}</p>}
            {unknown.length > 0 && <Unknown hosts={unknown} sorted={sorted} onChange={setSorted} />}
            <Choice
              name="language"
              label={texts.language}
              value={spoken}
              onChange={(code) => setSpoken(toTextLanguage(code) ?? spoken)}
              options={textLanguages.map((code) => [code, toLanguageName(code)])}
            />
            {result?.appearance && result.appearance.languages.length > 1 && (
              <p class="hint">
                {texts.languagesFound(result.appearance.languages.map(toLanguageName).join(", "))}
              </p>
            )}
            {siteColors && (
              <ColorChoice
                colors={siteColors}
                isOn={hasColors}
                onChange={() => setHasColors(!hasColors)}
              />
            )}
          </Form>
        </section>
      </div>
      <SitePreview
        project={project}
        banner={body}
        colors={colors}
        screenshots={result?.appearance?.screenshots}
      />
    </div>
  );
}

type Appearance = NonNullable<NonNullable<ScanWithResult["result"]>["appearance"]>;

/** Colors for the banner: only pairs whose contrast the scan has measured. */
function toColors(appearance: Appearance | undefined): SiteColors | undefined {
  const { background, text, accent } = appearance?.colors ?? {};
  const colors = {
    ...(accent && { main: accent }),
    ...(background && text && { background, text, title: text }),
  };
  return Object.keys(colors).length === 0 ? undefined : colors;
}

function Unscanned({
  reason,
  onStart,
}: {
  reason: string | undefined;
  onStart: () => Promise<void>;
}) {
  const texts = startWords.value;
  return (
    <section class="card">
      <p>{reason === undefined ? texts.unscanned : texts.failed}</p>
      {reason !== undefined && (
        <p class="note warn" lang="en">
          {reason}
        </p>
      )}
      <Form
        submit={reason === undefined ? texts.scan : texts.scanAgain}
        isPlain
        onSubmit={onStart}
      />
    </section>
  );
}

interface ServicesProps {
  legend: string;
  offered: readonly Proposed[];
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
}

function Services({ legend, offered, chosen, onChange }: ServicesProps) {
  const { categories } = scanWords.value;
  const toggle = (name: string): void => {
    const next = new Set(chosen);
    if (!next.delete(name)) next.add(name);
    onChange(next);
  };
  return (
    <fieldset class="checks">
      <legend>{legend}</legend>
      {offered.map(({ name, title, kind }) => (
        <label key={name} class="check">
          <input type="checkbox" checked={chosen.has(name)} onChange={() => toggle(name)} />
          <span>
            {title}
            <small>{categories[kind]}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

interface UnknownProps {
  hosts: readonly string[];
  sorted: Readonly<Record<string, Kind>>;
  onChange: (sorted: Readonly<Record<string, Kind>>) => void;
}

/** Hosts that the catalogue does not know, for the user to sort. */
function Unknown({ hosts, sorted, onChange }: UnknownProps) {
  const texts = startWords.value;
  const { categories } = scanWords.value;
  return (
    <details class="unknown">
      <summary>{texts.unknown(hosts.length)}</summary>
      <p class="hint">{texts.unknownLead}</p>
      {hosts.map((host) => (
        <Choice
          key={host}
          name={`host-${host}`}
          label={host}
          value={sorted[host] ?? ""}
          onChange={(chosen) => {
            const { [host]: _, ...others } = sorted;
            const kind = kinds.find((one) => one === chosen);
            onChange(kind === undefined ? others : { ...others, [host]: kind });
          }}
          options={[["", texts.unsorted], ...kinds.map((one) => [one, categories[one]] as const)]}
        />
      ))}
    </details>
  );
}

interface ColorChoiceProps {
  colors: SiteColors;
  isOn: boolean;
  onChange: () => void;
}

function ColorChoice({ colors, isOn, onChange }: ColorChoiceProps) {
  const texts = startWords.value;
  const shown = (["main", "background", "text"] as const).filter((name) => colors[name]);
  return (
    <label class="check">
      <input type="checkbox" checked={isOn} onChange={onChange} />
      <span>
        {texts.colors}
        <small class="site-colors">
          {shown.map((name) => (
            <span key={name} class="site-color">
              <span aria-hidden="true" style={{ background: colors[name] ?? "" }} />
              {texts.colorNames[name]}
            </span>
          ))}
        </small>
      </span>
    </label>
  );
}
