import { useEffect, useState } from "preact/hooks";
import type { AssetMetadata } from "@avow/client/operations";
import { type Problem } from "@avow/client/problem";
import { asProblem } from "../../api/problem.ts";
import { type Render, type RenderOptions, readRender } from "../../data/assets.ts";
import { toPercent, toSize } from "../../browser/format.ts";
import { FaultNote } from "../../ui/forms/faults.tsx";
import { assetWords } from "../../words/assets/words.ts";
import { toKind } from "./gallery.tsx";

const AFTER_MS = 400;

interface RenderState {
  render?: Render;
  problem?: Problem;
  isMaking: boolean;
}

/** Loads the render shortly after the last change; keeps the previous one until then. */
function useRender(id: string, asked: RenderOptions): RenderState {
  const [made, setMade] = useState<RenderState>({ isMaking: true });
  const key = JSON.stringify(asked);
  useEffect(() => {
    const stop = new AbortController();
    setMade(({ render }) => ({ ...(render ? { render } : {}), isMaking: true }));
    const make = async (): Promise<void> => {
      try {
        const render = await readRender(id, asked, stop.signal);
        if (stop.signal.aborted) URL.revokeObjectURL(render.src);
        else setMade({ render, isMaking: false });
      } catch (error) {
        if (!stop.signal.aborted) setMade({ problem: asProblem(error), isMaking: false });
      }
    };
    const timer = setTimeout(() => void make(), AFTER_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [id, key]);
  const src = made.render?.src;
  useEffect(() => () => (src === undefined ? undefined : URL.revokeObjectURL(src)), [src]);
  return made;
}

/** The rendered image, its size in bytes, and the comparison with the original. */
export function RenderPreview({ asset, asked }: { asset: AssetMetadata; asked: RenderOptions }) {
  const texts = assetWords.value.builder;
  const { render, problem, isMaking } = useRender(asset.id, asked);
  return (
    <figure class="render" aria-busy={isMaking}>
      <div class="checkered">{render && <Picture key={render.src} render={render} />}</div>
      <figcaption>
        <span role="status">{isMaking && texts.making}</span>
        {!isMaking && render && <Weight render={render} asset={asset} />}
        {problem && <FaultNote problem={problem} />}
      </figcaption>
    </figure>
  );
}

function Picture({ render }: { render: Render }) {
  const texts = assetWords.value.builder;
  const [size, setSize] = useState("");
  return (
    <>
      <img
        src={render.src}
        alt={texts.preview}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
          setSize(`${naturalWidth} × ${naturalHeight}`)
        }
      />
      {size !== "" && <span class="render-size">{size}</span>}
    </>
  );
}

function Weight({ render: { bytes, type }, asset }: { render: Render; asset: AssetMetadata }) {
  const texts = assetWords.value.builder;
  const share = bytes / asset.size - 1;
  const compared = share < 0 ? texts.less : texts.more;
  return (
    <p>
      <strong>{texts.result(toSize(bytes), toKind({ detectedMimeType: type }))}</strong>{" "}
      <span class="soft">{compared(toPercent(Math.abs(share)), toSize(asset.size))}</span>
    </p>
  );
}
