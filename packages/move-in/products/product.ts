import type { ConsentTool } from "@avow/contract/consent-tools";
import { type Fields, toFields } from "../mapping/fields.ts";
import type { ForeignConfiguration } from "../mapping/foreign.ts";
import type { Input, Page } from "../mapping/input.ts";
import { type Plain, isPlainObject } from "../mapping/plain.ts";
import type { Report } from "../mapping/report.ts";

export interface Source {
  /** The product's own files, at least one. */
  inputs: readonly Input[];
  report: Report;
  /** The address of the site, if it is known, to which relative links are resolved. */
  site?: string | undefined;
  /** The language of the page, if one was read. */
  language?: string | undefined;
}

/** A consent product, and how its configuration is found and read. */
export interface Product {
  tool: ConsentTool;
  /** The beginning of the product's own script or markup in a page. */
  marks: RegExp;
  /** The place where its users find the file, if a page does not name it. */
  whereToFind: string;
  /** Whether a file is a configuration of the product. */
  isOurs: (input: Input) => boolean;
  read: (source: Source) => ForeignConfiguration;
  /** Addresses of its public files that a page names. Files that are left out are lines of the report. */
  findFiles?: (page: Page, report: Report) => string[];
  /** Further public files that one of its files names, relative to the file's own address; likewise. */
  listFurther?: (input: Input, address: URL, report: Report) => string[];
}

/** The root of a JSON file; an empty object for others. */
export function rootOf(input: Input, report: Report): Fields {
  return toFields(input.json ?? null, "", report);
}

/** Whether a value is an object with one of these fields. */
export function hasField(value: Plain | undefined, ...names: string[]): boolean {
  return isPlainObject(value) && names.some((name) => Object.hasOwn(value, name));
}

const SCRIPTS_FETCHED_MAX = 5;

/** The distinct values of an attribute, in all tags that `pattern` matches. */
export function listMatches(html: string, pattern: RegExp): string[] {
  const found = [...html.matchAll(pattern)].map((match) => match[1] ?? "");
  return [...new Set(found.filter((value) => value !== ""))];
}

/** The same for addresses of scripts, of which a page may name many. */
export function listScripts({ html }: Page, pattern: RegExp, report: Report): string[] {
  const found = listMatches(html, pattern);
  for (const address of found.slice(SCRIPTS_FETCHED_MAX))
    report.add("not mapped", address, `Only ${SCRIPTS_FETCHED_MAX} scripts of a page are fetched.`);
  return found.slice(0, SCRIPTS_FETCHED_MAX);
}
