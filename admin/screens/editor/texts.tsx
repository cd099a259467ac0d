import type { Content } from "../../preview/shown.ts";
import { editorWords } from "../../words/editor.ts";
import { Bound } from "./bound.tsx";
import { useEditing } from "./editing.ts";
import type { Previewed } from "./use-preview.ts";

/** Said by the service for programs, not for people. */
const hidden = new Set(["dir"]);

/** What the widget says by itself in the configuration's language, each to be said otherwise. */
export function Texts({ previewed }: { previewed: Previewed }) {
  const { texts } = editorWords.value;
  const { draft } = useEditing();
  const language = (draft.doc.value["language"] ?? "en") as string;
  const content: Content | undefined = previewed.preview?.content;
  const own = content?.widget?.words?.[language];
  if (!own) return <p class="soft">{texts.none}</p>;
  return (
    <div class="card">
      <p class="soft">{texts.lead}</p>
      {Object.entries(own)
        .filter(([name]) => !hidden.has(name))
        .map(([name, text]) => (
          <Bound
            key={name}
            at={`/strings/${name}`}
            label={text}
            placeholder={text}
            lang={language}
          />
        ))}
    </div>
  );
}
