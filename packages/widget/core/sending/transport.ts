/** The parts of a request that the core sends; those of `fetch`. */
export interface TransportInit {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  /** Whether the request outlives its page. */
  keepalive?: boolean;
}

/** The parts of a response that the core reads. */
export interface TransportResponse {
  ok: boolean;
  status: number;
  json(): Promise<unknown>;
}

/** Sends a request, without cookies and with a timeout. @throws Error when there is no response */
export type Transport = (url: string, init?: TransportInit) => Promise<TransportResponse>;
