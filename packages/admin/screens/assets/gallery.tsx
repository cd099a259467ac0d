import type { ComponentChildren } from "preact";
import { useEffect, useId, useState } from "preact/hooks";
import type { Asset } from "@avow/client/operations";
import { type AssetFilter, readAssets } from "../../data/assets.ts";
import { useLoad } from "../../data/use-load.ts";
import { toSize } from "../../browser/format.ts";
import { Pager, usePage } from "../../ui/pager.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { assetWords } from "../../words/assets/words.ts";
import { Thumb } from "./thumb.tsx";

const TYPED_MS = 300;

interface GalleryProps {
  /** The initial filter. */
  filter?: AssetFilter;
  perPage: number;
  /** Changes after an upload; the list is then reloaded. */
  revision: number;
  /** Shown if there are no files at all. */
  empty: ComponentChildren;
  /** Wraps a tile in a link or a button. */
  toTile: (asset: Asset, inner: ComponentChildren) => ComponentChildren;
}

/** The user's files as tiles, with pages and a search by name and type. */
export function Gallery({ filter = "", perPage, revision, empty, toTile }: GalleryProps) {
  const texts = assetWords.value;
  const [page, setPage] = usePage();
  const [name, setName] = useState("");
  const [type, setType] = useState<AssetFilter>(filter);
  const asked = { page, perPage, name, type };
  const loaded = useLoad(() => readAssets(asked), [page, name, type]);
  useEffect(() => {
    if (revision > 0) loaded.reload();
  }, [revision]);
  const isAll = name === "" && type === filter;
  return (
    <>
      <Filters
        type={type}
        onName={(next) => {
          setName(next);
          setPage(1);
        }}
        onType={(next) => {
          setType(next);
          setPage(1);
        }}
      />
      <LoadView of={loaded} lines={6}>
        {({ all, total }) =>
          total === 0 ? (
            isAll ? (
              <>{empty}</>
            ) : (
              <p class="soft">{texts.nothing}</p>
            )
          ) : (
            <>
              <p class="soft" role="status">
                {texts.count(total)}
              </p>
              <ul class="tiles">
                {all.map((asset) => (
                  <li key={asset.id}>{toTile(asset, <Tile asset={asset} />)}</li>
                ))}
              </ul>
              <Pager page={page} perPage={perPage} total={total} onPage={setPage} />
            </>
          )
        }
      </LoadView>
    </>
  );
}

interface FiltersProps {
  type: AssetFilter;
  onName: (name: string) => void;
  onType: (type: AssetFilter) => void;
}

function Filters({ type, onName, onType }: FiltersProps) {
  const texts = assetWords.value;
  const [typed, setTyped] = useState("");
  const id = useId();
  // Searches after a pause in typing.
  useEffect(() => {
    if (typed === "") return onName("");
    const timer = setTimeout(() => onName(typed.trim()), TYPED_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <div class="tile-filters">
      <div class="field">
        <label for={`${id}-name`}>{texts.search}</label>
        <input
          id={`${id}-name`}
          type="search"
          autoComplete="off"
          maxLength={200}
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </div>
      <div class="field">
        <label for={`${id}-kind`}>{texts.kind}</label>
        <select
          id={`${id}-kind`}
          value={type}
          onChange={({ currentTarget }) => onType(currentTarget.value as AssetFilter)}
        >
          {Object.entries(texts.kinds).map(([one, text]) => (
            <option key={one} value={one}>
              {text}
            </option>
          ))}
        </select>
      </div>
    </div>
  );
}

function Tile({ asset }: { asset: Asset }) {
  return (
    <>
      <Thumb asset={asset} />
      <span class="tile-name">{asset.originalName}</span>
      <span class="soft tile-facts">
        {[toKind(asset), toSize(asset.size), toDimensions(asset)].filter(Boolean).join(" · ")}
      </span>
    </>
  );
}

/** The type of a file, in words. */
export function toKind({ detectedMimeType }: Pick<Asset, "detectedMimeType">): string {
  const kinds: Readonly<Record<string, string>> = assetWords.value.kinds;
  return kinds[detectedMimeType] ?? detectedMimeType;
}

/** The dimensions of an image; empty for other files. */
export function toDimensions({ width, height }: Pick<Asset, "width" | "height">): string {
  return width === undefined || height === undefined ? "" : `${width} × ${height}`;
}
