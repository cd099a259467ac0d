import { Type } from "typebox";

/** The response schema of a route that returns a file of the content type `type`. */
export function fileOut(type: string): Record<number, unknown> {
  const isText = /^text\/|json$/.test(type);
  const schema = Type.String(isText ? {} : { format: "binary" });
  return { 200: { content: { [type]: { schema } } } };
}
