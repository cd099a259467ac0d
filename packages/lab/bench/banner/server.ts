import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import type { Party } from "./party.ts";
import { toPage } from "./shop.ts";

const types: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
};

/** The server of the shop, with a page for each banner. */
export interface Server extends AsyncDisposable {
  /** The URL of a banner's page; if strict, with a policy without inline scripts and styles. */
  toUrl: (party: Party, isStrict?: boolean) => string;
}

/** Serves the page and the files of each party from a folder of its name on 127.0.0.1, all with gzip level 9. */
export async function openServer(parties: readonly Party[]): Promise<Server> {
  const answers = new Map<string, { headers: Record<string, string>; body: Buffer }>();
  const put = (path: string, text: Buffer | string, headers: Record<string, string>): void => {
    const body = gzipSync(text, { level: 9 });
    const length = { "content-encoding": "gzip", "content-length": String(body.length) };
    answers.set(path, { headers: { ...headers, ...length }, body });
  };
  const html = { "content-type": "text/html; charset=utf-8" };
  for (const party of parties) {
    put(`/${party.name}/`, toPage(party.toLines(false)), html);
    const policy = { "content-security-policy": toPolicy(party) };
    put(`/${party.name}/strict`, toPage(party.toLines(true)), { ...html, ...policy });
    for (const [name, bytes] of party.files) {
      const type = types[name.split(".").at(-1) ?? ""] ?? "application/octet-stream";
      put(`/${party.name}/${name}`, bytes, { "content-type": type });
    }
  }
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://shop.example");
    const answer = answers.get(pathname);
    if (answer) response.writeHead(200, answer.headers).end(answer.body);
    else response.writeHead(404).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    toUrl: ({ name }, isStrict = false) => `${url}/${name}/${isStrict ? "strict" : ""}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** A policy that allows only the site itself and the other origin of a banner. */
function toPolicy({ origin = "" }: Party): string {
  const sources = `'self' ${origin}`.trim();
  return [
    "default-src 'none'",
    `script-src ${sources}`,
    "style-src 'self'",
    `connect-src ${sources}`,
    "img-src 'self' data:",
  ].join("; ");
}

/** The number of bytes that a party's lines add to the compressed page. */
export function countPageBytes(party: Party): number {
  return countBytes(toPage(party.toLines(false))) - countBytes(toPage({}));
}

function countBytes(text: string): number {
  return gzipSync(text, { level: 9 }).length;
}
