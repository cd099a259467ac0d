import { Page } from "../../../ui/page.tsx";
import { LoadView } from "../../../ui/load-view.tsx";
import { editorWords } from "../../../words/editor.ts";
import type { BoxKind } from "./box.tsx";
import { Configurations, Create, useConfigurations } from "../list.tsx";

/** The consent forms and contract forms of a project. */
export default function BoxList({ projectId = "" }: { projectId?: string }) {
  return (
    <Page title={editorWords.value.boxes}>
      <OneKind kind="processings" projectId={projectId} />
      <OneKind kind="contracts" projectId={projectId} />
    </Page>
  );
}

function OneKind({ kind, projectId }: { kind: BoxKind; projectId: string }) {
  const texts = editorWords.value.list[kind];
  const loaded = useConfigurations(kind, projectId);
  return (
    <section class="cards" aria-label={texts.title}>
      <header class="card-head">
        <div>
          <h2>{texts.title}</h2>
          <p class="soft">{texts.lead}</p>
        </div>
        {loaded.state === "ready" && loaded.value.mayWrite && (
          <Create kind={kind} projectId={projectId} />
        )}
      </header>
      <LoadView of={loaded}>
        {(listed, reload) => (
          <Configurations kind={kind} projectId={projectId} listed={listed} onChange={reload} />
        )}
      </LoadView>
    </section>
  );
}
