import { hrefOf, paths } from "@avow/contract/urls";
import type { Warning } from "./formats/tasks.ts";
import type { Use } from "./assets.ts";
import type { AssetOut, AssetUseOut, UploadedAssetOut } from "./schema.ts";
import type { AssetRow } from "./storage/store.ts";

/** An asset in a response (wire section 7), with fields for showing it. */
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
    ...(row.pages === null ? {} : { pages: row.pages }),
    ...(row.dominant_color === null ? {} : { dominantColor: row.dominant_color }),
    hash: row.sha256,
    url,
    links: {
      self: url,
      metadata: hrefOf(publicUrl, paths.assetMetadata, { id }),
      uses: hrefOf(publicUrl, paths.assetUses, { id }),
      assets: hrefOf(publicUrl, paths.assets, {}),
    },
  };
}

/** An uploaded asset, with warnings about changes to its content. */
export function toUploadedOut(
  row: AssetRow,
  warnings: readonly Warning[],
  publicUrl: string,
): UploadedAssetOut {
  const out = toAssetOut(row, publicUrl);
  return warnings.length === 0 ? out : { ...out, warnings: [...warnings] };
}

/** A document that names an asset, with a link to it. */
export function toUseOut({ id, resource, label, projectId }: Use, publicUrl: string): AssetUseOut {
  return {
    id,
    resource,
    label,
    ...(projectId === undefined ? {} : { projectId }),
    links: { document: hrefOf(publicUrl, paths.document, { resource, documentId: id }) },
  };
}
