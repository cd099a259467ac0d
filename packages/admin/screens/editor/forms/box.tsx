import { useState } from "preact/hooks";
import { fields } from "../../../api/fields.ts";
import type { Draft } from "../../../data/documents/draft.ts";
import { useInheritance } from "../../../data/documents/use-inheritance.ts";
import { useLoad } from "../../../data/use-load.ts";
import { Card } from "../../../ui/parts.tsx";
import { Tabs } from "../../../ui/tabs.tsx";
import { editorWords } from "../../../words/editor.ts";
import { Bound } from "../../fields/bound.tsx";
import { Design } from "../design.tsx";
import { EditingContext } from "../../fields/editing.ts";
import { type EditedConfiguration, Opening, openConfiguration } from "../opening.tsx";
import { PreviewPanel } from "../preview/preview.tsx";
import { Confirmations, Lines, Rows } from "../../fields/rows.tsx";
import { toName } from "../../fields/titles.ts";
import { Texts } from "../preview/texts.tsx";
import { usePreview } from "../preview/use-preview.ts";
import { Workbench, listBelow, listOwn } from "../workbench.tsx";

export type BoxKind = "processings" | "contracts";

interface BoxEditorProps {
  kind: BoxKind;
  projectId: string;
  documentId: string;
}

/** The editor of a consent form or a contract form. */
export function BoxEditor({ kind, projectId, documentId }: BoxEditorProps) {
  const open = () => openConfiguration(kind, { projectId, id: documentId });
  const loaded = useLoad(open, [projectId, documentId]);
  return (
    <Opening title={editorWords.value.list[kind].title} of={loaded}>
      {(opened) => (
        <Editor
          key={documentId}
          kind={kind}
          projectId={projectId}
          opened={opened}
          onReload={loaded.reload}
        />
      )}
    </Opening>
  );
}

const tabs = ["content", "words", "design"] as const;
type Tab = (typeof tabs)[number];

interface EditorProps {
  kind: BoxKind;
  projectId: string;
  opened: EditedConfiguration;
  onReload: () => void;
}

function Editor({ kind, projectId, opened, onReload }: EditorProps) {
  const { draft, project, mayWrite: isWriter } = opened;
  const inheritance = useInheritance(opened.inheritance, opened);
  const texts = editorWords.value;
  const [tab, setTab] = useState<Tab>("content");
  const doc = draft.doc.value;
  const previewed = usePreview(projectId, [doc, project.doc.value]);
  const own = listOwn(previewed, kind, draft.id);
  const common = { mayWrite: isWriter, inheritance, reload: onReload };
  const editing = { ...common, draft, schema: fields[kind], findings: own };
  const designing = {
    ...common,
    draft: project,
    schema: fields.projects,
    findings: listBelow(previewed, "/client"),
  };
  return (
    <Workbench
      projectId={projectId}
      kind={kind}
      title={toName(doc)}
      drafts={[draft, project]}
      previewed={previewed}
      own={own}
      mayWrite={isWriter}
      inheritance={inheritance}
      aside={<PreviewPanel kind={kind} doc={doc} previewed={previewed} />}
    >
      <Tabs
        label={texts.list[kind].title}
        tabs={tabs.map((one) => [one, texts.tabs[one]])}
        value={tab}
        onChange={setTab}
      >
        <EditingContext.Provider value={tab === "design" ? designing : editing}>
          {tab === "content" && <Content kind={kind} draft={draft} />}
          {tab === "words" && <Texts kind={kind} previewed={previewed} />}
          {tab === "design" && <Design />}
        </EditingContext.Provider>
      </Tabs>
    </Workbench>
  );
}

/** The fields in the order in which a visitor reads them. */
const parts = {
  processings: {
    reads: ["title", "subTitle", "picture", "message", "accept"],
    informs: ["purpose", "storageDuration", "consentWithdraw"],
    settings: ["name", "language", "settings/expiresAfterDays"],
  },
  contracts: {
    reads: ["title", "subTitle", "message", "file"],
    informs: [],
    settings: ["name", "idRequired", "language", "settings/expiresAfterDays"],
  },
} as const;

function Content({ kind, draft }: { kind: BoxKind; draft: Draft }) {
  const texts = editorWords.value.box;
  const { nameHint } = texts;
  const lang = draft.doc.value["language"] as string | undefined;
  const { reads, informs, settings } = parts[kind];
  return (
    <div class="cards">
      <Card title={texts.reads}>
        {toFields(reads, lang)}
        <Rows at="/buttons" blank={{ text: "" }} lang={lang} />
      </Card>
      {kind === "processings" && (
        <>
          <Card title={texts.informs} lead={texts.informsLead}>
            {toFields(informs, lang)}
            <Lines at="/personalDataTypes" lang={lang} />
            <Rows at="/processors" blank={{ name: "" }} lang={lang} />
            <Bound at="/automatedDecisions" />
            {draft.doc.value["automatedDecisions"] === true &&
              toFields(["automatedDecisionsContact", "automatedDecisionsDetails"], lang)}
          </Card>
          <Card title={texts.afterwards} lead={texts.afterwardsLead}>
            <Confirmations lang={lang} />
          </Card>
        </>
      )}
      <Card title={texts.settings}>
        {settings.map((name) => (
          <Bound key={name} at={`/${name}`} hint={name === "name" ? nameHint[kind] : undefined} />
        ))}
      </Card>
    </div>
  );
}

function toFields(names: readonly string[], spoken: string | undefined) {
  return names.map((name) => <Bound key={name} at={`/${name}`} lang={spoken} />);
}
