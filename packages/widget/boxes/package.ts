// The entry for bundlers; `main.ts` is the entry for the script.
export { openBoxes } from "./boxes.ts";
export { withPerson } from "./person.ts";
