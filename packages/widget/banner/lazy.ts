import type { Features } from "./features.ts";
import { toTrustedUrl } from "../core/trusted.ts";

/** The SHA-256 of each of the widget's other files, base64, written when it is built. */
declare const FILES: Record<string, string>;

type Loaded<N extends keyof Features> = Awaited<ReturnType<Features[N]>>;

/**
 * Loads the widget's other files from under `base`, each once and only as it was built. A file hands over
 * what it holds by an event at its own element, so that nothing is put into the page's scope.
 */
export function loadFeature(
  base: string,
): <N extends keyof Features>(name: N) => Promise<Loaded<N>> {
  return (name) =>
    new Promise((resolve, reject) => {
      const hash = FILES[name] ?? "";
      const file = `${base}${name}.${hash.toLowerCase().replace(/\W/g, "")}.js`;
      const script = document.createElement("script");
      script.addEventListener("avow", (event) => resolve((event as CustomEvent).detail));
      Object.assign(script, {
        integrity: `sha256-${hash}`,
        // As "anonymous".
        crossOrigin: "",
        onerror: () => reject(new Error(file)),
        src: toTrustedUrl(file),
      });
      document.head.append(script);
    });
}

/** Hands over what a file holds to who has loaded it. */
export function handOver(exports: object): void {
  document.currentScript?.dispatchEvent(new CustomEvent("avow", { detail: exports }));
}
