import type { Content } from "@avow/contract/published";

/** A step, vendor or consent form that references an asset. */
interface Holder {
  image?: unknown;
  picture?: unknown;
  file?: unknown;
  renders?: unknown;
}

/** A field of a content with the id of an asset. */
export interface FileField {
  holder: Holder;
  name: "image" | "picture" | "file";
  id: string;
  /** JSON pointer. */
  path: string;
}

/** A field with a picture, which the widget shows in a square of `side` CSS pixels. */
export interface PictureField extends FileField {
  side: number;
}

/** Must match the widget: `toImage` and `toHead` in `packages/widget/`. */
const sidesPx = { step: 72, box: 56, vendor: 32 };
const idPattern = /^[0-9a-f]{24}$/;

/** All fields of a content with a picture's asset id. */
export function listPictureFields(content: Content): PictureField[] {
  const steps = content.cookies.flatMap((configuration, at) =>
    (configuration.steps ?? []).map((step, n) => ({ step, path: `/cookies/${at}/steps/${n}` })),
  );
  const boxes = (["processings", "contracts"] as const).flatMap((list) =>
    content[list].map((box, at) => ({ box, path: `/${list}/${at}` })),
  );
  return [
    ...steps.flatMap(({ step, path }) => [
      ...toField(step, "image", path).map((field) => ({ ...field, side: sidesPx.step })),
      ...(step.vendors ?? []).flatMap((vendor, n) =>
        toField(vendor, "image", `${path}/vendors/${n}`).map((field) => ({
          ...field,
          side: sidesPx.vendor,
        })),
      ),
    ]),
    ...boxes.flatMap(({ box, path }) =>
      toField(box, "picture", path).map((field) => ({ ...field, side: sidesPx.box })),
    ),
  ];
}

/** All fields of a content with a file's asset id. */
export function listFileFields(content: Content): FileField[] {
  return content.contracts.flatMap((box, at) => toField(box, "file", `/contracts/${at}`));
}

function toField(holder: Holder, name: FileField["name"], path: string): FileField[] {
  const id = holder[name];
  const isId = typeof id === "string" && idPattern.test(id);
  return isId ? [{ holder, name, id, path: `${path}/${name}` }] : [];
}
