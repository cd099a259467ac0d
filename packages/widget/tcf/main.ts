import { provideFeature } from "../banner/lazy.ts";
import { openTcf } from "./tcf.ts";

provideFeature({ openTcf });
