import { hrefOf, paths } from "@avow/contract/urls";
import { toLinkPage, toLinkPageHeaders } from "../../../platform/text/link-page.ts";
import { type Markup, markup, toStyleSource } from "../../../platform/text/markup.ts";
import type { Language } from "../../evidence/log/schema.ts";
import { style } from "./style.ts";

/** The brand that a page has. */
export interface PageBrand {
  name: string;
  /** The id of a picture of this service. */
  logo?: string;
  /** `#rrggbb` with enough contrast to white. */
  color?: string;
  supportEmail?: string;
}

/** The headers of these pages, which load nothing but the logo of a brand from this service. */
export function toPageHeaders(brand?: PageBrand): typeof plainHeaders {
  return brand === undefined ? plainHeaders : toHeaders(brand);
}

function toHeaders(brand: PageBrand | undefined) {
  const pictures = brand?.logo === undefined ? "" : "img-src 'self'; ";
  return toLinkPageHeaders(`${pictures}style-src ${toStyleSource(toStyle(brand))}`);
}

/** Their style is hashed once: most pages have no brand. */
const plainHeaders = toHeaders(undefined);

/** The style with the accent of a brand in light mode; its contrast with dark grounds is unknown. */
function toStyle(brand: PageBrand | undefined): string {
  if (brand?.color === undefined || !/^#[0-9a-f]{6}$/i.test(brand.color)) return style;
  return `${style}:root { --accent: light-dark(${brand.color}, #93b4ff) }\n`;
}

interface PageContent {
  language: Language;
  title: string;
  body: Markup;
  brand?: PageBrand | undefined;
}

export function toPage({ language, title, body, brand }: PageContent, name = ""): string {
  const main = [brand && toBrand(brand), body];
  return toLinkPage({ language, title, style: toStyle(brand), name, main });
}

/** The logo and the name of a brand, with its address for questions. */
function toBrand({ name, logo, supportEmail }: PageBrand): Markup {
  const picture =
    logo !== undefined &&
    markup`<img src="${hrefOf("", paths.asset, { id: logo })}" alt="" height="40">`;
  const support =
    supportEmail !== undefined && markup`<a href="mailto:${supportEmail}">${supportEmail}</a>`;
  return markup`<div class="brand">${picture || undefined}<strong>${name}</strong>${support || undefined}</div>
`;
}

/** A page with only a message. */
export function toNote(
  language: Language,
  { title, lead }: { title: string; lead: string },
  brand?: PageBrand,
): string {
  const body = markup`<section><h1>${title}</h1>
<p>${lead}</p></section>`;
  return toPage({ language, title, body, brand }, "note");
}
