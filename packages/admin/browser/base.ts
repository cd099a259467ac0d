/** The base path of the service, such as `/consent`; usually "". */
export const base = document.documentElement.dataset["base"] ?? "";
