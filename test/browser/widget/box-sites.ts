import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type { Locator, Page } from "playwright-core";

/** A consent form with all optional fields. */
export const newsletter = {
  name: "newsletter",
  title: "Our newsletter",
  subTitle: "Once a month, nothing else",
  message: "<p>May we <strong>write to you</strong>?</p>",
  purpose: "To send news of the shop by e-mail.",
  language: "en",
  personalDataTypes: ["E-mail address", "First name"],
  processors: [
    {
      name: "Mailer",
      role: "Sends the letters",
      shortDescription: "In Lyon, France.",
      website: "https://mailer.example/privacy",
    },
  ],
  storageDuration: 12,
  automatedDecisions: true,
  automatedDecisionsDetails: "Topics are chosen by what you open.",
  automatedDecisionsContact: "dpo@shop.example",
  consentWithdraw: "Here at any time, or write to dpo@shop.example.",
  buttons: [
    { text: "Yes, please", color: "primary", value: "yes" },
    { text: "No, thank you", color: "default", value: "never" },
  ],
  confirmations: {
    accept: { title: "Welcome", message: "<p>See you soon.</p>", backButtonText: "Think again" },
    refuse: { title: "As you wish", message: "<p>We will not write.</p>" },
  },
};

export const terms = {
  name: "terms",
  title: "Terms of sale",
  subTitle: "Version of November 2026",
  message: "<p>The rights and duties of both sides.</p>",
  file: "https://shop.example/terms.pdf",
  language: "en",
  idRequired: true,
  buttons: [{ text: "I accept the terms", color: "primary", value: "accept" }],
};

/** An optional contract form, inside an HTML form or on its own. */
export const club = { ...terms, name: "club", title: "Club rules", idRequired: false, buttons: [] };

/** An HTML form of a shop around consent and contract forms. */
export function toForm(boxes: string): string {
  return `<h1>Order</h1><form id="order" method="post" action="/order">
<p><label>E-mail <input name="email" type="email" value="ann@shop.example"></label></p>
${boxes}<p><button name="pay" value="now">Order now</button></p></form>`;
}

/** The consent or contract form at a placeholder of the page. */
export function boxAt(page: Page, place: string): Locator {
  return page.locator(`[data-avow="${place}"]`);
}

/** The requests to a shop's own server, in order. */
export interface Orders {
  received: URLSearchParams[];
  take: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
}

/** A shop's server that takes orders. */
export function openOrders(): Orders {
  const received: URLSearchParams[] = [];
  return {
    received,
    take: async (request, response) => {
      received.push(new URLSearchParams(await text(request)));
      response.setHeader("content-type", "text/html; charset=utf-8");
      response.end('<!doctype html><html lang="en"><title>Thanks</title><h1>Thanks</h1>');
    },
  };
}
