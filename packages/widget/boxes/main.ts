import { handOver } from "../lazy.ts";
import { openBoxes } from "./boxes.ts";
import { withPerson } from "./person.ts";

handOver({ openBoxes, withPerson });
