import { handOver } from "../lazy.ts";
import { openTcf } from "./tcf.ts";

handOver({ openTcf });
