import type { Content } from "@avow/contract/published";

/** A step, vendor or consent form that names an asset. */
interface Holder {
  image?: unknown;
  picture?: unknown;
  file?: unknown;
  renders?: unknown;
}

/** A field of a content that names an asset by its id. */
export interface FilePlace {
  holder: Holder;
  name: "image" | "picture" | "file";
  id: string;
  /** As a JSON pointer. */
  path: string;
}

/** One that names a picture, which the widget shows in a square of `side` pixels of the page. */
export interface PicturePlace extends FilePlace {
  side: number;
}

/** As the widget shows them: `toImage` and `toHead` in `packages/widget/`. */
const sides = { step: 72, box: 56, vendor: 32 };
const idPattern = /^[0-9a-f]{24}$/;

/** Every place of a content where a picture is named by an asset's id. */
export function listPicturePlaces(content: Content): PicturePlace[] {
  const steps = content.cookies.flatMap((configuration, at) =>
    (configuration.steps ?? []).map((step, n) => ({ step, path: `/cookies/${at}/steps/${n}` })),
  );
  const boxes = (["processings", "contracts"] as const).flatMap((list) =>
    content[list].map((box, at) => ({ box, path: `/${list}/${at}` })),
  );
  return [
    ...steps.flatMap(({ step, path }) => [
      ...toPlace(step, "image", path).map((place) => ({ ...place, side: sides.step })),
      ...(step.vendors ?? []).flatMap((vendor, n) =>
        toPlace(vendor, "image", `${path}/vendors/${n}`).map((place) => ({
          ...place,
          side: sides.vendor,
        })),
      ),
    ]),
    ...boxes.flatMap(({ box, path }) =>
      toPlace(box, "picture", path).map((place) => ({ ...place, side: sides.box })),
    ),
  ];
}

/** Every place of a content where a file is named by an asset's id. */
export function listFilePlaces(content: Content): FilePlace[] {
  return content.contracts.flatMap((box, at) => toPlace(box, "file", `/contracts/${at}`));
}

function toPlace(holder: Holder, name: FilePlace["name"], path: string): FilePlace[] {
  const id = holder[name];
  const isId = typeof id === "string" && idPattern.test(id);
  return isId ? [{ holder, name, id, path: `${path}/${name}` }] : [];
}
