import { handOver } from "../lazy.ts";
import { openBoxes } from "./boxes.ts";

handOver({ openBoxes });
