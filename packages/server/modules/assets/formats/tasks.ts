/** What may be uploaded, by the content type that the content itself says. */
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

/** What the name of a file of that type ends with. */
export function extensionOf({ type }: { type: string }): string {
  return extensions[type as AssetType];
}

/** What the keys of contents and of their renders begin with. */
export const ASSET_FOLDER = "assets/";

/** Where the content of an asset is kept in storage. */
export function toAssetKey({ sha256, type }: { sha256: string; type: string }): string {
  return `${ASSET_FOLDER}${sha256}.${extensionOf({ type })}`;
}

/** The content types of pictures that are made. */
export const renderTypes = {
  avif: "image/avif",
  webp: "image/webp",
  jpg: "image/jpeg",
  png: "image/png",
} as const;
export type RenderFormat = keyof typeof renderTypes;

/** Everything that a picture depends on beside its source: equal ones are one picture. */
export interface RenderSpec {
  format: RenderFormat;
  width: number;
  height: number;
  /** How the source comes into that box: stretched into it, cut to it, or whole with a border. */
  how: "stretch" | "cut" | "border";
  /** Of `cut`: what is kept. */
  keep?: string;
  /** As `#rrggbbaa`: behind what is transparent, and around `border`. */
  background?: string;
  /** 1 to 100, of what loses something. */
  quality?: number;
  /** Smaller, at the cost of time. */
  isCompressed: boolean;
  isAnimated: boolean;
}

/** Something that was changed in what was uploaded, and where. */
export interface Warning {
  path: string;
  message: string;
}

/** What a file is. Where it had to be changed to be kept, the changed one lies at the task's `out`. */
export interface Inspected {
  type: AssetType;
  /** Of what is kept. */
  size: number;
  sha256: string;
  isRewritten: boolean;
  warnings: Warning[];
  /** Of a picture, as it is looked at; of one page of an animation. */
  width?: number;
  height?: number;
  pages?: number;
  /** As `#rrggbb`: what stands for a picture until it is there. */
  dominantColor?: string;
}

/** A file that is not taken, and why; the words are for who sent it. */
export interface Refused {
  refused: "unsupported-type" | "impossible";
  detail: string;
}

/** A picture that was made. */
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

/** What goes to a child, and what comes back. */
export type Asked = { id: number; task: Task };
export type Told = { id: number } & ({ done: Inspected | Rendered } | Refused | { error: string });

/** Throws what a child tells as `Refused`. */
export class RefusedError extends Error {
  override name = "RefusedError";
  readonly refused: Refused["refused"];

  constructor(refused: Refused["refused"], detail: string) {
    super(detail);
    this.refused = refused;
  }
}

/** Of all pages of an animation together. */
export const PIXELS_MAX = 100_000_000;

/** Refuses a picture of too many pixels. */
export function assertPixels(width: number, height: number, pages = 1): void {
  if (width * height * pages <= PIXELS_MAX) return;
  const all = pages > 1 ? ` in ${pages} pages` : "";
  throw new RefusedError(
    "impossible",
    `The picture has ${width} x ${height} pixels${all}; ${PIXELS_MAX.toLocaleString("en")} in all are the most.`,
  );
}
