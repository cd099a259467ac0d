import { useState } from "preact/hooks";
import type { Asset } from "@avow/client/operations";
import { Dialog } from "../../ui/forms/dialog.tsx";
import { Empty } from "../../ui/parts.tsx";
import { assetWords } from "../../words/assets/words.ts";
import { Gallery } from "./gallery.tsx";
import { UploadZone } from "./uploads.tsx";
import { useUploads } from "./use-uploads.ts";

const PER_PAGE = 12;

interface PickAssetProps {
  /** Whether any file can be chosen, and not only images. */
  isDocument: boolean;
  onPick: (asset: Asset) => void;
  onClose: () => void;
}

/** A dialog to choose one of the user's files, or upload one. */
export function PickAsset({ isDocument, onPick, onClose }: PickAssetProps) {
  const texts = assetWords.value;
  const [revision, setRevision] = useState(0);
  const uploads = useUploads(() => setRevision((now) => now + 1));
  return (
    <Dialog title={isDocument ? texts.field.pick : texts.field.pickImage} onClose={onClose}>
      <UploadZone uploads={uploads} />
      <Gallery
        filter={isDocument ? "" : "image"}
        perPage={PER_PAGE}
        revision={revision}
        empty={<Empty icon="picture" title={texts.emptyTitle} text={texts.empty} />}
        toTile={(asset, inner) => (
          <button type="button" class="file-tile" onClick={() => onPick(asset)}>
            {inner}
          </button>
        )}
      />
    </Dialog>
  );
}
