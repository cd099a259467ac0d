import { useState } from "preact/hooks";
import type { AssetMetadata } from "@avow/client/operations";
import { type RenderOptions, toPublicHref } from "../../data/assets.ts";
import { Card, Copyable } from "../../ui/parts.tsx";
import { assetWords } from "../../words/assets/words.ts";
import { RenderForm } from "./render-form.tsx";
import { RenderPreview } from "./render-preview.tsx";
import { toSnippet } from "./snippet.ts";

const WIDTH_AT_FIRST = 400;
const SVG = "image/svg+xml";

/** The initial parameters of a render: a common width and the best format. */
function toInitialOptions({
  detectedMimeType,
  width = WIDTH_AT_FIRST,
}: AssetMetadata): RenderOptions {
  const w = detectedMimeType === SVG ? WIDTH_AT_FIRST : Math.min(WIDTH_AT_FIRST, width);
  return { w, ...(detectedMimeType === SVG ? {} : { fm: "auto" }) };
}

/** Builds a render: parameters, preview, and addresses to copy. */
export function Builder({ asset }: { asset: AssetMetadata }) {
  const texts = assetWords.value.builder;
  const first = toInitialOptions(asset);
  const [asked, setAsked] = useState<RenderOptions>(first);
  return (
    <Card
      title={texts.title}
      lead={texts.lead}
      action={
        <button type="button" class="button small" onClick={() => setAsked(first)}>
          {texts.reset}
        </button>
      }
    >
      <div class="builder">
        <RenderForm asked={asked} onChange={setAsked} />
        <RenderPreview asset={asset} asked={asked} />
        <div class="builder-copies">
          <h3>{texts.url}</h3>
          <Copyable text={toPublicHref(asset, asked)} label={texts.url} />
          <h3>{texts.snippet}</h3>
          <Copyable text={toSnippet(asset, asked)} label={texts.snippet} />
        </div>
      </div>
    </Card>
  );
}
