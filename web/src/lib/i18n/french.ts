// French puts a space before : ; ! ? and inside quotation marks, at which no line may break.

const spaced = (text: string): string => text.replace(/ ([:;!?»])/g, '\u00a0$1').replace(/« /g, '«\u00a0');

/** Texts, and functions that yield texts, with such spaces. */
export function french<T>(texts: T): T {
  if (typeof texts === 'string') return spaced(texts) as T;
  if (typeof texts === 'function') return ((...args: unknown[]) => french<unknown>(texts(...args))) as T;
  if (Array.isArray(texts)) return texts.map(french) as T;
  if (typeof texts !== 'object' || texts === null) return texts;
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, french<unknown>(text)])) as T;
}
