// Bundles the app for a browser, with react-native-web in place of React Native.
import { build } from "esbuild";

const names = ["AVOW_PROJECT", "AVOW_URL", "STATS_URL", "CUSTOMER"];
await build({
  entryPoints: ["index.web.js"],
  outfile: "dist/app.js",
  bundle: true,
  format: "iife",
  jsx: "automatic",
  minify: true,
  alias: { "react-native": "react-native-web" },
  resolveExtensions: [".web.tsx", ".web.ts", ".web.js", ".tsx", ".ts", ".js"],
  define: {
    "process.env.NODE_ENV": '"production"',
    ...Object.fromEntries(
      names.map((name) => [`process.env.${name}`, JSON.stringify(process.env[name])]),
    ),
  },
});
