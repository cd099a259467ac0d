import { useState } from "preact/hooks";
import { fields } from "../../../api/fields.ts";
import { type Doc, listDocuments } from "../../../data/documents/documents.ts";
import { useLoad } from "../../../data/use-load.ts";
import { toLanguageName } from "../../../browser/format.ts";
import { go, toHref } from "../../../browser/router.ts";
import { Dialog } from "../../../ui/forms/dialog.tsx";
import { Field, Form } from "../../../ui/forms/form.tsx";
import { Badge, Card } from "../../../ui/parts.tsx";
import { LoadView } from "../../../ui/load-view.tsx";
import { editorWords } from "../../../words/editor.ts";
import { useEditing } from "../../fields/editing.ts";
import { toTranslatedName } from "../../../ready-made/blank.ts";
import { copyConfiguration } from "../making.ts";

/** The project's banners by language, and the button to add one. */
export function Languages({ projectId }: { projectId: string }) {
  const texts = editorWords.value.settings;
  const { draft, mayWrite } = useEditing();
  const [isAdding, setAdding] = useState(false);
  const loaded = useLoad(() => listDocuments("cookies", projectId), [projectId]);
  return (
    <Card title={texts.otherLanguages} lead={texts.otherLead}>
      <LoadView of={loaded}>
        {(all) => (
          <ul class="rows">
            {all.map((one) => (
              <li key={one.id}>
                {one.id === draft.id ? (
                  <span>{toSpoken(one)}</span>
                ) : (
                  <a href={toHref(`/projects/${projectId}/cookies/${one.id}`)}>{toSpoken(one)}</a>
                )}
                {one.id === draft.id && <Badge>{texts.this}</Badge>}
              </li>
            ))}
          </ul>
        )}
      </LoadView>
      {mayWrite && (
        <button type="button" class="button small" onClick={() => setAdding(true)}>
          {texts.addLanguage}
        </button>
      )}
      {isAdding && (
        <Dialog title={texts.addTitle} onClose={() => setAdding(false)}>
          <Form
            submit={texts.copyButton}
            onSubmit={async ({ language = "" }) => {
              const doc = draft.doc.peek();
              const name = toTranslatedName(doc, language);
              const id = await copyConfiguration("cookies", doc, { name, language });
              go(`/projects/${projectId}/cookies/${id}`);
            }}
          >
            <Field
              name="language"
              label={editorWords.value.fields["language"] ?? ""}
              hint={texts.copyHint}
              pattern={fields.cookies.properties?.["language"]?.pattern ?? ""}
              maxLength={35}
              isCode
              required
            />
          </Form>
        </Dialog>
      )}
    </Card>
  );
}

function toSpoken({ language, title, name, id }: Doc): string {
  const called = [title, name, id].find((one) => typeof one === "string") as string;
  return typeof language === "string" ? `${toLanguageName(language)} · ${called}` : called;
}
