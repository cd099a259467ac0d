import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const image = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 72 72"><rect width="72" height="72" rx="16" fill="#e9d8c4"/><path d="M20 22h28l-3 26q-.6 5-5.600 5H28.600q-5 0-5.600-5z" fill="#b4532a"/><path d="M47 28c14-2 14 16-1 17" fill="none" stroke="#b4532a" stroke-width="5"/></svg>`;

const policy = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'";

const style = `:root{color-scheme:light dark}
body{margin:0;font:16px/1.5 system-ui,sans-serif;background:light-dark(#f4f1ec,#161412);color:light-dark(#2a211b,#eee6dd)}
main{max-width:720px;margin:auto;padding:24px}
.rows{display:grid;gap:12px}.rows div{height:56px;border-radius:12px;background:light-dark(#e6dfd5,#26221e)}
form{margin:24px 0;padding:24px;border-radius:12px;background:light-dark(#fff,#201c19)}
`;

/** A site on a separate origin, with a plain page and a page with consent forms. */
export interface Shop extends AsyncDisposable {
  url: string;
  image: string;
}

/** Starts a site with the widget of the service at `service`. Its paths are `/{projectId}?language=…&page=…`. */
export async function openShop(service: string): Promise<Shop> {
  const csp = `${policy}; script-src ${service}; connect-src ${service}; require-trusted-types-for 'script'; trusted-types avow`;
  const server = createServer((req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? "/", "http://shop.example");
    const answer = (type: string, text: string): void => {
      res.setHeader("content-type", `${type}; charset=utf-8`);
      res.end(text);
    };
    if (pathname === "/pot.svg") return answer("image/svg+xml", image);
    if (pathname === "/shop.css") return answer("text/css", style);
    const [, projectId = ""] = /^\/([0-9a-f]{24})$/.exec(pathname) ?? [];
    if (!projectId) return void res.writeHead(404).end();
    res.setHeader("content-security-policy", csp);
    const region = /^[A-Z-]{2,6}$/.exec(searchParams.get("region") ?? "")?.[0] ?? "";
    const script = `<script src="${service}/widget.js" data-project="${projectId}" data-region="${region}" async></script>`;
    const language = /^[a-z]{2}$/.exec(searchParams.get("language") ?? "")?.[0] ?? "en";
    answer("text/html", toPage({ script, language, hasBoxes: searchParams.has("boxes") }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    image: `${url}/pot.svg`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function toPage(given: { script: string; language: string; hasBoxes: boolean }): string {
  const { script, language, hasBoxes } = given;
  const body = hasBoxes
    ? toForm("processing:letter") + toForm("contract:terms")
    : `<h1>Hearth &amp; Clay</h1><div class="rows">${"<div></div>".repeat(12)}</div>`;
  return `<!doctype html><html lang="${language}" dir="${language === "ar" ? "rtl" : "ltr"}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Hearth &amp; Clay</title><link rel="icon" href="/pot.svg"><link rel="stylesheet" href="/shop.css">${script}</head>
<body><main>${body}</main></body></html>`;
}

function toForm(place: string): string {
  return `<form><div data-avow="${place}"></div><p><button>Send</button></p></form>`;
}
