import { Type, type Static } from "typebox";
import { type AssetType, extensions } from "./formats/tasks.ts";
import { SIDE_MAX } from "./renders/spec.ts";

const Id = Type.String({ pattern: "^[0-9a-f]{24}$" });
const Time = Type.String({ format: "date-time" });
const Pixels = Type.Integer({ minimum: 1, description: "In its orientation; of one page." });

const assetFields = {
  _id: Id,
  id: Id,
  originalName: Type.String(),
  uploadedAt: Time,
  createdAt: Time,
  size: Type.Integer({ minimum: 0, description: "Bytes of the stored file." }),
  detectedMimeType: Type.String({ description: "Detected by content." }),
  clientReportedMimeType: Type.String({ description: "The content type that the client sent." }),
  width: Type.Optional(Pixels),
  height: Type.Optional(Pixels),
  hash: Type.String({ description: "SHA-256 of the stored file, in hexadecimal." }),
  url: Type.String({ description: "The file itself; with parameters, a render of it." }),
  links: Type.Object({
    self: Type.String(),
    metadata: Type.String(),
    uses: Type.String({ description: "Only for its owner." }),
    assets: Type.String(),
  }),
};

/** Fields for showing a picture. */
const lookFields = {
  pages: Type.Optional(
    Type.Integer({ minimum: 1, description: "Pages of an animation; 1 for a still picture." }),
  ),
  dominantColor: Type.Optional(
    Type.String({ description: "The placeholder colour while the picture loads, as `#rrggbb`." }),
  ),
};

export const AssetOut = Type.Object({ ...assetFields, ...lookFields }, { title: "Asset" });
export type AssetOut = Static<typeof AssetOut>;

export const UploadedAssetOut = Type.Object(
  {
    ...assetFields,
    ...lookFields,
    warnings: Type.Optional(
      Type.Array(Type.Object({ path: Type.String(), message: Type.String() }), {
        description: "Content that was removed from an SVG.",
      }),
    ),
  },
  { title: "UploadedAsset" },
);
export type UploadedAssetOut = Static<typeof UploadedAssetOut>;

export const AssetMetadataOut = Type.Object(
  { ...assetFields, ...lookFields },
  { title: "AssetMetadata" },
);

/** A document that names an asset, for its owner. */
export const AssetUseOut = Type.Object(
  {
    id: Id,
    resource: Type.String(),
    label: Type.String({ description: "The title of the document." }),
    projectId: Type.Optional(Id),
    links: Type.Object({ document: Type.String() }),
  },
  { title: "AssetUse" },
);
export type AssetUseOut = Static<typeof AssetUseOut>;

/** Filters of lists of assets. */
export const assetFilters = {
  name: Type.Optional(
    Type.String({ maxLength: 255, description: "A part of the name, case-insensitive." }),
  ),
  type: Type.Optional(
    Type.Enum(["image", ...(Object.keys(extensions) as AssetType[])], {
      description: "The type, detected by content; `image` for any picture.",
    }),
  ),
};

export const AssetParams = Type.Object({ id: Type.String({ maxLength: 64 }) });

const Side = (what: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: SIDE_MAX, description: what }));

/** The parameters of renders, as image CDNs name them (wire section 7). */
export const RenderQueryIn = Type.Object({
  w: Side("Width, in pixels of the page."),
  h: Side("Height, in pixels of the page."),
  fit: Type.Optional(
    Type.Enum(["clip", "crop", "fill", "max", "scale"], {
      description:
        "`clip` (default): within the box; `max`: the same, never larger than it is; `crop`: fills the box, cut; `fill`: within the box, with a border; `scale`: stretched.",
    }),
  ),
  dpr: Type.Optional(
    Type.Number({ minimum: 0.5, maximum: 4, description: "Multiplies `w` and `h`." }),
  ),
  q: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: "Quality of lossy formats." }),
  ),
  fm: Type.Optional(Type.Enum(["auto", "avif", "webp", "jpg", "png"])),
  auto: Type.Optional(
    Type.String({
      pattern: "^(format|compress)(,(format|compress))?$",
      examples: ["format,compress"],
      description:
        "a list of `format` (the smallest that `Accept` names) and `compress` (smaller, at some cost in quality)",
    }),
  ),
  crop: Type.Optional(
    Type.String({
      pattern: "^(center|entropy|edges|(top|bottom)(,(left|right))?|(left|right)(,(top|bottom))?)$",
      examples: ["entropy"],
      description:
        "the part that `fit=crop` keeps: `center`, `entropy`, `edges`, `top`, `bottom`, `left`, `right`, or a corner as `top,left`",
    }),
  ),
  bg: Type.Optional(
    Type.String({
      pattern: "^([0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$",
      examples: ["ffffff"],
      description: "a colour as RGB, ARGB, RRGGBB or AARRGGBB",
    }),
  ),
});
export type RenderQueryIn = Static<typeof RenderQueryIn>;
