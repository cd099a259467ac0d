import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { it } from "node:test";
import { service } from "../harness.ts";
import { getFile, publishAndWait } from "./publishing.ts";

const { fetch, newUser, newProject } = service;
const sample = join(import.meta.dirname, "..", "..", "..", "shared", "data", "published-site.json");
const skip = existsSync(sample) ? false : "the sample of a real site is not beside the repository";

type Fields = Record<string, unknown>;
interface Site {
  projectName: string;
  client: Fields;
  privacypolicy: Fields;
  cookies: (Fields & {
    identifier: string;
    projectId: string;
    version: unknown;
    steps: Fields[];
  })[];
}

it(
  "publishes a real site's two cookie configurations with every field of every step and vendor",
  { skip },
  async () => {
    const original = JSON.parse(await readFile(sample, "utf8")) as Site;
    assert.equal(original.cookies.length, 2);
    const { token } = await newUser();
    const { colors, DPO } = original.client;
    const { projectName: title, privacypolicy } = original;
    const project = await newProject(token, { title, colors, DPO, privacypolicy });
    for (const json of original.cookies) {
      const made = await fetch("/v1/vault/cookies", {
        token,
        json: { ...json, projectId: project.id },
      });
      assert.equal(made.status, 201, JSON.stringify(made.body));
      assert.deepEqual(
        made.body.warnings.map(({ path }: { path: string }) => path),
        ["/version", "/identifier"],
      );
    }
    const job = await publishAndWait(token, project.id);
    assert.equal(job.status, "Done", job.message);
    const { body: published } = await getFile(project.id);
    assert.equal(published.projectName, title);
    assert.deepEqual(published.client.colors, colors);
    assert.deepEqual(published.client.DPO, DPO);
    assert.deepEqual(published.privacypolicy, privacypolicy);
    assert.equal(published.cookies.length, original.cookies.length);
    for (const [index, configuration] of original.cookies.entries()) {
      const found = published.cookies[index];
      assert.deepEqual(found.steps, configuration.steps);
      // The service sets the identifier and the project.
      const { identifier: _id, projectId: _project, ...own } = configuration;
      const { identifier, projectId, ...fields } = found;
      assert.match(identifier, /^[0-9a-f]{24}$/);
      assert.equal(projectId, project.id);
      assert.deepEqual(fields, own);
    }
  },
);
