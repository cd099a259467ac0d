import type { JsonObject } from "@avow/contract/json";
import { openAnswering } from "./answering.ts";
import type { Answer } from "./banner.ts";
import { type VisitorAnswers, openVisitorAnswers } from "../core/answers.ts";
import { openCookieMemory } from "../page/cookies.ts";
import { emit, emitError } from "../page/events.ts";
import { browserPorts } from "../page/browser.ts";
import { request } from "../page/request.ts";
import { toSurroundings } from "../page/surroundings.ts";
import type { LoadFeature } from "./features.ts";
import type { LocatedOptions } from "../page/options.ts";
import { watchPage } from "./page.ts";
import type { Parts } from "./parts.ts";
import { usePerson } from "./person.ts";
import { openService } from "../core/sending/service.ts";
import { defaultConsentMode } from "../page/consent-mode.ts";
import { chooseCookies, isVariant, loadSite } from "../core/site.ts";
import { openSurface } from "./surface.ts";

/** A visitor's visit of one page. */
export interface Visit {
  choices: VisitorAnswers;
  /** Runs accepted tags, and shows the banner if an answer is missing. */
  begin(): void;
  /** Opens all of the visitor's choices. */
  open(): Promise<void>;
  close(): void;
  /** @throws Error when it can be neither sent nor kept */
  answer(answer: Answer): Promise<void>;
}

/** @throws Error when the project cannot be loaded */
export async function openVisit(options: LocatedOptions, load: LoadFeature): Promise<Visit> {
  const { service: base, cdn, projectId, environment } = options;
  const file = projectId + (environment === "staging" ? ".staging" : "");
  const site = await loadSite(`${cdn}/${file}.json`, request);
  const original = chooseCookies(site, options.cookies, toSurroundings(options)) ?? {
    identifier: "",
  };
  if (options.cookies && !original.identifier)
    throw new Error(`Avow: not published: ${options.cookies}.`);
  const memory = openCookieMemory(options, original);
  const { cookies, regional } =
    original.regions?.[0] || site.cookies?.some(isVariant)
      ? await (await load("regions")).openRegion(site, original, options, { memory, load })
      : { cookies: original, regional: undefined };
  const service = openService(`${base}/v1`, site, browserPorts);
  addEventListener("online", () => void service.flush());
  const substances = site.widget?.substances?.[cookies.identifier];
  const choices = openVisitorAnswers({
    cookies,
    service,
    memory,
    substances,
    regional,
    token: options.token,
  });
  const context = { site, cookies, service, wanted: options, choices, load };
  const { $$token, $$next = 0 } = choices.memory;
  const { token = $$token } = options;
  // A visitor whom the site knows may have answered on another device.
  if (token && (token !== $$token || (regional?.on && options.token) || Date.now() > $$next))
    await usePerson(context);
  // Every answer that the widget stored has this member.
  if (cookies.imports && !choices.memory.$$asked)
    await load("device")
      .then(({ adoptAnswers }) => adoptAnswers(context))
      .catch(emitError);
  const tcf = cookies.steps?.some(({ layout }) => layout === "iab")
    ? (await load("tcf")).openTcf(context)
    : undefined;
  return toVisit({ ...context, tcf, regional });
}

function toVisit(parts: Parts): Visit {
  const { wanted, cookies, service, choices, tcf, regional } = parts;
  const { run, settle, answer } = openAnswering(parts, () => surface.rest());
  const surface = openSurface(parts, answer);
  const open = (): Promise<void> => surface.ask(true);
  return {
    choices,
    open,
    close: surface.rest,
    answer(given) {
      surface.rest();
      return answer(given);
    },
    begin() {
      const mode = cookies.googleConsentMode;
      if (mode && !wanted.consentMode)
        defaultConsentMode(true, mode["default"] as JsonObject | undefined);
      const names = Object.keys(choices.vendors);
      const isAsking = names.some(choices.isAsked) || tcf;
      // Refuses what Global Privacy Control refuses, before a tag runs.
      const isNotice = regional?.begin(choices, answer);
      // Before the first answer, tags have only the default.
      const { $$completed } = choices.memory;
      if (isAsking && ($$completed || regional?.on)) settle();
      emit("ready", { vendors: choices.vendors });
      watchPage({ ...parts, answer }, { open, run });
      const isMissing =
        isNotice ?? (isAsking ? tcf?.isPending() || names.some(choices.isPending) : !$$completed);
      if (isMissing && !wanted.manual) void surface.ask(false);
      else surface.rest();
      void service.flush();
    },
  };
}
