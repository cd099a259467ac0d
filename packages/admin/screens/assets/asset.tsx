import { useState } from "preact/hooks";
import {
  type AssetMetadata,
  type AssetUse,
  deleteAsset,
  getAssetMetadata,
  listAssetUses,
} from "@avow/client/operations";
import { asProblem } from "../../api/problem.ts";
import { send } from "../../api/send.ts";
import { isPicture, toAssetHref } from "../../data/assets.ts";
import { useLoad } from "../../data/use-load.ts";
import { toSize } from "../../browser/format.ts";
import { go, toHref } from "../../browser/router.ts";
import { Confirm } from "../../ui/forms/confirm.tsx";
import { Page } from "../../ui/page.tsx";
import { Ago, Card, Copyable } from "../../ui/parts.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { notify } from "../../ui/toast.tsx";
import { assetWords } from "../../words/assets/words.ts";
import { Builder } from "./builder.tsx";
import { toDimensions, toKind } from "./gallery.tsx";

interface AssetDetails {
  asset: AssetMetadata;
  /** Undefined if somebody else uploaded the file. */
  uses: readonly AssetUse[] | undefined;
}

async function open(id: string): Promise<AssetDetails> {
  const asset = await send(getAssetMetadata, { path: { id } });
  try {
    return { asset, uses: await send(listAssetUses, { path: { id } }) };
  } catch (error) {
    if (asProblem(error).kind !== "not-found") throw error;
    return { asset, uses: undefined };
  }
}

/** One file: its facts, its uses, renders of it, and its deletion. */
export default function OneAsset({ assetId = "" }: { assetId?: string }) {
  const texts = assetWords.value;
  const loaded = useLoad(() => open(assetId), [assetId]);
  const [isRemoving, setRemoving] = useState(false);
  const isReady = loaded.state === "ready";
  const mayDelete = isReady && loaded.value.uses?.length === 0;
  return (
    <Page
      title={isReady ? loaded.value.asset.originalName : texts.title}
      lead={<a href={toHref("/assets")}>{texts.title}</a>}
      actions={
        mayDelete && (
          <button type="button" class="button danger" onClick={() => setRemoving(true)}>
            {texts.remove}
          </button>
        )
      }
    >
      <LoadView of={loaded} lines={8}>
        {({ asset, uses }) => (
          <div class="cards">
            <div class="asset-head">
              <Original asset={asset} />
              <Facts asset={asset} />
            </div>
            <UsesCard uses={uses} />
            {isPicture(asset) ? (
              <Builder asset={asset} />
            ) : (
              <Card title={texts.builder.title} lead={texts.builder.noRenders}>
                {null}
              </Card>
            )}
            {isRemoving && <Removal asset={asset} onClose={() => setRemoving(false)} />}
          </div>
        )}
      </LoadView>
    </Page>
  );
}

/** The maximum size of the shown image; a larger original is rendered. */
const SHOWN = { w: 640, h: 480, dpr: 2, fit: "max", fm: "webp" } as const;

function Original({ asset }: { asset: AssetMetadata }) {
  const texts = assetWords.value;
  const { id, width, height, dominantColor = "" } = asset;
  return (
    <div class="card asset-picture">
      {isPicture(asset) && (
        <span class="checkered">
          <img
            src={toAssetHref(id, SHOWN)}
            alt=""
            width={width}
            height={height}
            style={{ background: dominantColor }}
            onLoad={({ currentTarget }) => (currentTarget.style.background = "")}
          />
        </span>
      )}
      <a href={toAssetHref(id)} target="_blank" rel="noreferrer">
        {texts.original}
      </a>
    </div>
  );
}

function Facts({ asset }: { asset: AssetMetadata }) {
  const texts = assetWords.value;
  const { size, pages = 1, createdAt, hash, url } = asset;
  const dimensions = [toDimensions(asset), pages > 1 && texts.pages(pages)].filter(Boolean);
  return (
    <Card title={texts.facts}>
      <dl class="facts">
        <div>
          <dt>{texts.type}</dt>
          <dd>
            {toKind(asset)} <span class="soft code">{asset.detectedMimeType}</span>
          </dd>
        </div>
        {dimensions.length > 0 && (
          <div>
            <dt>{texts.dimensions}</dt>
            <dd>{dimensions.join(", ")}</dd>
          </div>
        )}
        <div>
          <dt>{texts.size}</dt>
          <dd>{toSize(size)}</dd>
        </div>
        <div>
          <dt>{texts.uploaded}</dt>
          <dd>
            <Ago at={createdAt} />
          </dd>
        </div>
        <div>
          <dt>{texts.hash}</dt>
          <dd class="code hash">{hash}</dd>
        </div>
      </dl>
      <h3>{texts.address}</h3>
      <Copyable text={url} label={texts.address} />
    </Card>
  );
}

function UsesCard({ uses }: { uses: readonly AssetUse[] | undefined }) {
  const texts = assetWords.value;
  if (!uses)
    return (
      <Card title={texts.usedIn} lead={texts.foreign}>
        {null}
      </Card>
    );
  return (
    <Card title={texts.usedIn} lead={uses.length === 0 ? texts.unused : texts.usedBy(uses.length)}>
      {uses.length > 0 && (
        <ul class="rows">
          {uses.map((use) => (
            <li key={use.id}>
              <Use use={use} />
              <span class="soft">{texts.resources[use.resource] ?? use.resource}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** Resources with an editor. */
const edited = new Set(["cookies", "processings", "contracts"]);

function Use({ use: { id, resource, label, projectId } }: { use: AssetUse }) {
  const name = label.replace(/^"(.*)"$/, "$1");
  if (projectId === undefined || !edited.has(resource)) return <span>{name}</span>;
  return <a href={toHref(`/projects/${projectId}/${resource}/${id}`)}>{name}</a>;
}

function Removal({ asset, onClose }: { asset: AssetMetadata; onClose: () => void }) {
  const texts = assetWords.value;
  const { id, originalName } = asset;
  return (
    <Confirm
      title={texts.removeTitle(originalName)}
      text={texts.removeText}
      submit={texts.remove}
      isDanger
      onConfirm={async () => {
        await send(deleteAsset, { path: { id } });
        go("/assets");
        notify(texts.removed);
      }}
      onClose={onClose}
    />
  );
}
