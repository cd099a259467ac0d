import { provideFeature } from "../banner/lazy.ts";
import { openRegion } from "./region.ts";

/** The hashes of the files that this one loads; defined by the build. */
declare const FILES: Record<string, string>;

const open: typeof openRegion = (site, original, options, parts) =>
  openRegion(site, original, options, parts, FILES["gpp"]);

provideFeature({ openRegion: open });
