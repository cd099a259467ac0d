/** The consent service and the project; set them in the environment. */
export const settings = {
  url: process.env["AVOW_URL"] ?? "http://127.0.0.1:8080",
  project: process.env["AVOW_PROJECT"] ?? "",
};

/** The cookie of the example's sign-in. A real shop has a session here. */
export const ACCOUNT = "account";
