import { type JsonObject, readObjects, readText } from "@avow/contract/json";
import type { Content } from "@avow/contract/published";
import { type Fault, type Rule, listSteps, listVendors } from "./finding.ts";

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
  // Any of these fields may be in any of them, whichever its schema knows.
  const boxes = (["processings", "contracts", "contractsV2"] as const).flatMap((list) =>
    content[list].map((box: JsonObject, at) => ({ box, path: `/${list}/${at}` })),
  );
  const all = [
    ...listSteps(content).flatMap(({ step, path }) => [
      { text: step.image, path: `${path}/image`, isPicture: true },
      ...linksOf(step.message, `${path}/message`),
    ]),
    ...listVendors(content).flatMap(({ vendor, path }) => [
      { text: vendor.policyUrl, path: `${path}/policyUrl`, isPicture: false },
      { text: vendor.image, path: `${path}/image`, isPicture: true },
    ]),
    ...boxes.flatMap(({ box, path }) => [
      { text: box["picture"], path: `${path}/picture`, isPicture: true },
      { text: box["file"], path: `${path}/file`, isPicture: false },
      ...linksOf(box["message"], `${path}/message`),
      ...readObjects(box["processors"]).map(({ website }, n) => ({
        text: website,
        path: `${path}/processors/${n}/website`,
        isPicture: false,
      })),
    ]),
  ];
  return all.flatMap(({ text, ...place }) => {
    const address = readText(text)?.trim();
    return address === undefined ? [] : [{ text: address, ...place }];
  });
}

/** The addresses in a message, whose HTML is the service's own way of writing it. */
function linksOf(html: unknown, path: string): Address[] {
  return [...(readText(html) ?? "").matchAll(linkPattern)].map(([, address = ""]) => ({
    text: address,
    path,
    isPicture: false,
  }));
}

/** Where it leads. */
export const linkRules: readonly Rule[] = [insecureLink, pictureElsewhere];
