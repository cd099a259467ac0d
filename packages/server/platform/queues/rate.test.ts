import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type CountedRequests, type RateExchange, openRates } from "./rate.ts";

/** Exchanges of two processes, which deliver at once. */
function openExchanges(): { exchanges: [RateExchange, RateExchange]; published: number[] } {
  const published = [0, 0];
  const listeners: ((counted: CountedRequests) => void)[] = [];
  const toExchange = (own: number): RateExchange => ({
    publishRequest(limit, name) {
      published[own] = (published[own] ?? 0) + 1;
      listeners[1 - own]?.({ limit, name, count: 1 });
    },
    onRequests: (listener) => void (listeners[own] = listener),
  });
  return { exchanges: [toExchange(0), toExchange(1)], published };
}

describe("rate limits", () => {
  it("count each name of each limit separately", () => {
    const openRate = openRates();
    const [reads, answers] = [openRate("reads", 2), openRate("answers", 1)];
    assert.deepEqual([reads.take("a"), reads.take("a"), reads.take("a")], [true, true, false]);
    assert.deepEqual([reads.take("b"), answers.take("a"), answers.take("a")], [true, true, false]);
    assert.deepEqual([reads.isFull("a"), reads.isFull("b")], [true, false]);
  });

  it("hold across processes that share an exchange, without messages beyond the limit", () => {
    const { exchanges, published } = openExchanges();
    const [first, second] = exchanges.map((exchange) => openRates(exchange)("misses", 4));
    const taken = Array.from({ length: 10 }, (_, at) => (at % 2 ? first : second)?.take("a"));
    assert.equal(taken.filter(Boolean).length, 4);
    assert.ok(first?.isFull("a") && second?.isFull("a"));
    assert.deepEqual(published, [2, 2]);
  });

  it("ignore requests of a limit that this process does not have", () => {
    const { exchanges } = openExchanges();
    const [first, second] = exchanges.map((exchange) => openRates(exchange));
    assert.equal(second?.("other", 1).take("a"), true);
    assert.equal(first?.("misses", 1).take("a"), true);
  });
});
