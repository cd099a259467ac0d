import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type Finding, listComments } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { useLoad } from "../../data/use-load.ts";
import type { ConfigurationKind } from "../../data/documents/documents.ts";
import type { Draft } from "../../data/documents/draft.ts";
import type { Inheritance } from "../../data/documents/inheritance.ts";
import { toHref } from "../../browser/router.ts";
import { Page } from "../../ui/page.tsx";
import { Card } from "../../ui/parts.tsx";
import { editorWords } from "../../words/editor.ts";
import { templateWords } from "../../words/templates/words.ts";
import { SettingLink, toSetting } from "../fields/link.tsx";
import { FindingNotes } from "../fields/bound.tsx";
import { ConflictDialog } from "../fields/conflict.tsx";
import { EarlierNote } from "./earlier-note.tsx";
import { OpenCommentsContext } from "../fields/open-comments.tsx";
import { CommentsPanel } from "../reviews/comments-panel.tsx";
import { SaveNote } from "./save-state.tsx";
import type { Previewed } from "./preview/use-preview.ts";

const THREADS_MAX = 100;

interface WorkbenchProps {
  projectId: string;
  kind: ConfigurationKind;
  title: string;
  drafts: readonly Draft[];
  previewed: Previewed;
  own: readonly Finding[];
  mayWrite: boolean;
  inheritance: Inheritance | undefined;
  aside: ComponentChildren;
  children: ComponentChildren;
}

/** The layout of every editor: state of saving, conflict, preview, findings and comments. */
export function Workbench(props: WorkbenchProps) {
  const { projectId, kind, title, drafts, previewed, own, mayWrite } = props;
  const { inheritance, aside, children } = props;
  const texts = editorWords.value;
  const met = drafts.find((draft) => draft.conflict.value);
  const conflict = met?.conflict.value;
  const [isLooking, setLooking] = useState(false);
  const configuration = drafts[0];
  const configurationId = configuration?.id ?? "";
  const comments = useLoad(() => {
    const query = { status: "open", configurationId, limit: THREADS_MAX } as const;
    return send(listComments, { path: { projectId }, query });
  }, [projectId, configurationId]);
  const threads = comments.state === "ready" ? comments.value.items : [];
  // A conflict opens its dialog at once.
  useEffect(() => setLooking(conflict !== undefined), [conflict]);
  const all = previewed.preview?.findings ?? [];
  const rest = all.length - own.length;
  const ofProject = all.filter((one) => toSetting(one) !== undefined);
  return (
    <Page
      title={title}
      lead={
        <a href={toHref(`/projects/${projectId}/${toListPath(kind)}`)}>{texts.list[kind].title}</a>
      }
      actions={mayWrite && <SaveNote drafts={drafts} onLook={() => setLooking(true)} />}
      isWide
    >
      {!mayWrite && <p class="note">{texts.readOnly}</p>}
      {mayWrite && <EarlierNote drafts={drafts} />}
      <InheritanceNote inheritance={inheritance} id={drafts[0]?.id ?? ""} />
      <div class="workbench">
        <div class="cards">
          <OpenCommentsContext.Provider value={threads}>{children}</OpenCommentsContext.Provider>
          <Card title={texts.findings.title}>
            {previewed.preview && own.length === 0 && <p class="soft">{texts.findings.none}</p>}
            <FindingNotes findings={own} />
            {rest > 0 && <p class="soft">{texts.findings.elsewhere(rest)}</p>}
            {ofProject.slice(0, 1).map((one) => (
              <SettingLink key={one.path} projectId={projectId} finding={one} />
            ))}
          </Card>
          {configuration && comments.state === "ready" && (
            <CommentsPanel
              projectId={projectId}
              configurationId={configurationId}
              doc={configuration.doc.value}
              threads={threads}
              onChange={comments.reload}
            />
          )}
        </div>
        {aside}
      </div>
      {isLooking && met && conflict && (
        <ConflictDialog
          projectId={projectId}
          conflict={conflict}
          onSettle={met.settle}
          onClose={() => setLooking(false)}
        />
      )}
    </Page>
  );
}

interface InheritanceNoteProps {
  inheritance: Inheritance | undefined;
  /** The id of the edited document. */
  id: string;
}

/** States that a document is part of a template, or comes from one. */
function InheritanceNote({ inheritance, id }: InheritanceNoteProps) {
  const texts = templateWords.value;
  if (inheritance?.kind === "template")
    return (
      <p class="note">
        <strong>{texts.ofTemplate}.</strong> {texts.ofTemplateLead}
      </p>
    );
  if (!inheritance?.documents.has(id)) return null;
  return (
    <p class="note">
      <strong>{texts.inherited(inheritance.template.title)}.</strong> {texts.inheritedLead}
    </p>
  );
}

/** The path segment of the list of a kind. */
function toListPath(kind: ConfigurationKind): string {
  return kind === "cookies" ? "cookies" : "boxes";
}

/** The findings of one configuration, with paths relative to it. */
export function listOwn(
  { preview }: Previewed,
  kind: ConfigurationKind,
  id: string,
): readonly Finding[] {
  const all = (preview?.content[kind] ?? []) as { identifier: string }[];
  return listBelow({ preview }, `/${kind}/${all.findIndex(({ identifier }) => identifier === id)}`);
}

/** The findings below a JSON pointer, with paths relative to it. */
export function listBelow({ preview }: Pick<Previewed, "preview">, at: string): readonly Finding[] {
  const below = (preview?.findings ?? []).filter(({ path }) => `${path}/`.startsWith(`${at}/`));
  return below.map((one) => ({ ...one, path: one.path.slice(at.length) }));
}
