import { useState } from "preact/hooks";
import { listPlans } from "@avow/client/operations";
import { fields } from "../../../api/fields.ts";
import { send } from "../../../api/send.ts";
import { useInheritance } from "../../../data/documents/use-inheritance.ts";
import { useLoad } from "../../../data/use-load.ts";
import { Tabs } from "../../../ui/tabs.tsx";
import { editorWords } from "../../../words/editor.ts";
import { Design } from "../design.tsx";
import { EditingContext } from "../../fields/editing.ts";
import { readKnownVendors } from "./known-vendors.ts";
import { Languages } from "./languages.tsx";
import { Bound } from "../../fields/bound.tsx";
import { type EditedConfiguration, Opening, openConfiguration } from "../opening.tsx";
import { PreviewPanel } from "../preview/preview.tsx";
import type { StepOptions } from "./offered.ts";
import { Regions } from "./regions.tsx";
import { Steps } from "./steps.tsx";
import { toName } from "../../fields/titles.ts";
import { Texts } from "../preview/texts.tsx";
import { usePreview } from "../preview/use-preview.ts";
import { Workbench, listBelow, listOwn } from "../workbench.tsx";

interface EditedBanner extends EditedConfiguration {
  offered: StepOptions;
}

async function openCookies(projectId: string, id: string): Promise<EditedBanner> {
  const [{ shown, ...opened }, plans] = await Promise.all([
    openConfiguration("cookies", { projectId, id }),
    send(listPlans),
  ]);
  const language = opened.draft.doc.peek()["language"] as string;
  const vendors = await readKnownVendors(projectId, language);
  return { ...opened, offered: { plan: shown.plan, plans, vendors } };
}

/** Parameters of the address of an editor. */
type EditorParameters = { projectId?: string; documentId?: string };

/** The editor of a cookie banner. */
export default function CookieEditor({ projectId = "", documentId = "" }: EditorParameters) {
  const loaded = useLoad(() => openCookies(projectId, documentId), [projectId, documentId]);
  return (
    <Opening title={editorWords.value.list.cookies.title} of={loaded}>
      {(opened) => (
        <Editor key={documentId} projectId={projectId} opened={opened} onReload={loaded.reload} />
      )}
    </Opening>
  );
}

const tabs = ["steps", "regions", "words", "design", "settings"] as const;
type Tab = (typeof tabs)[number];

interface EditorProps {
  projectId: string;
  opened: EditedBanner;
  onReload: () => void;
}

function Editor({ projectId, opened, onReload }: EditorProps) {
  const { draft, project, offered, mayWrite: isWriter } = opened;
  const inheritance = useInheritance(opened.inheritance, opened);
  const texts = editorWords.value;
  const [tab, setTab] = useState<Tab>("steps");
  const [step, setStep] = useState(0);
  const doc = draft.doc.value;
  const previewed = usePreview(projectId, [doc, project.doc.value]);
  const own = listOwn(previewed, "cookies", draft.id);
  const common = { mayWrite: isWriter, inheritance, reload: onReload };
  const editing = { ...common, draft, schema: fields.cookies, findings: own };
  const designing = {
    ...common,
    draft: project,
    schema: fields.projects,
    findings: listBelow(previewed, "/client"),
  };
  return (
    <Workbench
      projectId={projectId}
      kind="cookies"
      title={toName(doc)}
      drafts={[draft, project]}
      previewed={previewed}
      own={own}
      mayWrite={isWriter}
      inheritance={inheritance}
      aside={
        <PreviewPanel kind="cookies" doc={doc} previewed={previewed} step={step} onStep={setStep} />
      }
    >
      <Tabs
        label={texts.banners}
        tabs={tabs.map((one) => [one, texts.tabs[one]])}
        value={tab}
        onChange={setTab}
      >
        {tab === "design" ? (
          <EditingContext.Provider value={designing}>
            <Design />
          </EditingContext.Provider>
        ) : (
          <EditingContext.Provider value={editing}>
            {tab === "steps" && <Steps {...offered} open={step} onOpen={setStep} />}
            {tab === "regions" && <Regions />}
            {tab === "words" && <Texts kind="cookies" previewed={previewed} />}
            {tab === "settings" && <Settings projectId={projectId} />}
          </EditingContext.Provider>
        )}
      </Tabs>
    </Workbench>
  );
}

const fieldsOfSettings = [
  "title",
  "name",
  "language",
  "country",
  "isDefault",
  "settings/expiresAfterDays",
  "settings/variantOf",
  "settings/share",
];

function Settings({ projectId }: { projectId: string }) {
  const { nameHint } = editorWords.value.settings;
  return (
    <div class="cards">
      <div class="card">
        {fieldsOfSettings.map((one) => (
          <Bound key={one} at={`/${one}`} hint={one === "name" ? nameHint : undefined} />
        ))}
      </div>
      <Languages projectId={projectId} />
    </div>
  );
}
