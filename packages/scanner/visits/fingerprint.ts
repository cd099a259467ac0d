import type { Frame } from "playwright-core";
import { fingerprintCalls } from "../record/result.ts";

/** A count of calls, as a frame returns it. */
export interface FrameCall {
  call: (typeof fingerprintCalls)[number];
  host: string;
  count: number;
}

/**
 * Runs in every frame before its scripts: wraps the functions that are used to recognise devices, and counts calls by
 * the host of the calling script. `key` is a random name, so that pages do not find the counts by accident.
 */
function install(key: string): void {
  const page = globalThis as unknown as { location: { hostname: string } };
  const counts = new Map<string, number>();
  const HOSTS_MAX = 200;
  const FONTS_MIN = 30;
  const count = (call: string): void => {
    const stack = new Error("stack").stack ?? "";
    const found = /https?:\/\/([^/:\s)]+)/.exec(stack);
    const name = `${call} ${found?.[1] ?? page.location.hostname}`;
    if (counts.size < HOSTS_MAX || counts.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  Object.defineProperty(globalThis, key, {
    value: () => [...counts].map(([name, number]) => `${name} ${number}`),
  });
  type Callable = (this: unknown, ...args: unknown[]) => unknown;
  const wrap = (owner: object | undefined, name: string, call: (args: unknown[]) => void): void => {
    const found = owner && Object.getOwnPropertyDescriptor(owner, name);
    if (!found) return;
    const wrapped = (original: Callable): Callable =>
      new Proxy(original, {
        apply(target, self, args: unknown[]) {
          call(args);
          return Reflect.apply(target, self, args);
        },
      });
    if (typeof found.value === "function")
      Object.defineProperty(owner, name, { ...found, value: wrapped(found.value as Callable) });
    else if (found.get)
      Object.defineProperty(owner, name, {
        ...found,
        get: wrapped(Reflect.get(found, "get") as Callable),
      });
  };
  const scope = globalThis as unknown as Record<string, { prototype: object } | undefined>;
  const prototypeOf = (name: string): object | undefined => scope[name]?.prototype;
  const each = (owner: string, names: string[], call: string): void => {
    for (const name of names) wrap(prototypeOf(owner), name, () => count(call));
  };
  each("HTMLCanvasElement", ["toDataURL", "toBlob"], "canvas");
  each("OffscreenCanvas", ["convertToBlob"], "canvas");
  each("CanvasRenderingContext2D", ["getImageData"], "canvas");
  // UNMASKED_VENDOR_WEBGL and UNMASKED_RENDERER_WEBGL of WEBGL_debug_renderer_info.
  for (const owner of ["WebGLRenderingContext", "WebGL2RenderingContext"])
    wrap(prototypeOf(owner), "getParameter", ([parameter]) => {
      if (parameter === 37_445 || parameter === 37_446) count("webgl");
    });
  each("OfflineAudioContext", ["startRendering"], "audio");
  each("AnalyserNode", ["getFloatFrequencyData"], "audio");
  each("Navigator", ["plugins", "mimeTypes"], "plugins");
  each("Navigator", ["hardwareConcurrency", "deviceMemory"], "hardware");
  each("NavigatorUAData", ["getHighEntropyValues"], "hardware");
  each("RTCPeerConnection", ["createOffer"], "webrtc");
  const fonts = new Set<string>();
  const canvas = prototypeOf("CanvasRenderingContext2D");
  const font = canvas && Object.getOwnPropertyDescriptor(canvas, "font");
  if (font?.set) {
    const set = Reflect.get(font, "set") as Callable;
    Object.defineProperty(canvas, "font", {
      ...font,
      set(this: unknown, value: unknown) {
        if (fonts.size < FONTS_MIN) {
          fonts.add(String(value));
          if (fonts.size === FONTS_MIN) count("fonts");
        }
        Reflect.apply(set, this, [value]);
      },
    });
  }
}

/** The script for `addInitScript`. */
export function toFingerprintScript(key: string): string {
  return `(${install.toString()})(${JSON.stringify(key)});`;
}

/** The counts of a frame; empty if the script did not run there. */
export async function readCalls(frame: Frame, key: string): Promise<FrameCall[]> {
  const lines = await frame.evaluate((name) => {
    const read = (globalThis as unknown as Record<string, unknown>)[name];
    return typeof read === "function" ? (read as () => unknown)() : [];
  }, key);
  if (!Array.isArray(lines)) return [];
  return lines.flatMap((line: unknown) => {
    // A page could have replaced the function.
    const [name = "", host = "", number = ""] = String(line).split(" ");
    const call = fingerprintCalls.find((one) => one === name);
    const count = Number(number);
    return call && Number.isSafeInteger(count) && count >= 0 ? [{ call, host, count }] : [];
  });
}
