import { provideFeature } from "../banner/lazy.ts";
import { openRegion } from "./region.ts";

provideFeature({ openRegion });
