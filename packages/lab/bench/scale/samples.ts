import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "../../instance/requests.ts";
import { newConsentToken } from "../../../server/platform/crypto/tokens.ts";
import { HEAVY, heavyAnswers, patterns } from "./answers.ts";
import { type Project, toBody } from "./projects.ts";

const AT_A_TIME = 4;

/** A visitor whose answers are collected over HTTP, as a template for generated ones. */
export interface Sample {
  /** Starts at 1. */
  project: number;
  form: number;
  pattern: number;
  token: string;
}

/**
 * Collects one visitor for each pattern of each form of each project, one step at a time, so that
 * every step has a different time.
 */
export async function collectSamples(
  client: Client,
  projects: readonly Project[],
): Promise<Sample[]> {
  const samples = projects.flatMap(({ forms }, at) =>
    forms.flatMap((_, form) =>
      listPatterns(form).map((pattern) => {
        return { project: at + 1, form, pattern, token: newConsentToken(new Date()) };
      }),
    ),
  );
  const byProject = Map.groupBy(samples, ({ project }) => project);
  for (let step = 0; step < heavyAnswers.length; step++) {
    for (let first = 0; first < projects.length; first += AT_A_TIME)
      await Promise.all(
        projects.slice(first, first + AT_A_TIME).map((project, at) => {
          const own = byProject.get(first + at + 1) ?? [];
          return collectStep(client, { project, samples: own, step });
        }),
      );
    await sleep(2);
  }
  return samples;
}

/** Only cookies have a pattern with many answers. */
function listPatterns(form: number): number[] {
  return [...patterns.keys(), ...(form === 0 ? [HEAVY] : [])];
}

async function collectStep(
  client: Client,
  given: { project: Project; samples: readonly Sample[]; step: number },
): Promise<void> {
  const { project, samples, step } = given;
  const json = samples.flatMap(({ form: number, pattern, token }) => {
    const form = project.forms[number];
    const answer = (patterns[pattern]?.answers ?? heavyAnswers)[step];
    if (!form || answer === undefined) return [];
    const { collection, identifier } = form;
    return [{ ...toBody(form, answer), id: crypto.randomUUID(), token, collection, identifier }];
  });
  if (json.length === 0) return;
  const path = `/v1/app/consents/${project.id}`;
  // Sent like a visitor, not like the project's server.
  const visitor = client.withToken(undefined);
  const kept = await visitor.send<{ consentId?: string }[]>(path, { json });
  const refused = kept.find(({ consentId }) => consentId === undefined);
  if (refused) throw new Error(`A consent was rejected: ${JSON.stringify(refused)}`);
}
