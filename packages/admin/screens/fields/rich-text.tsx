import { useRef } from "preact/hooks";
import { editorWords } from "../../words/editor.ts";

const ADDRESS = "https://";
const formats = ["bold", "italic", "link", "list"] as const;
type Format = (typeof formats)[number];

interface RichTextProps {
  id: string;
  value: string;
  readOnly: boolean;
  maxLength?: number | undefined;
  placeholder?: string | undefined;
  lang?: string | undefined;
  onValue: (next: string | undefined) => void;
}

/** A text area for HTML, with buttons that wrap the selection in the tags that the widget allows. */
export function RichText({ value, readOnly, onValue, ...rest }: RichTextProps) {
  const { rich } = editorWords.value;
  const area = useRef<HTMLTextAreaElement>(null);
  const emit = (text: string): void => onValue(text === "" ? undefined : text);
  const apply = (format: Format): void => {
    const field = area.current;
    if (!field) return;
    const { selectionStart: start, selectionEnd: end } = field;
    const { text, from, to } = toFormatted(format, field.value.slice(start, end));
    if (
      rest.maxLength !== undefined &&
      field.value.length + text.length - (end - start) > rest.maxLength
    )
      return;
    field.setRangeText(text, start, end);
    field.focus();
    field.setSelectionRange(start + from, start + to);
    emit(field.value);
  };
  return (
    <>
      {!readOnly && (
        <div class="formats" role="group" aria-label={rich.label}>
          {formats.map((format) => (
            <button
              key={format}
              type="button"
              class={`format format-${format}`}
              aria-controls={rest.id}
              onClick={() => apply(format)}
            >
              {rich[format]}
            </button>
          ))}
        </div>
      )}
      <textarea
        {...rest}
        ref={area}
        rows={4}
        readOnly={readOnly}
        value={value}
        onInput={({ currentTarget }) => emit(currentTarget.value)}
      />
    </>
  );
}

/** The replacement of a selection, and the range to select afterwards, where the user types next. */
function toFormatted(format: Format, selected: string): { text: string; from: number; to: number } {
  if (format === "link") {
    const before = '<a href="';
    const text = `${before}${ADDRESS}">${selected}</a>`;
    return { text, from: before.length, to: before.length + ADDRESS.length };
  }
  if (format === "list") {
    const lines = selected.split("\n").filter((line) => line.trim() !== "");
    const items = (lines.length > 0 ? lines : [""]).map((line) => `<li>${line.trim()}</li>`);
    const text = `<ul>${items.join("")}</ul>`;
    const at = text.length - "</li></ul>".length;
    return { text, from: at, to: at };
  }
  const tag = format === "bold" ? "strong" : "em";
  const before = `<${tag}>`;
  const from = before.length;
  return { text: `${before}${selected}</${tag}>`, from, to: from + selected.length };
}
