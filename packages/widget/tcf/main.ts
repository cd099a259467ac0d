import { handOver } from "../banner/lazy.ts";
import { openTcf } from "./tcf.ts";

handOver({ openTcf });
