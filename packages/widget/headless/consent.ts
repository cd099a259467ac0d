import { toRefusal } from "../core/rule.ts";
import { type ServiceAnswers, forgetOthers, keepNewer } from "../core/newer-answers.ts";
import type { Ticket } from "../core/sending/service.ts";
import type {
  Consent,
  ConsentAnswer,
  ConsentOptions,
  ConsentState,
  ConsentView,
  SentAnswer,
  TcfChoices,
} from "./api.ts";
import { findForm } from "./forms.ts";
import {
  type Situation,
  loadPublished,
  locate,
  openSituation,
  readSituation,
  toOptions,
  toPorts,
} from "./situation.ts";
import { reduceSite } from "./published.ts";
import {
  type OpenConsent,
  isBannerDue,
  isBannerKnown,
  isNewVisitor,
  loadingState,
  toState,
} from "./state.ts";
import { hasIab, loadStrings } from "./strings.ts";

/** Interval of asking the service for newer answers of the visitor's token. */
const SYNC_MS = 86_400_000;

/**
 * Opens the consent of one visitor, without an interface: the base of `@avow/react`, `@avow/vue` and `@avow/react-native`, and
 * of interfaces of your own. It uses neither a document nor a window.
 */
export function createConsent(wanted: ConsentOptions): Consent {
  const options = toOptions(wanted);
  const ports = toPorts(options);
  const listeners = new Set<() => void>();
  let opened: OpenConsent | undefined;
  let view: ConsentView = "closed";
  /** Whether the visitor has closed the banner that a server had rendered. */
  let isDismissed = false;
  let error: Error | undefined;
  let state: ConsentState = loadingState;
  /** The display tickets of the open view and of visible forms. */
  let ticket: Ticket | undefined;
  const formTickets = new Map<string, Ticket>();

  const update = (): void => {
    if (opened) state = toState({ ...opened, view, error });
    else if (error) state = { ...loadingState, status: "failed", error };
    for (const listener of listeners)
      try {
        listener();
      } catch (cause) {
        // Reported as uncaught, so that one listener does not disturb the others.
        setTimeout(() => {
          throw cause;
        }, 0);
      }
  };
  const setView = (next: ConsentView): void => {
    view = next;
    update();
  };
  const open = (situation: Situation): OpenConsent => {
    opened = { situation, strings: undefined };
    return opened;
  };
  const settle = async (current: OpenConsent): Promise<void> => {
    current.strings = await loadStrings(current.situation, {
      hasKeys: options.appKeys !== undefined,
    });
    await syncIfDue(current.situation);
    refuseByGpc(current.situation);
    await writeKeys(current);
    if (view !== "preferences")
      view = !isWaiting(current.situation) && isBannerDue(current) ? "banner" : "closed";
    if (view === "banner") noteView(current);
    update();
    void current.situation.service.flush();
    await current.situation.stores.settle();
  };
  /** Other SDKs read the keys of an app. Without them, the consent itself still works. */
  const writeKeys = async ({ strings }: OpenConsent): Promise<void> => {
    try {
      if (options.appKeys) await strings?.writeKeys(options.appKeys);
    } catch (cause) {
      fail(cause);
    }
  };
  const noteView = ({ situation }: OpenConsent): void => {
    const { identifier, steps } = situation.regional.cookies;
    const step = steps?.[0]?.name ?? "";
    ticket = situation.service.noteDisplay(view === "banner" ? { identifier, step } : "");
  };
  const syncIfDue = async (situation: Situation): Promise<void> => {
    const { $$token, $$next = 0 } = situation.answers.memory;
    const inMs = $$next - Date.now();
    // A later time than the interval is from a wrong clock.
    const isDue = $$token !== undefined && (inMs < 0 || inMs > SYNC_MS);
    if (isNewVisitor(options, situation) || isDue) await sync(situation);
  };
  /** Stores newer answers of the visitor's token, from other devices and from the visitor's own page. */
  const sync = async (situation: Situation): Promise<void> => {
    const { answers, site, regional, forms } = situation;
    const url = `${options.url}/v1/client/${site.projectId}/answers`;
    try {
      const response = await ports.transport(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ token: answers.token }),
      });
      // Nothing is stored of a visitor who has not answered here.
      if (answers.memory.$$token) answers.keep({ $$next: Date.now() + SYNC_MS });
      // Forbidden: the project does not allow access by the token alone.
      if (!response.ok) return;
      const given = (await response.json()) as ServiceAnswers;
      keepNewer({ site, cookies: regional.cookies, choices: answers, forms }, given);
    } catch {
      // Unreachable: the device's answers hold, and the next load asks again.
    }
  };
  const refuseByGpc = ({ answers, regional, snapshot: { gpc } }: Situation): void => {
    if (regional.model === "opt-in") return;
    // An acceptance from before the signal does not stand, one after it does.
    const isNew = gpc && !answers.memory.$$gpc;
    const refused = regional.refused.filter((name) => answers.memory[name] !== false);
    if (gpc !== Boolean(answers.memory.$$gpc)) answers.keep({ $$gpc: gpc });
    if (!isNew || !refused[0]) return;
    answers.keep({ $$confirm: true });
    void answers.answer(toRefusal(refused), undefined).catch(fail);
  };
  const isManual = ({ regional }: Situation): boolean =>
    options.manual === true || (options.withoutTcf === true && hasIab(regional.cookies));
  const isWaiting = (situation: Situation): boolean => isDismissed || isManual(situation);
  const fail = (cause: unknown): void => {
    error = cause instanceof Error ? cause : new Error(String(cause));
    update();
  };
  const begin = async (): Promise<OpenConsent> => {
    try {
      const current = opened
        ? await complete(opened)
        : open(openFrom(await readSituation(options, ports)));
      error = undefined;
      await settle(current);
      return current;
    } catch (cause) {
      beginning = undefined;
      fail(cause);
      throw cause;
    }
  };
  /** Adds to a snapshot the region, the vendor list of IAB's TCF, and the answers that are not in a request's cookies. */
  const complete = async (current: OpenConsent): Promise<OpenConsent> => {
    const { snapshot, regional } = current.situation;
    const located = await locate(snapshot, options, ports);
    const site = hasIab(regional.cookies) ? await loadPublished(options, ports) : located.site;
    const isSame = located === snapshot && site === snapshot.site;
    const completed = isSame ? current : open(openFrom({ ...located, site }));
    await reload(completed);
    return completed;
  };
  const openFrom = (snapshot: Situation["snapshot"]): Situation =>
    openSituation(snapshot, options, { ports, encodeGpp: () => opened?.strings?.encodeGpp() });
  if (options.snapshot) {
    const current = open(openFrom(options.snapshot));
    const isKnown = isBannerKnown(current, options);
    view = isKnown && !isManual(current.situation) ? "banner" : "closed";
    update();
  }
  let beginning: Promise<OpenConsent> | undefined;
  let resolveReady: ((begun: Promise<unknown>) => void) | undefined;
  const ready = new Promise<unknown>((resolve) => (resolveReady = resolve)).then(() => undefined);
  /** Begins if that has not happened, or has failed, such as without a network. */
  const start = (): Promise<OpenConsent> => {
    beginning ??= begin();
    resolveReady?.(beginning);
    resolveReady = undefined;
    return beginning;
  };
  // The state has the error; callers that await `ready` get it as well.
  ready.catch(() => undefined);
  if (!options.deferred) void start().catch(() => undefined);

  /** The answer that is being sent: a second press of a button in the meantime is about the same vendors. */
  let last: { asked: readonly string[]; text: string; sent: Promise<SentAnswer> } | undefined;
  const answer = async (answered: ConsentAnswer, choices?: TcfChoices): Promise<SentAnswer> => {
    // Without a pause if possible, so that two answers are in the order of their calls.
    const current = opened?.strings ? opened : await start();
    const { answers, regional, stores } = current.situation;
    const isAll = typeof answered === "boolean";
    const isAsked = isAll && view === "banner" ? answers.isPending : answers.isAsked;
    const asked = (isAll && last?.asked) || Object.keys(answers.vendors).filter(isAsked);
    const vendors = toVendors(answered, { asked, known: answers.vendors });
    const tcf = isAll || choices ? current.strings?.tcf : undefined;
    const more = tcf?.toAnswer(choices ?? answered === true);
    const text = JSON.stringify([vendors, more?.memory]);
    if (last?.text === text) return last.sent;
    if (!more && Object.keys(vendors).length === 0)
      throw new TypeError("Avow: the answer names no vendor that is asked for.");
    const before = { ...answers.memory };
    const isOptOut = regional.model === "opt-out" && isRefusal(vendors);
    if (isOptOut) answers.keep({ $$confirm: true });
    const sent = answers.answer(vendors, ticket, more).catch((cause: unknown) => {
      // Nothing may run without a record. A refusal holds.
      const undone = Object.keys(vendors).filter((name) => vendors[name] && before[name] !== true);
      answers.keep(Object.fromEntries(undone.map((name) => [name, undefined])));
      if (view === "closed" && !isManual(current.situation) && isBannerDue(current))
        view = "banner";
      fail(cause);
      throw cause;
    });
    const own = { asked, text, sent };
    last = own;
    ticket = undefined;
    error = undefined;
    // A placeholder may answer for one vendor while the banner asks for more.
    const isAsking = view === "banner" && (isOptOut || isBannerDue(current));
    if (isAsking) ticket = current.situation.service.noteDisplay("");
    setView(isAsking ? "banner" : "closed");
    try {
      const [result] = await Promise.all([sent, stores.settle(), writeKeys(current)]);
      return result;
    } finally {
      if (last === own) last = undefined;
    }
  };

  const refresh = async (): Promise<void> => {
    const current = await start();
    await reload(current);
    await writeKeys(current);
    if (view === "banner" && !isBannerDue(current)) view = "closed";
    update();
  };

  return {
    options,
    ready,
    start: () => void start().catch(() => undefined),
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    isAccepted: (vendor) => opened?.situation.answers.isAccepted(vendor) ?? false,
    async show(next = "preferences") {
      const current = await start();
      // Newer answers first, so that saving does not restore a consent that was withdrawn elsewhere.
      if (next === "preferences" && current.situation.answers.memory.$$token)
        await sync(current.situation).then(() => writeKeys(current));
      view = next;
      noteView(current);
      update();
    },
    close() {
      if (view === "banner" && !opened?.strings?.tcf) opened?.situation.answers.noteNotice();
      ticket = undefined;
      isDismissed = true;
      setView("closed");
    },
    answer,
    getForm: (name) => findForm(opened?.situation, name),
    showForm(name) {
      const { configuration } = findForm(opened?.situation, name);
      const { identifier } = configuration;
      const isAnswered = opened?.situation.forms.find(configuration) !== undefined;
      // A visitor who has answered is not asked, so no impression is counted.
      const display = opened?.situation.service.noteDisplay(
        isAnswered ? "" : { identifier, step: "" },
      );
      if (display) formTickets.set(identifier, display);
    },
    async answerForm(name, accept, value) {
      const { situation } = await start();
      const { collection, configuration } = findForm(situation, name);
      const { identifier, language } = configuration;
      const { answers, forms, service, stores } = situation;
      const display = formTickets.get(identifier);
      // A ticket is for one answer.
      formTickets.delete(identifier);
      const body = { collection, identifier, accept, language, value };
      const sent = await service.send(body, answers.token, display).catch((cause: unknown) => {
        fail(cause);
        throw cause;
      });
      answers.keep({ $$token: answers.token });
      forms.keep(configuration, { accept, token: answers.token });
      error = undefined;
      update();
      await stores.settle();
      return sent;
    },
    async identify(token) {
      const current = await start();
      const { situation } = current;
      const known = token || undefined;
      forgetOthers(situation.answers, known);
      situation.answers.token = known;
      if (known !== undefined) await sync(situation);
      await refresh();
      isDismissed = false;
      if (view === "closed" && !isManual(situation) && isBannerDue(current)) {
        view = "banner";
        noteView(current);
        update();
      }
    },
    refresh,
    async flush() {
      await (await start()).situation.service.flush();
    },
    tcf: () => opened?.strings?.tcf?.toChoices(),
    toSnapshot() {
      if (!opened) throw new Error("Avow: await `ready` before a snapshot is made.");
      const { snapshot, site, stores } = opened.situation;
      return {
        ...snapshot,
        site: reduceSite(site, snapshot.identifier),
        stored: stores.toTexts(),
      };
    },
  };
}

