// Server-sent events, as they come in pieces.

export interface ServerSentEvent {
  event: string; // 'message' unless named
  data: string;
}

/** Collects pieces of text and returns the events that are complete. */
export class Events {
  private rest = '';

  take(piece: string): ServerSentEvent[] {
    const parts = (this.rest + piece).split('\n\n');
    this.rest = parts.pop() ?? '';
    return parts.map(eventOf);
  }
}

function eventOf(text: string): ServerSentEvent {
  const found: ServerSentEvent = { event: 'message', data: '' };
  for (const line of text.split('\n')) {
    if (line.startsWith('event: ')) found.event = line.slice(7);
    else if (line.startsWith('data: ')) found.data += line.slice(6);
  }
  return found;
}
