import { provideFeature } from "../banner/lazy.ts";
import { toContent } from "./center.ts";

provideFeature({ toContent });
