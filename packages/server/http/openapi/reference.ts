import swaggerUi from "@fastify/swagger-ui";
import { paths } from "@avow/contract/urls";
import { toStyleSource } from "../../platform/text/markup.ts";
import type { Http } from "../http.ts";

const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 32" role="img" aria-label="Avow">
<path d="M6 17l7 8L27 6" fill="none" stroke="#49cc90" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/>
<text x="38" y="24" font-family="system-ui,sans-serif" font-size="22" font-weight="700" fill="#fff">Avow</text></svg>`;

/** The style of the logo that Swagger UI draws before `logo` replaces it. */
const firstLogoStyle = ".logo_small_svg__cls-2{fill:#fff}.logo_small_svg__cls-3{fill:#85ea2d}";

/** Hides the input for other documents, and adapts to the color scheme and narrow screens. */
const css = `
.swagger-ui .topbar .download-url-wrapper { display: none !important }
.swagger-ui .topbar { padding: .5rem 0 }
@media (max-width: 40rem) { .swagger-ui .wrapper { padding: 0 .75rem } .swagger-ui .opblock .opblock-summary { flex-wrap: wrap } }
`;
const js = `
const viewport = document.createElement("meta");
viewport.name = "viewport";
viewport.content = "width=device-width, initial-scale=1";
document.head.append(viewport);
const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();
`;

/**
 * Registers the reference page. It loads nothing from elsewhere. Its policy does not upgrade requests to https,
 * since a service may be reached by http on a private network.
 */
export async function registerReference(http: Http): Promise<void> {
  await http.register(async (docs) => {
    await docs.register(swaggerUi, {
      routePrefix: paths.reference,
      staticCSP: {
        "default-src": "'none'",
        "base-uri": "'none'",
        "connect-src": "'self'",
        "font-src": "'self' data:",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
        "img-src": "'self' data:",
        "script-src": "'self'",
        "style-src": `'self' ${toStyleSource(firstLogoStyle)}`,
      },
      logo: { type: "image/svg+xml", content: Buffer.from(logo), href: paths.root },
      theme: {
        title: "Avow: interface reference",
        css: [{ filename: "avow.css", content: css }],
        js: [{ filename: "avow.js", content: js }],
      },
      uiConfig: {
        docExpansion: "none",
        deepLinking: true,
        displayRequestDuration: true,
        validatorUrl: null,
      },
    });
  });
}
