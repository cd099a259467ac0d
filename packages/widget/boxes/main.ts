import { provideFeature } from "../banner/lazy.ts";
import { openBoxes } from "./boxes.ts";
import { withPerson } from "./person.ts";

provideFeature({ openBoxes, withPerson });
