import { Type } from "typebox";

/** The response schema of a route that returns a file of the content type `type`. */
export function fileOut(type: string): Record<number, unknown> {
  const schema =
    type === "application/json"
      ? Type.Object({}, { additionalProperties: true })
      : Type.String(type.startsWith("text/") ? {} : { format: "binary" });
  return { 200: { content: { [type]: { schema } } } };
}
