/** What was displayed, and what became of it. */
export interface Counts {
  shown: number;
  accepted: number;
  /** Some of the vendors that were asked, not all. */
  partly: number;
  refused: number;
  /** Shown, and not answered until now. */
  ignored: number;
  /** Of the answers those to displays that were counted, at the time of their display. */
  displayed: number;
}

export const countNames = ["shown", "accepted", "partly", "refused", "ignored"] as const;

export const noCounts: Readonly<Counts> = {
  shown: 0,
  accepted: 0,
  partly: 0,
  refused: 0,
  ignored: 0,
  displayed: 0,
};

/** Two counts together. */
export function addCounts(a: Readonly<Counts>, b: Readonly<Counts>): Counts {
  return {
    shown: a.shown + b.shown,
    accepted: a.accepted + b.accepted,
    partly: a.partly + b.partly,
    refused: a.refused + b.refused,
    ignored: a.ignored + b.ignored,
    displayed: a.displayed + b.displayed,
  };
}
