/** The pattern of a website's address: a host with a dot, or a full URL. */
export const addressPattern = String.raw`\s*(https?:\/\/[^\s\/?#]\S*|[^\s\/?#:]+\.[^\s\/?#]{2,}(\/\S*)?)\s*`;

/** Adds `https://` to an address without a scheme. */
export function toAddress(typed: string): string {
  const trimmed = typed.trim();
  return /^https?:\/\//.test(trimmed) ? trimmed : `https://${trimmed}`;
}
