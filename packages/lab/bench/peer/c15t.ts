import { createClient } from "../../instance/requests.ts";
import type { Scenario } from "../measure/load.ts";
import {
  NAME,
  type RequestParts,
  countNames,
  nameOf,
  newRun,
  pickNames,
  repeat,
} from "../measure/requests.ts";
import type { Consent } from "../measure/site.ts";
import { copyVisitors, countRows, removeVisitors } from "./c15t-store.ts";
import { type Kind, type Party, pickSome, toAccepted } from "./party.ts";

const TYPE = "cookie_banner";

/** Its response about a subject. */
interface Subject {
  consents: { type: string; preferences?: Record<string, boolean> }[];
}

interface Check {
  results: Record<string, { hasConsent: boolean }>;
}

/** The peer at `url` as a party, with the same answers as Avow; `connections` is the concurrency of its load. */
export function toC15tParty(given: {
  url: string;
  databaseUrl: string;
  consents: readonly Consent[];
  connections: number;
}): Party {
  const { url, databaseUrl, consents, connections } = given;
  const client = createClient(url);
  const run = newRun();
  let first = 0;
  let filled = 0;
  const readOf = (name: string): string => `${url}/subjects/sub_${name}`;
  const checkOf = (name: string): string =>
    `${url}/consents/check?externalId=user_${name}&type=${TYPE}`;
  const requests: Record<Kind, () => [RequestParts[], () => string]> = {
    collect: () => [
      consents.map((consent) => {
        const json = toBody(consent, NAME);
        return { method: "POST", url: `${url}/subjects`, json };
      }),
      countNames(newRun()),
    ],
    "read by subject": () => [[{ method: "GET", url: readOf(NAME) }], pickNames(run, filled)],
    check: () => [[{ method: "GET", url: checkOf(NAME) }], pickNames(run, filled)],
  };
  const reset = async (): Promise<void> => {
    await removeVisitors(databaseUrl);
    // Uses its own route sequentially, because two concurrent requests would both create the missing purposes.
    for (let n = 0; n < first; n++) {
      const consent = consents[n % consents.length];
      if (consent) await client.send("/subjects", { json: toBody(consent, nameOf(run, n)) });
    }
  };
  return {
    title: "c15t",
    fill: async (count) => {
      if (filled === 0) first = count;
      filled = count;
      await reset();
      if (count === first) return;
      await copyVisitors(databaseUrl, {
        names: Array.from({ length: count - first }, (_, n) => nameOf(run, first + n)),
        templates: consents.map((_, n) => nameOf(run, (first + n) % consents.length)),
      });
    },
    count: async () => {
      const { subjects, consents: stored } = await countRows(databaseUrl);
      if (subjects !== stored) throw new Error(`${subjects} subjects have ${stored} consents.`);
      return stored;
    },
    reset,
    assertReadable: async () => {
      for (const n of pickSome(filled)) {
        const name = nameOf(run, n);
        const subject = await client.send<Subject>(readOf(name));
        const check = await client.send<Check>(checkOf(name));
        if (!isAsGiven({ subject, check, consent: consents[n % consents.length] }))
          throw new Error(`c15t returned ${JSON.stringify({ subject, check })} for ${name}.`);
      }
    },
    toScenario: (kind): Scenario => {
      const [parts, names] = requests[kind]();
      const title = `c15t: ${kind}`;
      return { title, url, next: repeat(parts, names), status: 200, connections };
    },
  };
}

function isAsGiven(read: {
  subject: Subject;
  check: Check;
  consent: Consent | undefined;
}): boolean {
  const { subject, check, consent } = read;
  const [first] = subject.consents;
  return (
    subject.consents.length === 1 &&
    first?.type === TYPE &&
    toAccepted(first.preferences) === toAccepted(consent?.preferences.vendors) &&
    check.results[TYPE]?.hasConsent === true
  );
}

/** A consent as its own client sends it. Only subjects with an external id can be checked. */
function toBody({ preferences }: Consent, name: string): Record<string, unknown> {
  return {
    type: TYPE,
    subjectId: `sub_${name}`,
    externalSubjectId: `user_${name}`,
    domain: "shop.example",
    preferences: preferences.vendors,
    givenAt: Date.now(),
    uiSource: "banner",
    consentAction: "custom",
  };
}
