import { provideFeature } from "../banner/lazy.ts";
import { adoptAnswers } from "./adopt/adopt.ts";
import { cleanDevice } from "./clean/clean.ts";

provideFeature({ adoptAnswers, cleanDevice });
