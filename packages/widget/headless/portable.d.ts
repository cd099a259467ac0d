// The globals that browsers, Node, workers, edge runtimes and React Native share: the core uses no others.
declare function setTimeout(run: (value: undefined) => void, ms: number): number;
declare function clearTimeout(timer: number | undefined): void;
declare class AbortController {
  readonly signal: object;
  abort(): void;
}
declare class URLSearchParams {
  constructor(init: Record<string, string> | string);
  toString(): string;
}
declare const crypto: { getRandomValues<T extends Uint32Array>(array: T): T };
declare function fetch(
  url: string,
  init?: {
    method?: string;
    headers?: Record<string, string>;
    body?: string;
    keepalive?: boolean;
    credentials?: string;
    signal?: object;
  },
): Promise<{ ok: boolean; status: number; text(): Promise<string> }>;
