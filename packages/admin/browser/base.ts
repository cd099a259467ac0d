/** The path that the service answers under, such as `/consent`; usually "". */
export const base = document.documentElement.dataset["base"] ?? "";
