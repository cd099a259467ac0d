import { provideFeature } from "../banner/lazy.ts";
import { openGpp } from "./gpp.ts";

provideFeature({ openGpp });
