import { createReadStream, existsSync, statSync } from "node:fs";
import type { RequestListener } from "node:http";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".png": "image/png",
  ".svg": "image/svg+xml",
};

/** Serves the files of a folder, as a web server does. */
export function serveFolder(folder: string, index = "index.html"): RequestListener {
  return (request, response) => {
    const { pathname } = new URL(request.url ?? "", "http://site.example");
    const file = join(
      folder,
      normalize(decodeURIComponent(pathname)),
      pathname === "/" ? index : "",
    );
    if (!existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.setHeader("content-type", types[extname(file)] ?? "application/octet-stream");
    createReadStream(file).pipe(response);
  };
}

/** The folder of an installed package, by the URL of its manifest. */
export function folderOf(manifest: string): string {
  return dirname(fileURLToPath(manifest));
}
