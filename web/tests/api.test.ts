// The first requests of a new visitor, against a slow server.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { getMe, openTable, rename } from '../src/lib/api';

const asked: { what: string; answer: (body: object) => void; fail: () => void }[] = [];
const requests = (): string[] => asked.map(({ what }) => what);
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

beforeEach(() => {
  asked.length = 0;
  vi.stubGlobal('fetch', (path: string, { method }: { method: string }) => {
    return new Promise((resolve, reject) => {
      const answer = (body: object): void => resolve(Response.json(body));
      asked.push({ what: `${method} ${path}`, answer, fail: () => reject(new TypeError()) });
    });
  });
});
afterEach(() => vi.unstubAllGlobals());

it('sends no changing request before the server knows the visitor: else a new visitor becomes two guests', async () => {
  const me = getMe();
  void openTable('plus4', 'elementary', {}, []);
  await settled();
  expect(requests()).toEqual(['GET /api/me']);
  asked[0]?.answer({ name: 'Guest 1', account: null });
  expect((await me).name).toBe('Guest 1');
  await settled();
  expect(requests()).toEqual(['GET /api/me', 'POST /api/tables']);
});

it('opens a table under the name that was just typed', async () => {
  const me = rename('Ada');
  void openTable('plus4', 'elementary', {}, []);
  await settled();
  expect(requests()).toEqual(['PUT /api/me']);
  asked[0]?.answer({ name: 'Ada', account: null });
  expect((await me).name).toBe('Ada');
  await settled();
  expect(requests()).toEqual(['PUT /api/me', 'POST /api/tables']);
});

it('asks for the visitor once at a time, and again afterwards', async () => {
  const both = [getMe(), getMe()];
  asked[0]?.answer({ name: 'Guest 1', account: null });
  await Promise.all(both);
  expect(asked.length).toBe(1);
  void getMe();
  expect(asked.length).toBe(2);
  asked[1]?.answer({ name: 'Ada', account: null });
  await settled();
});

it('sends the request anyway if asking for the name failed', async () => {
  const me = getMe();
  void openTable('plus4', 'elementary', {}, []);
  asked[0]?.fail();
  await expect(me).rejects.toThrow('offline');
  await settled();
  expect(requests().at(-1)).toBe('POST /api/tables');
});
