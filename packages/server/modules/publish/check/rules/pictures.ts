import { listPictureFields } from "../../content/picture-fields.ts";
import type { Rule } from "./finding.ts";

/** What is there has an address by now (`withPictures`): an id that is left stands for nothing. */
const missingPicture: Rule = {
  id: "missing-picture",
  severity: "warning",
  source: "the project's own design",
  find: (content) =>
    listPictureFields(content).map(({ id, path }) => ({
      path,
      message: `The picture ${id} is no longer there, or is no picture: it is left out.`,
      about: [id],
      fix: "Upload it again and name its new id, or take it out.",
    })),
};

/** What is shown beside words. */
export const pictureRules: readonly Rule[] = [missingPicture];
