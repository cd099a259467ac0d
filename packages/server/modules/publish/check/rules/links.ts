import type { Content } from "../../content/content.ts";
import { type Fault, type Rule, listOf, listSteps, listVendors, textOf } from "./finding.ts";

/** An address somewhere in a content. */
interface Address {
  text: string;
  path: string;
  isPicture: boolean;
}

const linkPattern = /\s(?:href|src)="([^"]*)"/g;
/** What is tried on a developer's own machine. */
const loopback = /^http:\/\/(localhost|[^/]*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?(\/|$)/i;

const insecureLink: Rule = {
  id: "insecure-link",
  severity: "error",
  source: "GDPR articles 5(1)(f) and 32",
  find: (content) =>
    listAddresses(content)
      .filter(({ text }) => /^http:/i.test(text) && !loopback.test(text))
      .map(({ text, path }) => ({
        path,
        message: `${text.slice(0, 200)} is not https.`,
        about: [text.slice(0, 200)],
        fix: "Link it by https, so that nobody on the way changes what visitors are told.",
      })),
};

const pictureElsewhere: Rule = {
  id: "picture-elsewhere",
  severity: "warning",
  source:
    "ePrivacy Directive, article 5(3); CJEU C-582/14 (Breyer): an IP address is personal data",
  find: (content, { hosts }) =>
    listAddresses(content).flatMap(({ text, path, isPicture }): Fault[] => {
      const host = isPicture && URL.canParse(text) ? new URL(text).host : "";
      if (!host || hosts.has(host)) return [];
      return [
        {
          path,
          message: `${host} is asked for a picture by every visitor, before any answer.`,
          about: [host],
          fix: "Keep the picture on the website's own host.",
        },
      ];
    }),
};

function listAddresses(content: Content): Address[] {
  const boxes = (["processings", "contracts", "contractsV2"] as const).flatMap((list) =>
    content[list].map((box, at) => ({ box, path: `/${list}/${at}` })),
  );
  const all = [
    ...listSteps(content).flatMap(({ step, path }) => [
      { text: textOf(step["image"]), path: `${path}/image`, isPicture: true },
      ...linksOf(step["message"], `${path}/message`),
    ]),
    ...listVendors(content).flatMap(({ vendor, path }) => [
      { text: textOf(vendor["policyUrl"]), path: `${path}/policyUrl`, isPicture: false },
      { text: textOf(vendor["image"]), path: `${path}/image`, isPicture: true },
    ]),
    ...boxes.flatMap(({ box, path }) => [
      { text: textOf(box["picture"]), path: `${path}/picture`, isPicture: true },
      { text: textOf(box["file"]), path: `${path}/file`, isPicture: false },
      ...linksOf(box["message"], `${path}/message`),
      ...listOf(box["processors"]).map((one, n) => ({
        text: textOf(one["website"]),
        path: `${path}/processors/${n}/website`,
        isPicture: false,
      })),
    ]),
  ];
  return all.filter(({ text }) => text !== "");
}

/** The addresses in a message, whose HTML is the service's own way of writing it. */
function linksOf(html: unknown, path: string): Address[] {
  const text = typeof html === "string" ? html : "";
  return [...text.matchAll(linkPattern)].map(([, address = ""]) => ({
    text: address,
    path,
    isPicture: false,
  }));
}

/** Where it leads. */
export const linkRules: readonly Rule[] = [insecureLink, pictureElsewhere];
