import { handOver } from "../banner/lazy.ts";
import { openBoxes } from "./boxes.ts";
import { withPerson } from "./person.ts";

handOver({ openBoxes, withPerson });