async function reload({ situation: { stores, answers, forms } }: OpenConsent): Promise<void> {
  await stores.reload();
  answers.refresh();
  forms.refresh();
}

function isRefusal(vendors: Readonly<Record<string, boolean>>): boolean {
  const given = Object.values(vendors);
  return given.length > 0 && !given.includes(true);
}

interface AnsweredVendors {
  /** The vendors that the visitor is asked for. */
  asked: readonly string[];
  /** All vendors of the configuration. */
  known: Readonly<Record<string, boolean>>;
}

/** The answer by vendor, without vendors that are not asked for. @throws TypeError for anything else than an answer */
function toVendors(answered: ConsentAnswer, { asked, known }: AnsweredVendors) {
  if (typeof answered === "boolean")
    return Object.fromEntries(asked.map((name) => [name, answered]));
  if (typeof answered !== "object" || (answered as object | null) === null)
    throw new TypeError("Avow: an answer is true, false, or an object by vendor.");
  const given = Object.entries(answered as Readonly<Record<string, unknown>>);
  for (const [name, isOn] of given) {
    if (!Object.hasOwn(known, name)) throw new TypeError(`Avow: there is no vendor ${name}.`);
    if (isOn !== undefined && typeof isOn !== "boolean")
      throw new TypeError(`Avow: the answer for ${name} is no boolean.`);
  }
  const entries = given.filter(([name, isOn]) => isOn !== undefined && asked.includes(name));
  return Object.fromEntries(entries) as Record<string, boolean>;
}
