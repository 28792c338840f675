// Which browser and system a session belongs to, from its user agent.

const BROWSERS: readonly [RegExp, string][] = [
  [/Edg\//, 'Edge'], [/OPR\//, 'Opera'], [/Firefox\/|FxiOS/, 'Firefox'], [/SamsungBrowser/, 'Samsung Internet'],
  [/Chrome\/|CriOS/, 'Chrome'], [/Safari\//, 'Safari'],
];
const SYSTEMS: readonly [RegExp, string][] = [
  [/iPhone/, 'iPhone'], [/iPad/, 'iPad'], [/Android/, 'Android'], [/Windows/, 'Windows'], [/Mac OS X/, 'macOS'], [/CrOS/, 'ChromeOS'], [/Linux/, 'Linux'],
];

const first = (list: readonly [RegExp, string][], text: string): string => list.find(([sign]) => sign.test(text))?.[1] ?? '';

/** Firefox, Windows; empty if nothing is known. */
export const browserName = (agent: string | null): string =>
  [first(BROWSERS, agent ?? ''), first(SYSTEMS, agent ?? '')].filter(Boolean).join(', ');
