import type { Transport } from "@avow/client";

/**
 * A transport that reports the progress of the upload from 0 to 1, which `fetch` does not. It rejects as `fetch` does,
 * on network errors and when the signal aborts.
 */
export function openUpload(onSent: (share: number) => void): Transport {
  return (url, { method = "POST", headers, body, signal }) =>
    new Promise((done, fail) => {
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
      request.addEventListener("error", () =>
        fail(new TypeError("The service cannot be reached.")),
      );
      request.addEventListener("abort", () =>
        fail(new DOMException("The upload was aborted.", "AbortError")),
      );
      signal?.addEventListener("abort", () => request.abort(), { once: true });
      if (signal?.aborted) fail(new DOMException("The upload was aborted.", "AbortError"));
      else if (body instanceof FormData || body instanceof Blob) request.send(body);
      else fail(new TypeError("Only files and forms can be uploaded."));
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
