import type { Step } from "@avow/client/operations";
import type { Doc } from "../../data/documents/documents.ts";
import { editorWords } from "../../words/editor.ts";

/** The display title of a step. */
export function toTitle({ title, name }: Step): string {
  return title === undefined || title === "" ? name : title;
}

/** The display name of a configuration. A name that is only its id is none. */
export function toName({ id, title, name }: Doc): string {
  const called = [title, name].find((one) => typeof one === "string" && one !== "" && one !== id);
  return typeof called === "string" ? called : editorWords.value.list.untitled;
}
