import type { JsonObject } from "@avow/contract/json";
import { type Step, type Thread, createComment } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { useRoles } from "../../data/projects/rights.ts";
import { findAt } from "../../data/documents/pointer.ts";
import { Area, Choice, Form } from "../../ui/forms/form.tsx";
import { Card } from "../../ui/parts.tsx";
import { notify } from "../../ui/toast.tsx";
import { editorWords } from "../../words/editor.ts";
import { reviewWords } from "../../words/reviews/words.ts";
import { toTitle } from "../fields/titles.ts";
import { TEXT_LENGTH_MAX } from "./comment-text.tsx";
import { ThreadItem } from "./thread.tsx";

const EXCERPT_LENGTH_MAX = 300;
const PLACES_MAX = 200;
const textFields = ["title", "subTitle", "message", "purpose", "accept"] as const;

interface CommentsPanelProps {
  projectId: string;
  configurationId: string;
  doc: JsonObject;
  threads: readonly Thread[];
  onChange: () => void;
}

/** The open comments on a configuration, beside its fields, and the form to add one about a place in it. */
export function CommentsPanel({
  projectId,
  configurationId,
  doc,
  threads,
  onChange,
}: CommentsPanelProps) {
  const { comments: texts } = reviewWords.value;
  const roles = useRoles(projectId);
  const places = listPlaces(doc);
  const names = new Map(places);
  return (
    <Card title={texts.title}>
      {threads.length === 0 ? (
        <p class="soft">{texts.none}</p>
      ) : (
        <ul class="threads">
          {threads.map((thread) => (
            <ThreadItem
              key={thread.id}
              thread={thread}
              roles={roles}
              about={{
                text: names.get(thread.about?.pointer ?? "") ?? texts.wholeOf,
                href: undefined,
              }}
              onChange={onChange}
            />
          ))}
        </ul>
      )}
      <Form
        submit={texts.add}
        isPlain
        isReset
        onSubmit={async ({ text = "", pointer = "" }) => {
          const excerpt = toExcerpt(doc, pointer);
          const about = {
            configurationId,
            ...(pointer === "" ? {} : { pointer }),
            ...(excerpt === "" ? {} : { excerpt }),
          };
          await send(createComment, { path: { projectId }, body: { text, about } });
          notify(texts.added);
          onChange();
        }}
      >
        <Choice name="pointer" label={texts.about} options={places} />
        <Area name="text" label={texts.text} maxLength={TEXT_LENGTH_MAX} isProse />
      </Form>
    </Card>
  );
}

/** The places of a configuration that comments can be about: its texts, its steps with their texts, and their vendors. */
function listPlaces(doc: JsonObject): [pointer: string, name: string][] {
  const { comments: texts } = reviewWords.value;
  const { fields } = editorWords.value;
  const listTexts = (at: string, of: object, prefix: string): [string, string][] =>
    textFields
      .filter((field) => typeof (of as JsonObject)[field] === "string")
      .map((field) => [`${at}/${field}`, `${prefix}${fields[field] ?? field}`]);
  const steps = toObjects(doc["steps"]).flatMap((step, n): [string, string][] => {
    const at = `/steps/${n}`;
    const name = texts.step(toTitle(step));
    const vendors = toObjects(step["vendors"]).map((vendor, m): [string, string] => [
      `${at}/vendors/${m}`,
      `${name} › ${texts.vendor(toTitle(vendor))}`,
    ]);
    return [[at, name], ...listTexts(at, step, `${name} › `), ...vendors];
  });
  const all: [string, string][] = [["", texts.wholeOf], ...listTexts("", doc, ""), ...steps];
  return all.slice(0, PLACES_MAX);
}

/** A step or a vendor; vendors can be ids. */
function toObjects(value: unknown): Step[] {
  const items: unknown[] = Array.isArray(value) ? value : [];
  return items.map((item) =>
    typeof item === "object" && item !== null
      ? (item as Step)
      : { name: String(item), layout: "info" },
  );
}

/** The text at a place, without markup. */
function toExcerpt(doc: JsonObject, pointer: string): string {
  const value = pointer === "" ? undefined : findAt(doc, pointer);
  const text =
    typeof value === "object" && value !== null ? (value as { title?: unknown }).title : value;
  if (typeof text !== "string") return "";
  return text
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, EXCERPT_LENGTH_MAX);
}
