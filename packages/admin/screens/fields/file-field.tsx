import { useState } from "preact/hooks";
import { getAssetMetadata } from "@avow/client/operations";
import { asProblem } from "../../api/problem.ts";
import { send } from "../../api/send.ts";
import { isAssetId } from "../../data/assets.ts";
import { useLoad } from "../../data/use-load.ts";
import { toHref } from "../../browser/router.ts";
import { FaultNote } from "../../ui/forms/faults.tsx";
import { Icon } from "../../ui/icons.tsx";
import { DangerLink } from "../../ui/forms/danger-link.tsx";
import { assetWords } from "../../words/assets/words.ts";
import { PickAsset } from "../assets/pick.tsx";
import { Thumb } from "../assets/thumb.tsx";
import { useAt } from "./editing.ts";

interface FileFieldProps {
  described: Record<string, string | boolean> & { id: string };
  at: string;
  /** Whether any file can be chosen, and not only images. */
  isDocument: boolean;
}

/** A field for a file: one of the user's files by id, as publishing expects, or an address. */
export function FileField({ described, at, isDocument }: FileFieldProps) {
  const texts = assetWords.value.field;
  const { value, schema = {}, mayWrite, change } = useAt(at);
  const [isPicking, setPicking] = useState(false);
  const text = typeof value === "string" ? value : "";
  const isOwn = isAssetId(text);
  const pick = mayWrite && (
    <button type="button" class="button" onClick={() => setPicking(true)}>
      <Icon name={isDocument ? "file" : "picture"} />
      {isOwn ? texts.another : texts.choose}
    </button>
  );
  return (
    <>
      {isOwn ? (
        <div class="picked-file">
          <Picked id={text} described={described} />
          {pick}
          {mayWrite && <DangerLink text={texts.take} onClick={() => change(undefined)} />}
        </div>
      ) : (
        <div class="file-field">
          <input
            {...described}
            type="text"
            inputMode="url"
            spellcheck={false}
            placeholder="https://"
            maxLength={schema.maxLength}
            readOnly={!mayWrite}
            value={text}
            onInput={({ currentTarget }) => change(currentTarget.value || undefined)}
          />
          {pick}
        </div>
      )}
      {isPicking && (
        <PickAsset
          isDocument={isDocument}
          onPick={({ id }) => {
            setPicking(false);
            change(id);
          }}
          onClose={() => setPicking(false)}
        />
      )}
    </>
  );
}

/** The chosen file, instead of its id. */
function Picked({ id, described }: { id: string; described: FileFieldProps["described"] }) {
  const texts = assetWords.value.field;
  const loaded = useLoad(async () => {
    try {
      return await send(getAssetMetadata, { path: { id } });
    } catch (error) {
      if (asProblem(error).kind !== "not-found") throw error;
      return undefined;
    }
  }, [id]);
  if (loaded.state === "failed") return <FaultNote problem={loaded.problem} />;
  const asset = loaded.state === "ready" ? loaded.value : undefined;
  if (loaded.state === "ready" && !asset)
    return (
      <p id={described.id} class="fault tile-name">
        {texts.missing}
      </p>
    );
  return (
    <>
      {asset ? <Thumb asset={asset} /> : <span class="thumb" />}
      <a id={described.id} class="tile-name" href={toHref(`/assets/${id}`)}>
        {asset?.originalName ?? id}
      </a>
    </>
  );
}
