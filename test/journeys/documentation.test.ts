import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { suite, test } from "node:test";
import { parse, type ParserError } from "parse5";

const root = join(import.meta.dirname, "../..");
const pages = execFileSync("git", ["ls-files", "*.md"], { cwd: root, encoding: "utf8" })
  .trim()
  .split("\n");

/** Throws if a code block is not valid in its language. Languages that are missing here have no parser at hand. */
const validators: Record<string, (code: string) => void> = {
  json: (code) => void JSON.parse(code),
  sh: (code) => {
    const { status, stderr } = spawnSync("sh", ["-n"], { input: code, encoding: "utf8" });
    assert.equal(status, 0, stderr);
  },
  ts: (code) => void stripTypeScriptTypes(code),
  js: (code) => void stripTypeScriptTypes(code),
  html: (code) => {
    const errors: ParserError[] = [];
    parse(`<!doctype html>${code}`, { onParseError: (error) => errors.push(error) });
    assert.deepEqual(errors, []);
  },
};

suite("code blocks of the documentation", () => {
  for (const page of pages) {
    const text = readFileSync(join(root, page), "utf8");
    const blocks = [...text.matchAll(/^( *)```(\w+)\n(.*?)^\1```/gms)].filter(
      ([, , language = ""]) => language in validators,
    );
    if (blocks.length === 0) continue;
    test(`${page} has valid code`, () => {
      for (const [, , language = "", code = ""] of blocks)
        assert.doesNotThrow(() => validators[language]?.(code), code);
    });
  }
});
