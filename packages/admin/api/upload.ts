interface Sending {
  method: string;
  url: string;
  headers: Headers;
  body: Blob | FormData;
  signal: AbortSignal | undefined;
  /** Told how much of it is sent, 0 to 1. */
  onSent: (share: number) => void;
}

/**
 * Sends a body and tells how far it is, which `fetch` does not. Answers as `fetch` does, and fails as it does:
 * where the service is not reached, and where `signal` says so.
 */
export function upload({ method, url, headers, body, signal, onSent }: Sending): Promise<Response> {
  return new Promise((done, fail) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    for (const [name, value] of headers) request.setRequestHeader(name, value);
    request.upload.addEventListener("progress", ({ loaded, total }) => onSent(loaded / total));
    request.addEventListener("load", () =>
      done(
        new Response(request.responseText === "" ? null : request.responseText, {
          status: request.status,
          headers: toHeaders(request.getAllResponseHeaders()),
        }),
      ),
    );
    request.addEventListener("error", () => fail(new TypeError("The service is not reached.")));
    request.addEventListener("abort", () => fail(new DOMException("Called off.", "AbortError")));
    signal?.addEventListener("abort", () => request.abort(), { once: true });
    if (signal?.aborted) fail(new DOMException("Called off.", "AbortError"));
    else request.send(body);
  });
}

function toHeaders(text: string): Headers {
  const headers = new Headers();
  for (const line of text.split("\r\n")) {
    const at = line.indexOf(":");
    if (at > 0) headers.append(line.slice(0, at), line.slice(at + 1).trim());
  }
  return headers;
}
