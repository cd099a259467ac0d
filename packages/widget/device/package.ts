// The entry for bundlers; `main.ts` is the entry for the script.
export { adoptAnswers } from "./adopt/adopt.ts";
export { cleanDevice } from "./clean/clean.ts";
