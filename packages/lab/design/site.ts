import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buildDesign } from "@avow/admin/build";
import { BASE_MARK, PAGE } from "@avow/admin/names";

const HOST = "127.0.0.1";
const types: Readonly<Record<string, string>> = {
  css: "text/css",
  html: "text/html",
  js: "text/javascript",
  svg: "image/svg+xml",
};

/** Serves the page of tokens and components under `/admin/design`, without a service. */
export async function openDesign(): Promise<{ url: string } & AsyncDisposable> {
  const files = await buildDesign();
  const server = createServer((req, res) => {
    const { pathname } = new URL(req.url ?? "/", `http://${HOST}`);
    const name = pathname === "/admin/design" ? PAGE : pathname.replace("/admin/files/", "");
    const text = files.get(name);
    res.statusCode = text === undefined ? 404 : 200;
    res.setHeader(
      "content-type",
      `${types[name.split(".").at(-1) ?? ""] ?? "text/plain"}; charset=utf-8`,
    );
    res.end(text?.replaceAll(BASE_MARK, ""));
  }).listen(0, HOST);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${HOST}:${port}/admin/design`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
