/** Numbers of displays and answers. */
export interface Counts {
  shown: number;
  accepted: number;
  /** Accepted some of the offered vendors, not all. */
  partly: number;
  refused: number;
  /** Displays without an answer so far. */
  ignored: number;
  /** Answers to counted displays, at the time of their display. */
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
