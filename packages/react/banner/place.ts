/** The classes of a position: `bottom-left` becomes `avow-bottom avow-left`. */
export function toPlace(position: string): string {
  return position
    .split("-")
    .map((side) => `avow-${side}`)
    .join(" ");
}
