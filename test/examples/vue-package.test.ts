import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { buildFramework } from "../../scripts/build/framework.ts";
import { buildWidget } from "../../scripts/build/widget.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");

/** Limits of all components, minified and by gzip: alone, and with the headless core that pages load at once. */
const OWN_BYTES_MAX = 6_600;
const ALL_BYTES_MAX = 18_900;

describe("the package @avow/vue", async () => {
  const folder = await mkdtemp(join(tmpdir(), "avow-vue-"));
  after(() => rm(folder, { recursive: true, force: true }));
  const modules = join(folder, "node_modules");
  await mkdir(join(modules, "@avow"), { recursive: true });
  await buildWidget(join(modules, "@avow/widget"));
  buildFramework("vue", join(modules, "@avow/vue"));
  await symlink(join(root, "node_modules/vue"), join(modules, "vue"));

  it("has types that compile in an app without skipLibCheck", async () => {
    await writeFile(
      join(folder, "main.ts"),
      `import { ConsentBanner, ConsentGate, Embed, createAvow, onAccepted, useConsent } from "@avow/vue";
import "@avow/vue/styles.css";
import { createApp, defineComponent, h } from "vue";
const App = defineComponent(() => {
  const { state, answer } = useConsent();
  onAccepted(["stats"], () => void answer({ stats: false }));
  const isOn: boolean | undefined = state.value.vendors["stats"];
  // @ts-expect-error the state is read-only
  state.value = state.value;
  return () => [
    h(ConsentBanner),
    h(ConsentGate, { vendor: "stats" }, () => String(isOn)),
    h(Embed, { vendor: "video", src: "/", title: "Film" }),
    // @ts-expect-error a frame needs a title
    h(Embed, { vendor: "video", src: "/" }),
  ];
});
createApp(App).use(createAvow({ project: "1", url: "https://consent.example" })).mount("#app");
// @ts-expect-error an unknown option is rejected
createAvow({ project: "1", url: "", projectId: "" });
`,
    );
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    const options = ["--strict", "--noEmit", "--module", "nodenext", "--lib", "es2022,dom"];
    await run(process.execPath, [compiler, ...options, "--types", "", "main.ts"], { cwd: folder });
  });

  it("keeps to its size without Vue", async () => {
    await writeFile(join(folder, "all.js"), 'export * from "@avow/vue";\n');
    const measure = async (external: string[]): Promise<number> => {
      const { outputFiles } = await build({
        entryPoints: [join(folder, "all.js")],
        outdir: join(folder, "out"),
        bundle: true,
        splitting: true,
        write: false,
        minify: true,
        format: "esm",
        external: ["vue", ...external],
      });
      // Other files load on demand: TCF and GPP.
      const entry = outputFiles.find(({ path }) => path.endsWith("all.js"));
      return gzipSync(entry?.contents ?? "").length;
    };
    const own = await measure(["@avow/widget/*"]);
    const all = await measure([]);
    assert.ok(own > 1_000 && own <= OWN_BYTES_MAX, `${own} bytes`);
    assert.ok(all <= ALL_BYTES_MAX, `${all} bytes with the core`);
  });
});
