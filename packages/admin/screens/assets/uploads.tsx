import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { acceptedTypes } from "../../data/assets.ts";
import { toPercent } from "../../browser/format.ts";
import { Icon } from "../../ui/icons.tsx";
import { Badge } from "../../ui/parts.tsx";
import { assetWords } from "../../words/assets/words.ts";
import { type Upload, type Uploads, isOpen } from "./use-uploads.ts";

/** A button that opens the browser's file dialog. */
export function ChooseFiles({
  uploads,
  children,
  class: kind,
}: {
  uploads: Uploads;
  children: ComponentChildren;
  class: string;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={acceptedTypes.join(",")}
        onChange={({ currentTarget }) => {
          uploads.add(currentTarget.files ?? []);
          // Allows choosing the same file again.
          currentTarget.value = "";
        }}
      />
      <button type="button" class={kind} onClick={() => input.current?.click()}>
        {children}
      </button>
    </>
  );
}

/** The drop zone and the list of uploads. Files pasted anywhere on the screen are uploaded, too. */
export function UploadZone({ uploads }: { uploads: Uploads }) {
  const texts = assetWords.value;
  const [isOver, setOver] = useState(false);
  const add = useRef(uploads.add);
  add.current = uploads.add;
  useEffect(() => {
    const paste = ({ clipboardData }: ClipboardEvent): void => {
      if (clipboardData && clipboardData.files.length > 0) add.current(clipboardData.files);
    };
    document.addEventListener("paste", paste);
    return () => document.removeEventListener("paste", paste);
  }, []);
  return (
    <div
      class={isOver ? "drop over" : "drop"}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        uploads.add(event.dataTransfer?.files ?? []);
      }}
    >
      <p>
        {texts.drop}{" "}
        <ChooseFiles uploads={uploads} class="link">
          {texts.choose}
        </ChooseFiles>
        .
      </p>
      <p class="hint">{texts.limits}</p>
      <UploadList uploads={uploads} />
    </div>
  );
}

/** The pending, finished and rejected uploads. */
function UploadList({ uploads }: { uploads: Uploads }) {
  const texts = assetWords.value;
  const { all } = uploads;
  if (all.length === 0) return null;
  const isDone = all.every((one) => !isOpen(one));
  return (
    <section class="uploads" aria-label={texts.uploads}>
      <ul>
        {all.map((one) => (
          <li key={one.id}>
            <OneUpload one={one} onStop={() => uploads.stop(one.id)} />
          </li>
        ))}
      </ul>
      {isDone && (
        <button type="button" class="link" onClick={() => uploads.clear()}>
          {texts.clear}
        </button>
      )}
    </section>
  );
}

function OneUpload({ one, onStop }: { one: Upload; onStop: () => void }) {
  const texts = assetWords.value;
  const { name, state, share, asset, refusal } = one;
  return (
    <>
      <span class="upload-name cut">{name}</span>
      {state === "sending" && <progress aria-label={name} value={share} max={1} />}
      {state === "waiting" && <span class="soft">{texts.waiting}</span>}
      {state === "sending" && (
        <span class="soft">{share < 1 ? texts.sending(toPercent(share)) : texts.looking}</span>
      )}
      {/* Screen readers announce only the end, not each percentage. */}
      <span role="status">{state === "done" && <Badge tone="good">{texts.done}</Badge>}</span>
      {isOpen(one) && (
        <button type="button" class="close" aria-label={texts.stop(name)} onClick={onStop}>
          ×
        </button>
      )}
      {refusal !== undefined && (
        <p class="fault" role="alert">
          <Icon name="warning" /> {refusal}
        </p>
      )}
      {asset?.warnings !== undefined && <p class="hint">{texts.cleaned}</p>}
    </>
  );
}
