import { useState } from "preact/hooks";
import type { Asset } from "@avow/client/operations";
import { isPicture, toTileHref } from "../../data/assets.ts";
import { Icon } from "../../ui/icons.tsx";

/** A thumbnail, which shows the image's dominant color until it is loaded. */
export function Thumb({ asset }: { asset: Asset }) {
  const [isThere, setThere] = useState(false);
  const { dominantColor = "" } = asset;
  if (!isPicture(asset))
    return (
      <span class="thumb">
        <Icon name="file" />
      </span>
    );
  return (
    <span class="thumb" style={{ background: isThere ? "" : dominantColor }}>
      <img
        src={toTileHref(asset)}
        alt=""
        loading="lazy"
        decoding="async"
        onLoad={() => setThere(true)}
      />
    </span>
  );
}
