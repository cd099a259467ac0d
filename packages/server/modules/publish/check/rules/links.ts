import { type JsonObject, readObjects, readText } from "@avow/contract/json";
import type { Content } from "@avow/contract/published";
import { type Fault, type Rule, listSteps, listVendors } from "./finding.ts";

interface Address {
  text: string;
  path: string;
  isPicture: boolean;
}

const linkPattern = /\s(?:href|src)="([^"]*)"/g;
/** Addresses of a developer's own machine. */
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
        message: `${text.slice(0, 200)} does not use https.`,
        about: [text.slice(0, 200)],
        fix: "Use https, so that nobody can change the page on its way to visitors.",
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
          message: `Every visitor loads an image from ${host} before any answer.`,
          about: [host],
          fix: "Upload the image to your files, or host it on the website.",
        },
      ];
    }),
};

function listAddresses(content: Content): Address[] {
  // Each of these fields can be in each list, even if its schema does not have it.
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
  return all.flatMap(({ text, ...location }) => {
    const address = readText(text)?.trim();
    return address === undefined ? [] : [{ text: address, ...location }];
  });
}

/** The addresses in a message. Its HTML is sanitized, so attributes always have the form of the pattern. */
function linksOf(html: unknown, path: string): Address[] {
  return [...(readText(html) ?? "").matchAll(linkPattern)].map(([, address = ""]) => ({
    text: address,
    path,
    isPicture: false,
  }));
}

export const linkRules: readonly Rule[] = [insecureLink, pictureElsewhere];
