import type { Holding } from "./holding.ts";

/** Holds requests of the page's own scripts to held addresses: beacons, `fetch` and `XMLHttpRequest`. */
export function holdRequests(holding: Holding): void {
  holdBeacons(holding);
  holdFetch(holding);
  holdXhr(holding);
}

function holdBeacons({ findVendors, isHeld, wait }: Holding): void {
  const { prototype } = Navigator;
  // oxlint-disable-next-line typescript/unbound-method -- Called with its navigator.
  const { sendBeacon } = prototype;
  prototype.sendBeacon = function (url, data) {
    const vendors = findVendors(url);
    const send = (): boolean => sendBeacon.call(this, url, data);
    return vendors && isHeld(vendors) ? wait(vendors, send) : send();
  };
}

function holdFetch({ findVendors, isHeld, wait }: Holding): void {
  const fetch = window.fetch.bind(window);
  window.fetch = (input, init) => {
    const request = input instanceof Request ? input : undefined;
    const vendors = findVendors(request?.url ?? input);
    const send = (): Promise<Response> => fetch(input, init);
    if (!vendors || !isHeld(vendors)) return send();
    return new Promise((resolve, reject) => {
      const signal = init?.signal ?? request?.signal;
      signal?.addEventListener("abort", () => reject(signal.reason));
      if (!wait(vendors, () => void send().then(resolve, reject))) reject(new TypeError());
    });
  };
}

function holdXhr({ findVendors, isHeld, wait }: Holding): void {
  const { prototype } = XMLHttpRequest;
  // oxlint-disable-next-line typescript/unbound-method -- Called with their request.
  const { open, send, abort } = prototype;
  const opened = new WeakMap<XMLHttpRequest, { vendors: readonly string[]; isAsync: boolean }>();
  prototype.open = function (...given: [string, string | URL, ...unknown[]]) {
    const [, url, isAsync = true] = given;
    const vendors = findVendors(url);
    if (vendors) opened.set(this, { vendors, isAsync: Boolean(isAsync) });
    else opened.delete(this);
    // A missing third argument differs from undefined.
    return open.apply(this, given as unknown as Parameters<typeof open>);
  };
  prototype.send = function (body) {
    const request = opened.get(this);
    if (!request || !isHeld(request.vendors)) return send.call(this, body);
    const isWaiting =
      request.isAsync &&
      wait(request.vendors, () => {
        // Neither aborted nor opened again.
        if (opened.get(this) === request) send.call(this, body);
      });
    // The page cannot wait for a synchronous request.
    if (!isWaiting) throw new DOMException("", "NetworkError");
  };
  prototype.abort = function () {
    opened.delete(this);
    return abort.call(this);
  };
}
