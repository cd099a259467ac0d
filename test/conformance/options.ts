import { parseArgs } from "node:util";

export const usage = `Usage: npm run test:conformance -- --base-url URL [OPTIONS]

Checks the service at URL against the interface specification. It signs in, creates its own projects,
and removes them at the end.

Options
  --base-url URL       the service, without /v1
  --login URL          the service that signs in, if it is another one (default: the base URL)
  --token TOKEN        an existing access token (or AVOW_TOKEN)
  --username NAME      sign in as this user; the password is AVOW_PASSWORD
  --second-token TOKEN an access token of a second account, for members and invitations (or AVOW_SECOND_TOKEN)
  --no-signup          create no account; cases that need another account are skipped
  --filter PATTERN     only cases whose section or name matches this regular expression
  --timeout SECONDS    timeout of each request (default: 30)
  --json               print one JSON document in place of the report
  --help               print this

Without a token or a username, the suite signs up an account. Tokens in the environment stay out of the
list of processes. The exit status is 0 if all cases pass or are skipped, 1 if a case fails, and 2 if
nothing could be run.`;

const DEFAULT_TIMEOUT_SECONDS = 30;

export interface Options {
  baseUrl: string;
  loginUrl: string;
  token: string | undefined;
  secondToken: string | undefined;
  credentials: { username: string; password: string } | undefined;
  mayCreateAccounts: boolean;
  filter: string | undefined;
  timeoutMs: number;
  isJson: boolean;
}

/** An argument is missing or wrong; the message says which. */
export class UsageError extends Error {
  override name = "UsageError";
}

/**
 * Reads the command line and the tokens of the environment; undefined for `--help`.
 * @throws UsageError
 */
export function readOptions(args: string[], env: NodeJS.ProcessEnv): Options | undefined {
  const { values } = parseValues(args);
  if (values.help) return undefined;
  const baseUrl = toBase(values["base-url"], "--base-url");
  const seconds = Number(values.timeout ?? DEFAULT_TIMEOUT_SECONDS);
  if (!(seconds > 0)) throw new UsageError("--timeout expects a number of seconds above 0.");
  const { username } = values;
  const password = env["AVOW_PASSWORD"];
  if (username !== undefined && password === undefined)
    throw new UsageError("--username needs the password in AVOW_PASSWORD.");
  return {
    baseUrl,
    loginUrl: values.login === undefined ? baseUrl : toBase(values.login, "--login"),
    token: values.token ?? env["AVOW_TOKEN"],
    secondToken: values["second-token"] ?? env["AVOW_SECOND_TOKEN"],
    credentials:
      username === undefined || password === undefined ? undefined : { username, password },
    mayCreateAccounts: !values["no-signup"],
    filter: values.filter,
    timeoutMs: seconds * 1000,
    isJson: values.json,
  };
}

function parseValues(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        "base-url": { type: "string" },
        login: { type: "string" },
        token: { type: "string" },
        username: { type: "string" },
        "second-token": { type: "string" },
        "no-signup": { type: "boolean", default: false },
        filter: { type: "string" },
        timeout: { type: "string" },
        json: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** An address without the version and without a slash at the end. */
function toBase(text: string | undefined, name: string): string {
  if (text === undefined) throw new UsageError(`${name} is missing.`);
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new UsageError(`${name} expects an http or https URL.`);
  return text.replace(/\/+$/, "").replace(/\/v1$/, "");
}
