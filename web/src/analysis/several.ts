// Several games in one text, as docs/records.md separates them.

export interface Part {
  text: string; // of the game, on its own lines of the whole text, so that errors name the right line
  names: string[]; // of the players, where they are known
}

const HEADER = /^\[(\w+) "((?:[^"\\]|\\.)*)"\]$/;

/** The games of a text: a Game header begins one, after an empty line or a turn. */
export function gamesIn(text: string): Part[] {
  const blocks: [number, string[]][] = [[0, []]];
  let begun = false; // a header has been read
  let paused = false; // and something else after it
  text.split(/\r\n|\r|\n/).forEach((line, number) => {
    const bare = line.trim();
    if (bare.startsWith('[Game "') && begun && paused) {
      blocks.push([number, []]);
      begun = false;
    }
    begun ||= bare.startsWith('[');
    paused = !bare.startsWith('[');
    blocks.at(-1)?.[1].push(line);
  });
  if (blocks.length === 1) return [{ text, names: namesOf(text.split('\n')) }];
  return blocks.map(([first, lines]) => ({ text: '\n'.repeat(first) + lines.join('\n'), names: namesOf(lines) }));
}

function namesOf(lines: string[]): string[] {
  const headers = lines.flatMap((line) => [HEADER.exec(line.trim()) ?? []]).filter(([, name]) => name?.startsWith('Seat'));
  return headers.map(([, , value]) => (value ?? '').replace(/\\(["\\])/g, '$1')).filter((name) => name && name !== '?');
}
