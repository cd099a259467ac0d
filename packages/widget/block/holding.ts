import type { HostList } from "@avow/contract/published";
import { type Hosts, openHosts } from "./hosts.ts";

/** More than a page needs. Beyond it, requests that wait are dropped, so that a page cannot fill the memory. */
const WAITING_MAX = 500;

/** Holds what must wait for a vendor. */
export interface Holding extends Hosts {
  /** Whether any of these vendors may not run yet. */
  isHeld: (vendors: readonly string[]) => boolean;
  /** Calls `run` once all of the vendors may run, in the order of the calls. Returns false if too many wait. */
  wait: (vendors: readonly string[], run: () => void) => boolean;
}

type Page = { avow?: { isAccepted?: (vendor: string) => boolean } };
type Decision = CustomEvent<{ vendors?: Record<string, unknown> } | null>;

/**
 * The widget decides, since only it knows the visitor's answers and region. Until it is ready everything is held, also if
 * it never loads.
 */
export function openHolding(list: HostList): Holding {
  let waiting: { vendors: readonly string[]; run: () => void }[] = [];
  let decided: Record<string, unknown> = {};
  const isHeld: Holding["isHeld"] = (vendors) =>
    vendors.some(
      (vendor) =>
        // The widget runs tags before its event; a bundled one may have no global.
        decided[vendor] !== true && (window as Page).avow?.isAccepted?.(vendor) !== true,
    );
  const release = (event: Event): void => {
    decided = (event as Decision).detail?.vendors ?? {};
    const due = waiting.filter(({ vendors }) => !isHeld(vendors));
    waiting = waiting.filter((one) => !due.includes(one));
    for (const { run } of due)
      try {
        run();
      } catch (error) {
        // A policy of the page may block one, but not the next ones.
        reportError(error);
      }
  };
  for (const name of ["ready", "answered"]) document.addEventListener(`avow:${name}`, release);
  return {
    ...openHosts(list),
    isHeld,
    wait: (vendors, run) => Boolean(!waiting[WAITING_MAX - 1] && waiting.push({ vendors, run })),
  };
}
