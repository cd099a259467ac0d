import type { Content } from "./content.ts";

type Fields = Record<string, unknown>;

/** A field of a content that names an asset by its id. */
export interface FilePlace {
  holder: Fields;
  name: string;
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
    listOf(configuration["steps"]).map(([step, n]) => ({
      step,
      path: `/cookies/${at}/steps/${n}`,
    })),
  );
  const boxes = (["processings", "contracts"] as const).flatMap((list) =>
    content[list].map((box, at) => ({ box, path: `/${list}/${at}` })),
  );
  return [
    ...steps.flatMap(({ step, path }) => [
      ...toPlace(step, "image", path).map((place) => ({ ...place, side: sides.step })),
      ...listOf(step["vendors"]).flatMap(([vendor, n]) =>
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

function toPlace(holder: Fields, name: string, path: string): FilePlace[] {
  const id = holder[name];
  const isId = typeof id === "string" && idPattern.test(id);
  return isId ? [{ holder, name, id, path: `${path}/${name}` }] : [];
}

/** The objects of a list, with their places in it. */
function listOf(value: unknown): [Fields, number][] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown, at): [Fields, number][] =>
    typeof one === "object" && one !== null && !Array.isArray(one) ? [[one as Fields, at]] : [],
  );
}
