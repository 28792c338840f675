// The socket against a simulated server: slow, silent, or gone.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Failure } from '../src/lib/api';
import { connect, type Link, pause } from '../src/lib/socket';

class Line {
  static all: Line[] = [];
  static readonly OPEN = 1;
  readyState = 0;
  sent: string[] = [];
  onopen: () => void = () => undefined;
  onclose: () => void = () => undefined;
  onmessage: (event: { data: string }) => void = () => undefined;

  constructor(readonly address: string) {
    Line.all.push(this);
  }
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.readyState = 3;
  }
  up(): void {
    this.readyState = 1;
    this.onopen();
  }
  down(): void {
    this.readyState = 3;
    this.onclose();
  }
  say(message: object): void {
    this.onmessage({ data: JSON.stringify(message) });
  }
}

const states: string[] = [];
let link: Link;
let version = 1;
const line = (): Line => Line.all.at(-1) as Line;
const moves = (): { ack: string }[] => line().sent.map((text) => JSON.parse(text)).filter(({ t }) => t === 'move');
const move = { t: 'move', ply: 0, seat: 0, move: 'a' } as const;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', Line);
  vi.stubGlobal('location', { protocol: 'http:', host: 'here' });
  vi.stubGlobal('window', { addEventListener: vi.fn(), removeEventListener: vi.fn() });
  Line.all = [];
  states.length = 0;
  link = connect({ address: () => `?since=${version}`, message: () => undefined, state: (state) => states.push(state), time: () => undefined });
});

afterEach(() => {
  link.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a hidden tab', () => {
  it('that wakes up once a minute keeps a connection that answers', () => {
    line().up();
    for (let minute = 0; minute < 3; minute++) {
      line().say({ t: 'pong', now: 0 });
      vi.setSystemTime(Date.now() + 60_000); // no timer ran meanwhile
      vi.advanceTimersByTime(500);
      expect(Line.all).toHaveLength(1);
    }
    vi.setSystemTime(Date.now() + 60_000); // and drops one that does not
    vi.advanceTimersByTime(2000);
    expect(Line.all).toHaveLength(2);
  });
});

describe('a command', () => {
  it('is sent again with the same ack until it is answered, then no more', async () => {
    line().up();
    const answer = link.send(move);
    await vi.advanceTimersByTimeAsync(3100);
    expect(moves()).toHaveLength(2);
    expect(moves()[0]?.ack).toBe(moves()[1]?.ack);
    line().say({ t: 'ack', ack: moves()[0]?.ack, version: 2 });
    expect(await answer).toMatchObject({ t: 'ack', version: 2 });
    await vi.advanceTimersByTimeAsync(6000);
    expect(moves()).toHaveLength(2);
  });

  it('survives a broken connection', async () => {
    line().up();
    void link.send(move);
    const ack = moves()[0]?.ack;
    line().down();
    await vi.advanceTimersByTimeAsync(1000);
    line().up();
    expect(moves().map((command) => command.ack)).toEqual([ack]);
  });

  it('that is refused fails with the code', async () => {
    line().up();
    const answer = link.send(move);
    line().say({ t: 'error', ack: moves()[0]?.ack, code: 'illegal_move', detail: {} });
    await expect(answer).rejects.toEqual(new Failure('illegal_move'));
  });

  it('is given up after half a minute without a word from the server', async () => {
    const answer = expect(link.send(move)).rejects.toMatchObject({ code: 'offline' });
    await vi.advanceTimersByTimeAsync(31_000);
    await answer;
  });

  it('that was never sent can be cancelled, one that was sent cannot', async () => {
    const stop = new AbortController();
    const answer = expect(link.send(move, stop.signal)).rejects.toEqual(new Failure('cancelled'));
    stop.abort();
    await answer;
    line().up();
    expect(moves()).toHaveLength(0);
    const late = new AbortController();
    const carriedOut = link.send(move, late.signal);
    late.abort();
    line().say({ t: 'ack', ack: moves()[0]?.ack, version: 2 });
    expect(await carriedOut).toMatchObject({ version: 2 });
  });

  it('may take longer while the server answers: an engine may be busy', async () => {
    line().up();
    const answer = link.send(move);
    for (let i = 0; i < 10; i++) {
      await vi.advanceTimersByTimeAsync(4000);
      line().say({ t: 'pong' });
    }
    line().say({ t: 'ack', ack: moves()[0]?.ack, version: 2 });
    expect(await answer).toMatchObject({ version: 2 });
  });
});

describe('the connection', () => {
  it('pings, and is opened again when no pong comes', async () => {
    line().up();
    await vi.advanceTimersByTimeAsync(5000);
    expect(line().sent).toContain('{"t":"ping"}');
    await vi.advanceTimersByTimeAsync(7000);
    expect(Line.all).toHaveLength(2);
  });

  it('stays while pongs come back', async () => {
    line().up();
    for (let i = 0; i < 6; i++) {
      await vi.advanceTimersByTimeAsync(4000);
      line().say({ t: 'pong' });
    }
    expect(Line.all).toHaveLength(1);
  });

  it('continues after the last version it has', async () => {
    line().up();
    version = 7;
    line().down();
    await vi.advanceTimersByTimeAsync(1000);
    expect(line().address).toBe('ws://here/api?since=7');
  });

  it('says offline only when a second try fails too', async () => {
    line().up();
    line().down();
    await vi.advanceTimersByTimeAsync(1000);
    expect(states).toEqual(['connecting', 'online', 'connecting', 'connecting']);
    line().down();
    expect(states.at(-1)).toBe('offline');
  });

  it('waits longer each time, up to a limit, and not all guests alike', () => {
    expect([1, 2, 3, 10].map((tries) => pause(tries, 1))).toEqual([400, 800, 1600, 8000]);
    expect(pause(10, 0)).toBe(4000);
  });
});
