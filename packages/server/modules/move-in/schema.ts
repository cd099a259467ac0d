import { Type } from "typebox";

export const MoveInFilesIn = Type.Object({
  url: Type.String({
    maxLength: 2_048,
    pattern: "^https?://[^\\s/?#@]+([/?#]\\S*)?$",
    description:
      "an http or https address without a user name: of a page of the site, or of a file",
  }),
});

export const MoveInFilesOut = Type.Object(
  {
    files: Type.Array(
      Type.Object({
        name: Type.String({ description: "The address that was read." }),
        text: Type.String({
          description:
            "The file. A page is reduced to its language and the scripts that contain a configuration.",
        }),
        encoding: Type.Optional(
          Type.Literal("windows-1252", {
            description: "The encoding that was assumed, because the file is not valid UTF-8.",
          }),
        ),
      }),
    ),
    failed: Type.Array(Type.Object({ name: Type.String(), reason: Type.String() }), {
      description: "Files that the page or another file names and that could not be read.",
    }),
  },
  { title: "MoveInFiles" },
);
