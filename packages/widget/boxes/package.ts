// What bundlers put beside the widget: as `main.ts`, which the script loads.
export { openBoxes } from "./boxes.ts";
export { withPerson } from "./person.ts";
