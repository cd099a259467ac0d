import { useState } from "preact/hooks";
import {
  createCookieConfiguration,
  patchCookieConfiguration,
  publishProject,
} from "@avow/client/operations";
import { send } from "../../api/send.ts";
import {
  type ShownProject,
  countBanners,
  readProject,
  toHost,
} from "../../data/projects/project.ts";
import { useLoad } from "../../data/use-load.ts";
import { toLanguageName } from "../../browser/format.ts";
import { guessLanguage, services, toBanner, toTextLanguage } from "../../ready-made/banner.ts";
import {
  type ServiceName,
  type TextLanguage,
  textLanguages,
  texts,
} from "../../ready-made/texts.ts";
import { go, toHref } from "../../browser/router.ts";
import { Choice, Form } from "../../ui/forms/form.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty } from "../../ui/parts.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { language, words } from "../../words/words.ts";

/** The services that are selected initially. */
const usual: ServiceName[] = ["google_analytics"];

/**
 * Offers a ready-made banner in the website's language and publishes it. A project that has a banner gets no second
 * one.
 */
export default function Start({ projectId = "" }: { projectId?: string }) {
  const { ready } = words.value.create;
  const loaded = useLoad(
    () => Promise.all([readProject(projectId), countBanners(projectId)]),
    [projectId],
  );
  return (
    <Page title={ready.title} lead={ready.lead}>
      <LoadView of={loaded} lines={8}>
        {([project, banners]) =>
          banners === 0 ? <Offer project={project} /> : <BannerExists projectId={project.id} />
        }
      </LoadView>
    </Page>
  );
}

/** Shown if the project already has a banner. */
function BannerExists({ projectId }: { projectId: string }) {
  const { ready } = words.value.create;
  return (
    <Empty icon="banner" title={ready.there} text={ready.thereText}>
      <a class="button primary" href={toHref(`/projects/${projectId}/publish`)}>
        {ready.goPublish}
      </a>
      <a class="button" href={toHref(`/projects/${projectId}/cookies`)}>
        {ready.goChange}
      </a>
    </Empty>
  );
}

function Offer({ project }: { project: ShownProject }) {
  const { ready } = words.value.create;
  const [spoken, setSpoken] = useState(() => guessLanguage(project.site, language.peek()));
  const [chosen, setChosen] = useState<ReadonlySet<ServiceName>>(new Set(usual));
  // The id of the created banner, reused if its publication failed.
  const [made, setMade] = useState<string>();
  const toggle = (name: ServiceName): void => {
    const next = new Set(chosen);
    if (!next.delete(name)) next.add(name);
    setChosen(next);
  };
  return (
    <div class="halves">
      <div class="card">
        <Form
          submit={ready.publish}
          aside={
            <a class="button ghost" href={toHref(`/projects/${project.id}`)}>
              {ready.later}
            </a>
          }
          onSubmit={async () => {
            const body = toBanner({ projectId: project.id, language: spoken, chosen });
            if (made === undefined) setMade((await send(createCookieConfiguration, { body })).id);
            else await send(patchCookieConfiguration, { path: { documentId: made }, body });
            await send(publishProject, { path: { id: project.id } });
            go(`/projects/${project.id}`, { replace: true });
          }}
        >
          <Choice
            name="language"
            label={ready.language}
            value={spoken}
            onChange={(code) => setSpoken(toTextLanguage(code) ?? spoken)}
            options={textLanguages.map((code) => [code, toLanguageName(code)])}
          />
          <fieldset class="checks">
            <legend>{ready.asks}</legend>
            {services.map(({ name, title }) => (
              <label key={name} class="check">
                <input type="checkbox" checked={chosen.has(name)} onChange={() => toggle(name)} />
                <span>
                  {title}
                  <small lang={spoken}>{texts[spoken].services[name]}</small>
                </span>
              </label>
            ))}
          </fieldset>
        </Form>
      </div>
      <Preview site={project.site} spoken={spoken} chosen={chosen} />
    </div>
  );
}

interface PreviewProps {
  site: string;
  spoken: TextLanguage;
  chosen: ReadonlySet<ServiceName>;
}

/** The texts of the banner, in reading order. */
function Preview({ site, spoken, chosen }: PreviewProps) {
  const { ready } = words.value.create;
  const { steps = [] } = toBanner({ projectId: "", language: spoken, chosen });
  return (
    <section class="reading" aria-labelledby="reading">
      <h2 id="reading">{ready.preview}</h2>
      <p class="soft cut">{toHost(site)}</p>
      <ol lang={spoken}>
        {steps.map(({ name, title, message, vendors = [] }) => (
          <li key={name}>
            <h3>{title}</h3>
            <p>{toPlain(message ?? "")}</p>
            {vendors.map((vendor) =>
              typeof vendor === "string" ? null : (
                <p key={vendor.name} class="reading-vendor">
                  {vendor.title}
                </p>
              ),
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Strips the tags of our own HTML, which has no entities. */
function toPlain(html: string): string {
  return html.replace(/<[^>]+>/g, "");
}
