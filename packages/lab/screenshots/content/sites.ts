import type { JsonObject } from "@avow/contract/json";
import { type Texts, texts } from "./texts.ts";

/** A project for screenshots. */
export interface Site {
  project: JsonObject;
  cookies?: readonly JsonObject[];
  processings?: readonly JsonObject[];
  contracts?: readonly JsonObject[];
  tcf?: readonly JsonObject[];
}

const policyUrl = "https://policy.example/privacy";

function toCategory(
  name: string,
  [title, subTitle, message]: Texts["analytics"],
  vendors: readonly JsonObject[],
): JsonObject {
  return { name, layout: "category", title, subTitle, message, showToggleAllSwitch: true, vendors };
}

/** Three steps, as in most shops: one informs, two ask for consent. */
function toShopCookies(words: Texts): JsonObject {
  const { language, welcome, analytics, advertising } = words;
  const [topTitle, title, message] = welcome;
  return {
    name: `shop-${language}`,
    language,
    isDefault: language === "en",
    steps: [
      { name: "welcome", layout: "welcome", topTitle, title, message },
      toCategory("analytics", analytics, [
        {
          name: "google_analytics",
          title: "Google Analytics",
          shortDescription: words.measures,
          longDescription: "_ga, _ga_*: 24.",
          policyUrl,
        },
        { name: "hotjar", title: "Hotjar", shortDescription: words.measures, policyUrl },
      ]),
      toCategory("advertising", advertising, [
        { name: "meta_pixel", title: "Meta Pixel", shortDescription: words.shows, policyUrl },
        { name: "google_ads", title: "Google Ads", shortDescription: words.shows, policyUrl },
        { name: "stripe", title: "Stripe", shortDescription: words.pays, required: true },
      ]),
    ],
  };
}

/** One step of the shop's banner with the layout `layout`. */
const oneStep = (layout: string, more: JsonObject = {}): JsonObject[] =>
  texts.map(({ language, welcome: [, title, message], measures }) => ({
    name: `${layout}-${language}`,
    language,
    isDefault: language === "en",
    steps: [
      {
        name: layout,
        layout,
        title,
        message,
        vendors: [
          { name: "matomo", title: "Matomo", shortDescription: measures, policyUrl },
          { name: "hotjar", title: "Hotjar", shortDescription: measures, policyUrl },
        ],
        ...more,
      },
    ],
  }));

const manyVendors: JsonObject[] = Array.from({ length: 40 }, (_, at) => ({
  name: `vendor_${at}`,
  title: at === 3 ? "Donaudampfschifffahrtsgesellschaftskapitän GmbH" : `Vendor ${at + 1}`,
  shortDescription: at % 3 === 0 ? "Counts visits, keeps nothing about anybody." : undefined,
  policyUrl,
}));

const letter: JsonObject = {
  name: "letter",
  language: "en",
  title: "The kiln letter",
  subTitle: "Newsletter",
  message: "<p>One e-mail a month: new pieces from the kiln, <em>before</em> they are on sale.</p>",
  purpose: "Sending a monthly e-mail about new pieces, workshops and sales.",
  personalDataTypes: ["E-mail address", "First name"],
  processors: [
    {
      name: "Brevo",
      role: "Processor",
      shortDescription: "Sends the e-mails.",
      website: "https://brevo.example",
    },
  ],
  consentWithdraw: "By the link at the foot of each letter, or here, at any time.",
  storageDuration: 36,
};

const terms: JsonObject = {
  name: "terms",
  language: "en",
  title: "Terms of sale",
  subTitle: "Before your first order",
  message: "<p>I have read and accept the terms of sale: returns within 30 days.</p>",
  file: "https://shop.example/terms.pdf",
  idRequired: true,
};

const shop = { cookies: texts.map(toShopCookies) };

const boxes = {
  processings: [
    letter,
    {
      ...letter,
      language: "ar",
      title: "رسالة الفرن",
      subTitle: "النشرة البريدية",
      message: "<p>رسالة واحدة كل شهر: ما خرج من الفرن قبل أن يُعرض للبيع.</p>",
      purpose: "إرسال رسالة شهرية عن القطع الجديدة والورش.",
      personalDataTypes: ["البريد الإلكتروني", "الاسم الأول"],
      processors: [{ name: "Brevo", role: "معالج", shortDescription: "يرسل الرسائل." }],
      consentWithdraw: "بالرابط في أسفل كل رسالة أو هنا في أي وقت.",
    },
  ],
  contracts: [
    terms,
    {
      ...terms,
      language: "ar",
      title: "شروط البيع",
      subTitle: "قبل طلبك الأول",
      message: "<p>قرأت شروط البيع وأوافق عليها: الإرجاع خلال 30 يومًا.</p>",
    },
  ],
};

/** The sites of the screenshots; `image` is the address of one, `vendors` are ids of IAB Europe's list. */
export function toSites(image: string, vendors: readonly number[]): Record<string, Site> {
  return {
    shop: { project: {}, ...shop, ...boxes },
    overlay: {
      project: {
        overlayStyle: { background: "#1a120bb0" },
        widgetStyle: { position: "middle-center" },
      },
      ...shop,
    },
    regions: {
      project: {},
      cookies: shop.cookies.map((one) => ({
        ...one,
        regions: [
          { in: ["US_PRIVACY"], model: "opt-out" },
          { in: ["US"], model: "notice" },
          { in: ["*"], model: "opt-in" },
        ],
      })),
    },
    clay: {
      project: {
        colors: { main: "#b4532a", title: "#2b211c", text: "#4a3f39", background: "#fdfaf6" },
        fonts: { title: "Georgia, serif" },
        widgetStyle: { position: "bottom-left", borderRadius: 14 },
      },
      ...shop,
      ...boxes,
    },
    mono: {
      project: {
        colors: { main: "#111111" },
        fonts: { title: "monospace", text: "monospace" },
        widgetStyle: { position: "bottom-right", borderRadius: 0, padding: 20 },
      },
      ...shop,
    },
    sun: {
      project: {
        colors: { main: "#ffd400", text: "#333333" },
        widgetStyle: { position: "top-right", borderRadius: 28 },
      },
      ...shop,
    },
    category: {
      project: {},
      cookies: oneStep("category", {
        topTitle: "Hearth & Clay",
        image,
        vendors: manyVendors,
        showToggleAllSwitch: true,
      }),
    },
    info: { project: {}, cookies: oneStep("info") },
    notice: { project: {}, cookies: oneStep("info", { vendors: undefined }) },
    soft_consent: { project: {}, cookies: oneStep("soft_consent") },
    // The layout shows its own partners instead of a list of vendors.
    iab: {
      project: {},
      cookies: oneStep("iab", { vendors: undefined }),
      tcf: [{ cmpId: 300, vendors }],
    },
  };
}
