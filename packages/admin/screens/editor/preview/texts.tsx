import { readObject } from "@avow/contract/json";
import type { ConfigurationKind } from "../../../data/documents/documents.ts";
import type { Content } from "../../../preview/messages.ts";
import { editorWords } from "../../../words/editor.ts";
import { Bound } from "../../fields/bound.tsx";
import { useEditing } from "../../fields/editing.ts";
import { isShown } from "./shown-texts.ts";
import type { Previewed } from "./use-preview.ts";

/** Settings for programs, not texts. */
const hidden = new Set(["dir"]);

interface TextsProps {
  kind: ConfigurationKind;
  previewed: Previewed;
}

/**
 * The widget's own texts in the configuration's language, each with an input to override it. Lists the texts that this
 * configuration shows, and those already overridden.
 */
export function Texts({ kind, previewed }: TextsProps) {
  const { texts } = editorWords.value;
  const { draft } = useEditing();
  const doc = draft.doc.value;
  const language = (doc["language"] ?? "en") as string;
  const written = readObject(doc["strings"]);
  const content: Content | undefined = previewed.preview?.content;
  const own = content?.widget?.words?.[language];
  if (!own) return <p class="soft">{texts.none}</p>;
  return (
    <div class="card">
      <p class="soft">{texts.lead}</p>
      {Object.entries(own)
        .filter(([name]) => !hidden.has(name))
        .filter(([name]) => name in written || isShown(name, kind, doc))
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
