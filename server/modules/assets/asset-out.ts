import { hrefOf, paths } from "../../paths.ts";
import type { Warning } from "./child/tasks.ts";
import type { AssetMetadataOut, AssetOut, UploadedAssetOut } from "./schema.ts";
import type { AssetRow } from "./store.ts";

/** An asset as it is answered (wire section 7). */
export function toAssetOut(row: AssetRow, publicUrl: string): AssetOut {
  const { id } = row;
  const createdAt = row.created_at.toISOString();
  const url = hrefOf(publicUrl, paths.asset, { id });
  return {
    _id: id,
    id,
    originalName: row.original_name,
    uploadedAt: createdAt,
    createdAt,
    size: row.size,
    detectedMimeType: row.type,
    clientReportedMimeType: row.reported_type,
    ...(row.width === null || row.height === null ? {} : { width: row.width, height: row.height }),
    hash: row.sha256,
    url,
    links: {
      self: url,
      metadata: hrefOf(publicUrl, paths.assetMetadata, { id }),
      assets: hrefOf(publicUrl, paths.assets, {}),
    },
  };
}

/** The same as its metadata, with what was changed in it. */
export function toUploadedOut(
  row: AssetRow,
  warnings: readonly Warning[],
  publicUrl: string,
): UploadedAssetOut {
  const out = toMetadataOut(row, publicUrl);
  return warnings.length === 0 ? out : { ...out, warnings: [...warnings] };
}

/** The same, with what is told to who shows it. */
export function toMetadataOut(row: AssetRow, publicUrl: string): AssetMetadataOut {
  return {
    ...toAssetOut(row, publicUrl),
    ...(row.pages === null ? {} : { pages: row.pages }),
    ...(row.dominant_color === null ? {} : { dominantColor: row.dominant_color }),
  };
}
