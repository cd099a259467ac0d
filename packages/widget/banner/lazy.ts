import type { LoadFeature } from "./features.ts";
import { toTrustedUrl } from "../page/trusted.ts";

/** The SHA-256 of each of the widget's other files, base64; defined by the build. */
declare const FILES: Record<string, string>;

/**
 * Loads the widget's other files from `base`, each once, with their integrity hashes; `hash` is that of a file that another
 * file loads. A file passes its exports in an event on its script element, so that the page's global scope is not used.
 */
export function openLoader(base: string): LoadFeature {
  const loading: Record<string, Promise<never> | undefined> = {};
  return (name, hash = FILES[name] ?? "") =>
    (loading[name] ??= new Promise((resolve, reject) => {
      const file = `${base}${name}.${hash.toLowerCase().replace(/\W/g, "")}.js`;
      const script = document.createElement("script");
      script.addEventListener("avow", (event) => resolve((event as CustomEvent).detail as never));
      Object.assign(script, {
        integrity: `sha256-${hash}`,
        // The same as "anonymous".
        crossOrigin: "",
        onerror() {
          // The next use loads it again.
          loading[name] = undefined;
          reject(new Error(file));
        },
        src: toTrustedUrl(file),
      });
      document.head.append(script);
    }));
}

/** Passes a file's exports to its loader. */
export function provideFeature(exports: object): void {
  document.currentScript?.dispatchEvent(new CustomEvent("avow", { detail: exports }));
}
