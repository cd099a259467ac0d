/** What an address of a website looks like: a host with a dot, or a whole address. */
export const addressPattern = String.raw`\s*(https?:\/\/[^\s\/?#]\S*|[^\s\/?#:]+\.[^\s\/?#]{2,}(\/\S*)?)\s*`;

/** What somebody typed as a whole address. */
export function toAddress(typed: string): string {
  const trimmed = typed.trim();
  return /^https?:\/\//.test(trimmed) ? trimmed : `https://${trimmed}`;
}
