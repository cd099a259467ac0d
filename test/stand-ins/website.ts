import { createReadStream, existsSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import type { RequestListener } from "node:http";
import { dirname, extname, join, normalize } from "node:path";

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
    if (!existsSync(file) || !statSync(file).isFile()) return void response.writeHead(404).end();
    response.setHeader("content-type", types[extname(file)] ?? "application/octet-stream");
    createReadStream(file).pipe(response);
  };
}

/** The folder of an installed package. */
export function folderOfPackage(name: string): string {
  return dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
}
