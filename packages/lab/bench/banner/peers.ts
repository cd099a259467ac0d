import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { installPackages } from "../measure/npm.ts";
import type { Party } from "./party.ts";
import { type Category, categories, texts } from "./shop.ts";

const dependencies = {
  "vanilla-cookieconsent": "3.1.0",
  klaro: "0.7.22",
  tarteaucitronjs: "1.34.0",
};

/** Installs the best-known open-source banners from npm in `folder`, configured for the shop. */
export async function openPeers(folder: string): Promise<Party[]> {
  const versionOf = await installPackages(folder, dependencies);
  const read = (name: string) => (path: string) =>
    readFile(join(folder, "node_modules", name, path));
  const peers = [
    await toCookieConsent(read("vanilla-cookieconsent")),
    await toKlaro(read("klaro")),
    await toTarteaucitron(read("tarteaucitronjs")),
  ];
  return Promise.all(peers.map(async (peer) => ({ ...peer, version: await versionOf(peer.name) })));
}

type ReadFile = (path: string) => Promise<Buffer>;
type Unversioned = Omit<Party, "version">;

const toBuffer = (name: string, value: object, end = ""): Buffer =>
  Buffer.from(`${name}${JSON.stringify(value)}${end}`);

function toSection({ name, title, text }: Category): object {
  return { title, description: text, linkedCategory: name };
}

function toServices({ vendors }: Category): object {
  const entries = vendors.map(
    ({ name, title, text }) => [name, { label: `${title}: ${text}` }] as const,
  );
  return Object.fromEntries(entries);
}

/** As https://cookieconsent.orestbida.com/essential/getting-started.html says under HTML. */
async function toCookieConsent(read: ReadFile): Promise<Unversioned> {
  const { title, message, accept, refuse, choose, save, close } = texts;
  const buttons = { acceptAllBtn: accept, acceptNecessaryBtn: refuse };
  const configuration = {
    categories: Object.fromEntries(
      categories.map((category) => [category.name, { services: toServices(category) }]),
    ),
    language: {
      default: "en",
      translations: {
        en: {
          consentModal: { title, description: message, ...buttons, showPreferencesBtn: choose },
          preferencesModal: {
            title,
            ...buttons,
            savePreferencesBtn: save,
            closeIconLabel: close,
            sections: categories.map(toSection),
          },
        },
      },
    },
  };
  const code = `import './cookieconsent.umd.js';\nCookieConsent.run(`;
  return {
    name: "vanilla-cookieconsent",
    toLines: () => ({
      head: `<link rel="stylesheet" href="cookieconsent.css">\n`,
      body: `<script type="module" src="cookieconsent-config.js"></script>\n`,
    }),
    files: new Map([
      ["cookieconsent.css", await read("dist/cookieconsent.css")],
      ["cookieconsent.umd.js", await read("dist/cookieconsent.umd.js")],
      ["cookieconsent-config.js", toBuffer(code, configuration, ");\n")],
    ]),
  };
}

/** Set up as in "Getting started" of its README; with a strict policy, its style is in a separate file, which it supports. */
async function toKlaro(read: ReadFile): Promise<Unversioned> {
  const { title, message, accept, refuse, choose, save, close } = texts;
  const configuration = {
    version: 1,
    lang: "en",
    acceptAll: true,
    showNoticeTitle: true,
    groupByPurpose: true,
    translations: {
      en: {
        consentNotice: { title, description: message, learnMore: choose },
        consentModal: { title, description: message },
        acceptAll: accept,
        acceptSelected: save,
        ok: accept,
        decline: refuse,
        close,
        purposes: Object.fromEntries(
          categories.map((one) => [one.name, { title: one.title, description: one.text }]),
        ),
      },
    },
    services: categories.flatMap((category) =>
      category.vendors.map((vendor) => ({
        name: vendor.name,
        purposes: [category.name],
        translations: { en: { title: vendor.title, description: vendor.text } },
      })),
    ),
  };
  return {
    name: "klaro",
    toLines: (isStrict) => ({
      head: `${isStrict ? `<link rel="stylesheet" href="klaro.min.css">\n` : ""}<script defer type="text/javascript" src="config.js"></script>
<script defer type="text/javascript" src="klaro${isStrict ? "-no-css" : ""}.js"></script>\n`,
    }),
    files: new Map([
      ["config.js", toBuffer("var klaroConfig = ", configuration, ";\n")],
      ["klaro.js", await read("dist/klaro.js")],
      ["klaro-no-css.js", await read("dist/klaro-no-css.js")],
      ["klaro.min.css", await read("dist/klaro.min.css")],
    ]),
  };
}

/** Set up as in "How to use" of its README, with its minified files. */
async function toTarteaucitron(read: ReadFile): Promise<Unversioned> {
  const { title, message, accept, refuse, choose, close } = texts;
  const [analytic, ads] = categories.map((one) => ({ title: one.title, details: one.text }));
  const own = {
    middleBarHead: title,
    alertBigPrivacy: message,
    acceptAll: accept,
    denyAll: refuse,
    personalize: choose,
    close,
    analytic,
    ads,
  };
  const vendors = categories.flatMap((category) => category.vendors);
  const configuration = {
    privacyUrl: "",
    bodyPosition: "bottom",
    hashtag: "#tarteaucitron",
    cookieName: "tarteaucitron",
    orientation: "middle",
    groupServices: false,
    showDetailsOnClick: true,
    serviceDefaultState: "wait",
    showAlertSmall: false,
    showTitleBanner: true,
    cookieslist: false,
    showIcon: true,
    iconPosition: "BottomRight",
    adblocker: false,
    DenyAllCta: true,
    AcceptAllCta: true,
    highPrivacy: true,
    handleBrowserDNTRequest: false,
    removeCredit: false,
    moreInfoLink: true,
    useExternalCss: false,
    useExternalJs: false,
    mandatory: true,
    mandatoryCta: true,
    googleConsentMode: true,
  };
  const code = [
    `tarteaucitronForceLanguage = "en";`,
    `tarteaucitronCustomText = ${JSON.stringify(own)};`,
    `tarteaucitron.init(${JSON.stringify(configuration)});`,
    ...vendors.flatMap(({ tarteaucitron: { name, ids } }) => [
      ...Object.entries(ids).map(([key, id]) => `tarteaucitron.user.${key} = "${id}";`),
      `(tarteaucitron.job = tarteaucitron.job || []).push("${name}");`,
    ]),
  ].join("\n");
  const paths = [
    "tarteaucitron.min.js",
    "tarteaucitron.services.min.js",
    "lang/tarteaucitron.en.min.js",
    "css/tarteaucitron.min.css",
  ];
  const files = paths.map(async (path) => [path, await read(path)] as const);
  return {
    name: "tarteaucitronjs",
    toLines: (isStrict) => ({
      head: `<script src="tarteaucitron.min.js"></script>
${isStrict ? `<script src="config.js"></script>` : `<script>${code}</script>`}\n`,
    }),
    files: new Map([...(await Promise.all(files)), ["config.js", Buffer.from(code)]]),
  };
}
