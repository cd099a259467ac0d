import { type Site, loadSite } from "../core/site.ts";
import type { Transport } from "../core/sending/transport.ts";
import type { ConsentStorage } from "./ports.ts";
import { attempt, readTexts } from "./stores.ts";

/** Maximum length of a kept text. AsyncStorage of Android reads at most 2 MB of one key. */
const KEPT_LENGTH_MAX = 1_000_000;
/** Time to wait for the network when a kept value is there. */
const FRESH_WAIT_MS = 3_000;

/** A value that is kept on the device for the next start. */
interface KeptValue<T> {
  storage: ConsentStorage;
  key: string;
  /** Returns the kept value if it is valid: the storage may be corrupt. */
  check: (value: unknown) => T | undefined;
  /** Whether an error is the service's own answer, so that the kept value no longer holds. */
  isFinal?: () => boolean;
}

/**
 * Loads a value and keeps it. Returns the kept one instead when loading fails or takes more than three seconds.
 * @throws Error of `load` when nothing is kept
 */
export async function loadOrKept<T>(load: () => Promise<T>, kept: KeptValue<T>): Promise<T> {
  const { storage, key, check, isFinal } = kept;
  const before = parseKept((await readTexts(storage, key))[0], check);
  const loading = load();
  loading.then(keep, () => undefined);
  if (before === undefined) return loading;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waiting = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(before), FRESH_WAIT_MS);
  });
  try {
    return await Promise.race([loading, waiting]);
  } catch (cause) {
    if (isFinal?.()) throw cause;
    return before;
  } finally {
    clearTimeout(timer);
  }

  async function keep(value: T): Promise<void> {
    const text = JSON.stringify(value);
    if (text.length <= KEPT_LENGTH_MAX && check(value) !== undefined)
      await attempt(() => storage.write(key, text));
  }
}

function parseKept<T>(text: string | undefined, check: KeptValue<T>["check"]): T | undefined {
  try {
    return check(JSON.parse(text ?? "null"));
  } catch {
    // Truncated, or not ours.
    return undefined;
  }
}

/** The published file at `url`, or the kept one while the service is unreachable. @throws Error when there is none */
export function loadKeptSite(
  url: string,
  {
    project,
    transport,
    storage,
  }: { project: string; transport: Transport; storage: ConsentStorage },
): Promise<Site> {
  let status = 0;
  const load = (): Promise<Site> =>
    loadSite(url, async (address) => {
      const answer = await transport(address);
      ({ status } = answer);
      return answer;
    });
  return loadOrKept(load, {
    storage,
    key: `avow_file_${url.split("/").at(-1)}`,
    check: (value) => ((value as Site | null)?.projectId === project ? (value as Site) : undefined),
    // Nothing is published any more. 408 and 429 are temporary.
    isFinal: () => status >= 400 && status < 500 && status !== 408 && status !== 429,
  });
}

/**
 * A published file with the chosen configuration and the texts of its language only, and without IAB's vendor list, which
 * is large.
 */
export function reduceSite(site: Site, identifier: string): Site {
  const cookies = (site.cookies ?? []).filter((one) => one.identifier === identifier);
  const { tcf: _tcf, words = {}, ...widget } = site.widget ?? {};
  const languages = new Set(
    [...cookies, ...(site.processings ?? []), ...(site.contracts ?? [])].map(
      ({ language = "en" }) => language,
    ),
  );
  const used = Object.fromEntries(Object.entries(words).filter(([one]) => languages.has(one)));
  return { ...site, cookies, widget: { ...widget, words: used } };
}
