import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { buffer } from "node:stream/consumers";
import { ZipFile } from "yazl";
import { findFreePort } from "../../../packages/server/platform/ports.ts";
import { startCache } from "../../faults/caches/processes.ts";
import { type MariaDb, mariadbd, openMariaDb } from "./mariadb.ts";

/** Debian's packages. */
const programs = {
  "/usr/share/wordpress/wp-load.php": "wordpress",
  "/usr/share/wordpress/wp-content/themes/twentytwentythree/style.css":
    "wordpress-theme-twentytwentythree",
  [mariadbd]: "mariadb-server",
  "/usr/bin/php": "php-cli, php-mysql",
};
// These tests must not be skipped in CI, which installs the packages.
const isRequired = process.env["WORDPRESS_TESTS"] === "required";
const missing = Object.entries(programs).filter(([path]) => !existsSync(path));

/** The reason to skip tests in WordPress; false to run them. */
export const skip =
  !isRequired &&
  missing.length > 0 &&
  missing.map(([path, name]) => `${path} is not installed (Debian: ${name})`).join(", ");

const source = "/usr/share/wordpress";
const plugin = join(import.meta.dirname, "../../../integrations/wordpress/avow");
const standIn = join(import.meta.dirname, "wp-consent-api");

/** A WordPress that is not installed yet: `/wp-admin/install.php` is its first page. */
export interface WordPress extends AsyncDisposable, Pick<MariaDb, "query"> {
  url: string;
  /** PHP's errors, warnings and notices so far. */
  readLog: () => Promise<string>;
}

/** The plugin as a ZIP file for WordPress's upload. */
export async function packPlugin(): Promise<Buffer> {
  const zip = new ZipFile();
  for (const entry of await readdir(plugin, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) zip.addFile(path, `avow/${relative(plugin, path)}`);
  }
  zip.end();
  return buffer(zip.outputStream);
}

/**
 * Serves Debian's WordPress by PHP's own server, with its own database, and with the plugin `wp-consent-api` (a stand-in)
 * in its folder. `site` is a must-use plugin: what a theme's author would add.
 */
export async function openWordPress(site: string): Promise<WordPress> {
  await using opened = new AsyncDisposableStack();
  const { socket, query } = opened.use(await openMariaDb());
  const folder = await mkdtemp(join(tmpdir(), "avow-wordpress-"));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const root = join(folder, "site");
  const content = join(root, "wp-content");
  const log = join(folder, "debug.log");
  // A copy, because WordPress finds its configuration beside its files, and Debian's is in /etc.
  await cp(source, root, {
    recursive: true,
    dereference: true,
    filter: (path) => path !== join(source, "wp-config.php") && !path.endsWith(".htaccess"),
  });
  await cp(standIn, join(content, "plugins/wp-consent-api"), { recursive: true });
  await mkdir(join(content, "mu-plugins"));
  await writeFile(join(content, "mu-plugins/site.php"), site);
  await writeFile(join(root, "wp-config.php"), toConfiguration(socket, log));
  await writeFile(join(folder, "router.php"), router);
  const port = await findFreePort("127.0.0.1");
  opened.use(
    await startCache(
      "/usr/bin/php",
      [
        "-dlog_errors=1",
        `-derror_log=${log}`,
        "-ddisplay_errors=0",
        `-S127.0.0.1:${port}`,
        `-t${root}`,
        join(folder, "router.php"),
      ],
      port,
    ),
  );
  const resources = opened.move();
  return {
    url: `http://127.0.0.1:${port}`,
    query,
    readLog: () => (existsSync(log) ? readFile(log, "utf8") : Promise.resolve("")),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** Without WordPress's own requests to the network, and without jobs during the test. */
function toConfiguration(socket: string, log: string): string {
  const constants = {
    DB_NAME: "wordpress",
    DB_USER: "root",
    DB_PASSWORD: "",
    DB_HOST: `localhost:${socket}`,
    DB_CHARSET: "utf8mb4",
    WP_DEBUG: true,
    WP_DEBUG_DISPLAY: false,
    WP_DEBUG_LOG: log,
    SCRIPT_DEBUG: false,
    DISABLE_WP_CRON: true,
    AUTOMATIC_UPDATER_DISABLED: true,
    WP_HTTP_BLOCK_EXTERNAL: true,
    WP_ACCESSIBLE_HOSTS: "127.0.0.1",
    AUTH_KEY: "test",
    NONCE_KEY: "test",
  };
  const lines = Object.entries(constants).map(
    ([name, value]) => `define('${name}', ${JSON.stringify(value)});`,
  );
  return `<?php\n${lines.join("\n")}\n$table_prefix = 'wp_';
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require ABSPATH . 'wp-settings.php';\n`;
}

/** Files and folders as they are, other paths by WordPress. */
const router = `<?php
$path = $_SERVER['DOCUMENT_ROOT'] . parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if (is_file($path) || is_file(rtrim($path, '/') . '/index.php')) return false;
$_SERVER['SCRIPT_NAME'] = '/index.php';
require $_SERVER['DOCUMENT_ROOT'] . '/index.php';
`;
