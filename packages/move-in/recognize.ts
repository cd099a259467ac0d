import type { ConsentTool } from "@avow/contract/consent-tools";
import { toUnknown } from "./convert.ts";
import { type SourceFile, findLanguage, isPage, toInput, toPage } from "./mapping/input.ts";
import { type Report, openReport } from "./mapping/report.ts";
import { products } from "./products/products.ts";

/** The parts of a fetched file that belong to a consent product. */
export interface Recognized {
  /** Whether there is a configuration in it. */
  hasConfiguration: boolean;
  /**
   * The file, if it is a configuration. A page is reduced to its language and the scripts that contain a configuration;
   * undefined if it has neither a configuration nor the address of one.
   */
  own: SourceFile | undefined;
  /** Addresses of further public files that it names. */
  further: string[];
  /** Files that it names beyond the limits. */
  omitted: { name: string; reason: string }[];
  /** The product whose script or markup is in the page. */
  mentioned: ConsentTool | undefined;
}

const FURTHER_MAX = 60;

/** Recognizes a fetched file, whose name is its address. None of its code runs. */
export function recognizeFile(file: SourceFile): Recognized {
  const address = URL.parse(file.name);
  const silent = openReport();
  const cuts = openReport();
  const found = isPage(file.text) ? recognizePage(file, silent, cuts) : recognizeInput(file, cuts);
  const addresses = found.further.flatMap((text) => {
    const url = address && URL.parse(text, address);
    return url && /^https?:$/.test(url.protocol) ? [url.href] : [];
  });
  const distinct = [...new Set(addresses)];
  for (const name of distinct.slice(FURTHER_MAX))
    cuts.add("not mapped", name, `At most ${FURTHER_MAX} files that a file names are fetched.`);
  const omitted = cuts.lines.map(({ path, reason }) => ({ name: path, reason }));
  return { ...found, further: distinct.slice(0, FURTHER_MAX), omitted };
}

/** The message for an address without a configuration. */
export function toUnknownMessage(mentioned: ConsentTool | undefined): string {
  return toUnknown(
    products,
    products.find(({ tool }) => tool === mentioned),
  );
}

type RecognizedContent = Omit<Recognized, "omitted">;

function recognizePage(file: SourceFile, silent: Report, cuts: Report): RecognizedContent {
  const page = toPage(file, silent);
  const scripts = page.inputs.filter((input) => products.some((one) => one.isOurs(input)));
  const further = products.flatMap((product) => product.findFiles?.(page, cuts) ?? []);
  const hasConfiguration = scripts.length > 0;
  const isOurs = hasConfiguration || further.length > 0;
  const language = findLanguage(page) ?? "";
  const text = [
    `<!doctype html><html lang="${language}">`,
    ...scripts.map(({ code }) => `<script>${code}</script>`),
  ].join("\n");
  return {
    hasConfiguration,
    own: isOurs ? { ...file, text } : undefined,
    further,
    mentioned: products.find(({ marks }) => marks.test(file.text))?.tool,
  };
}

function recognizeInput(file: SourceFile, cuts: Report): RecognizedContent {
  const input = toInput(file, openReport());
  const product = input && products.find((one) => one.isOurs(input));
  const address = URL.parse(file.name);
  const further =
    input && product && address ? (product.listFurther?.(input, address, cuts) ?? []) : [];
  return {
    hasConfiguration: product !== undefined,
    own: product && file,
    further,
    mentioned: product?.tool,
  };
}
