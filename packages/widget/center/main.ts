import { provideFeature } from "../banner/lazy.ts";
import { center } from "./center.ts";

provideFeature({ center });
