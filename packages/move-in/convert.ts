import { type ConsentTool, consentToolNames } from "@avow/contract/consent-tools";
import { type Proposal, toProposal } from "./mapping/documents.ts";
import {
  FILE_BYTES_MAX,
  type Input,
  type Page,
  type SourceFile,
  findLanguage,
  isPage,
  reportEncoding,
  toInput,
  toPage,
} from "./mapping/input.ts";
import { type ReportLine, openReport } from "./mapping/report.ts";
import type { Product } from "./products/product.ts";
import { products } from "./products/products.ts";

/** The statement that belongs to each report. */
const DISCLAIMER =
  "This is a proposal, not legal advice. It does not claim that the new banner is legally equal to the old one, nor that the old one was lawful. Have a person compare both before you publish.";

export type { Proposal, ReportLine };

export interface Conversion {
  product: { tool: ConsentTool; name: string };
  proposal: Proposal;
  report: {
    disclaimer: string;
    lines: readonly ReportLine[];
    /** Lines beyond the limit. */
    omitted: number;
  };
}

export interface ConvertOptions {
  /** The address of the site, if the files do not name it. */
  site?: string | undefined;
  /** Whether the banner adopts the answers that the old product left in browsers (docs/guides/adopt-answers.md). */
  adoptsAnswers?: boolean;
  /** Limits the search to one product. */
  tool?: ConsentTool | undefined;
}

/** The files cannot be converted. The message says what to do. */
export class MoveInError extends Error {
  override readonly name = "MoveInError";
}

const FILES_MAX = 60;

/**
 * Converts the configuration of another consent product into a proposal of Avow's documents. Files are JSON, JavaScript
 * or pages of HTML; no code of theirs runs, and nothing is read from a network or a disk.
 * @throws MoveInError if no product is recognized
 */
export function convert(files: readonly SourceFile[], options: ConvertOptions = {}): Conversion {
  if (files.length > FILES_MAX) throw new MoveInError(`Pass at most ${FILES_MAX} files.`);
  const report = openReport();
  const inputs: Input[] = [];
  const pages: Page[] = [];
  for (const file of files) {
    if (file.text.length > FILE_BYTES_MAX)
      throw new MoveInError(`${file.name} has more than ${FILE_BYTES_MAX / 1024 / 1024} MiB.`);
    reportEncoding(file, report);
    if (isPage(file.text)) pages.push(toPage(file, report));
    else {
      const input = toInput(file, report);
      if (input) inputs.push(input);
    }
  }
  const all = [...inputs, ...pages.flatMap((page) => page.inputs)];
  const candidates = products.filter(({ tool }) => tool === (options.tool ?? tool));
  const product = candidates.find((one) => all.some(one.isOurs));
  if (!product) throw new MoveInError(toUnknown(candidates, findMentioned(candidates, pages)));
  const site = options.site ?? findSite(pages);
  const language = pages.map(findLanguage).find((one) => one !== undefined);
  const own = all.filter(product.isOurs);
  const configuration = product.read({ inputs: own, report, site, language });
  configuration.defaultLanguage ??= language;
  const others = inputs.filter((input) => !product.isOurs(input));
  for (const { name } of others)
    report.add("not mapped", name, `Not a configuration of ${consentToolNames[product.tool]}.`);
  const adoptsAnswers = options.adoptsAnswers === true;
  const proposal = toProposal(configuration, { report, adoptsAnswers });
  const { tool } = product;
  return {
    product: { tool, name: consentToolNames[tool] },
    proposal,
    report: { disclaimer: DISCLAIMER, lines: report.lines, omitted: report.omitted },
  };
}

function findSite(pages: readonly Page[]): string | undefined {
  const url = pages.map((page) => URL.parse(page.url ?? "")).find((one) => one !== null);
  return url ? `${url.origin}/` : undefined;
}

/** The message for files without a configuration of one of these products. */
export function toUnknown(candidates: readonly Product[], mentioned: Product | undefined): string {
  if (mentioned)
    return `The page uses ${consentToolNames[mentioned.tool]}, but has no configuration that can be read. Pass the file: ${mentioned.whereToFind}`;
  const names = candidates.map(({ tool }) => consentToolNames[tool]).join(", ");
  return `No configuration was recognized of: ${names}. Pass the exported file, or the public file that the site loads.`;
}

/** The first product whose script or markup is in one of the pages. */
function findMentioned(
  candidates: readonly Product[],
  pages: readonly Page[],
): Product | undefined {
  return candidates.find(({ marks }) => pages.some(({ html }) => marks.test(html)));
}
