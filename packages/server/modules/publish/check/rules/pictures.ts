import { listPictureFields } from "../../content/picture-fields.ts";
import type { Rule } from "./finding.ts";

/** `withPictures` has replaced the ids of existing assets by addresses, so a remaining id has no picture. */
const missingPicture: Rule = {
  id: "missing-picture",
  severity: "warning",
  source: "the project's own design",
  find: (content) =>
    listPictureFields(content).map(({ id, path }) => ({
      path,
      message: `The image ${id} does not exist or is not an image, and is left out.`,
      about: [id],
      fix: "Upload it again and use its new id, or remove it.",
    })),
};

export const pictureRules: readonly Rule[] = [missingPicture];
