/** File extensions of the types that may be uploaded, by detected content type. */
export const extensions = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp",
  "image/avif": "avif",
  "image/svg+xml": "svg",
  "application/pdf": "pdf",
} as const;
export type AssetType = keyof typeof extensions;

export function extensionOf({ type }: { type: string }): string {
  return extensions[type as AssetType];
}

/** The prefix of the keys of contents and renders. */
export const ASSET_FOLDER = "assets/";

/** The storage key of an asset's content. */
export function toAssetKey({ sha256, type }: { sha256: string; type: string }): string {
  return `${ASSET_FOLDER}${sha256}.${extensionOf({ type })}`;
}

/** Content types of renders. */
export const renderTypes = {
  avif: "image/avif",
  webp: "image/webp",
  jpg: "image/jpeg",
  png: "image/png",
} as const;
export type RenderFormat = keyof typeof renderTypes;

/** Parameters of a render. Equal parameters and sources give the same picture. */
export interface RenderSpec {
  format: RenderFormat;
  width: number;
  height: number;
  /** How the source is fitted into the box: stretched, cropped, or whole with a border. */
  how: "stretch" | "cut" | "border";
  /** The part that `cut` keeps. */
  keep?: string;
  /** Colour behind transparent pixels and of the border, as `#rrggbbaa`. */
  background?: string;
  /** 1 to 100, for lossy formats. */
  quality?: number;
  /** Whether a smaller file is preferred to a faster encoding. */
  isCompressed: boolean;
  isAnimated: boolean;
}

/** A change to the uploaded content, with its location. */
export interface Warning {
  path: string;
  message: string;
}

/** The result of an inspection. A rewritten file is at the task's `out`. */
export interface Inspected {
  type: AssetType;
  /** Bytes of the stored content. */
  size: number;
  sha256: string;
  isRewritten: boolean;
  warnings: Warning[];
  /** Width of a picture in its orientation; of one page of an animation. */
  width?: number;
  height?: number;
  pages?: number;
  /** The placeholder colour while the picture loads, as `#rrggbb`. */
  dominantColor?: string;
}

/** A rejected file; `detail` is returned to the client. */
export interface Refused {
  refused: "unsupported-type" | "impossible";
  detail: string;
}

/** The result of a render. */
export interface Rendered {
  size: number;
  sha256: string;
  width: number;
  height: number;
}

export type Task =
  | { kind: "inspect"; path: string; out: string }
  | { kind: "render"; path: string; out: string; type: AssetType; spec: RenderSpec };

export type ResultOf<T extends Task> = T extends { kind: "inspect" } ? Inspected : Rendered;

/** Messages to and from a child. */
export type ChildRequest = { id: number; task: Task };
export type ChildResponse = { id: number } & (
  | { done: Inspected | Rendered }
  | Refused
  | { error: string }
);

/** Rejects a file; a child sends it as `Refused`. */
export class RefusedError extends Error {
  override name = "RefusedError";
  readonly refused: Refused["refused"];

  constructor(refused: Refused["refused"], detail: string) {
    super(detail);
    this.refused = refused;
  }
}

/** Maximum pixels of all pages of a picture together. */
export const PIXELS_MAX = 100_000_000;

export function assertPixels(width: number, height: number, pages = 1): void {
  if (width * height * pages <= PIXELS_MAX) return;
  const all = pages > 1 ? ` in ${pages} pages` : "";
  throw new RefusedError(
    "impossible",
    `The picture has ${width} x ${height} pixels${all}. The maximum is ${PIXELS_MAX.toLocaleString("en")} in total.`,
  );
}
