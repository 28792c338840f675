// Games in IndexedDB: a table's setup and summary, and its events one by one. What the browser refuses to keep stays
// in memory, so that play goes on.

export interface Kept {
  id: string;
  setup: string; // JSON, as the host writes it
  summary: string;
}

interface Memory extends Kept {
  events: string[];
}

const TABLES = 'tables';
const EVENTS = 'events'; // by [table, version]

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

const complete = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = transaction.onerror = () => reject(transaction.error);
  });

function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open('quatuor', 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore(TABLES, { keyPath: 'id' });
    request.result.createObjectStore(EVENTS);
  };
  return done(request);
}

/** Every event of a table lies between these keys. */
const eventsOf = (table: string): IDBKeyRange => IDBKeyRange.bound([table, 0], [table, Infinity]);

export class Games {
  private readonly memory = new Map<string, Memory>();

  private constructor(
    private db: IDBDatabase | null,
    private readonly refused: () => void, // called when games are no longer kept
  ) {}

  static async open(refused: () => void): Promise<Games> {
    try {
      return new Games(await openDatabase(), refused);
    } catch {
      refused();
      return new Games(null, refused);
    }
  }

  async create(id: string, setup: string, summary: string): Promise<void> {
    await this.write(
      async (db) => {
        const transaction = db.transaction(TABLES, 'readwrite');
        transaction.objectStore(TABLES).put({ id, setup, summary } satisfies Kept);
        await complete(transaction);
      },
      () => void this.memory.set(id, { id, setup, summary, events: [] }),
    );
  }

  /** False if there is an event of that version already: another tab has written it. */
  async append(id: string, version: number, event: string): Promise<boolean> {
    const inMemory = this.memory.get(id);
    if (inMemory) {
      if (inMemory.events.length !== version - 1) return false;
      inMemory.events.push(event);
      return true;
    }
    let fresh = true;
    await this.write(
      async (db) => {
        const transaction = db.transaction(EVENTS, 'readwrite');
        const adding = transaction.objectStore(EVENTS).add(event, [id, version]);
        adding.onerror = (failed) => {
          if (adding.error?.name !== 'ConstraintError') return;
          fresh = false;
          failed.preventDefault(); // the transaction goes on
          failed.stopPropagation();
        };
        await complete(transaction);
      },
      async () => {
        const kept = await this.load(id).catch(() => null);
        if (kept) this.memory.set(id, { ...kept, summary: '', events: [...kept.events, event] });
      },
    );
    return fresh;
  }

  async summarise(id: string, summary: string): Promise<void> {
    const inMemory = this.memory.get(id);
    if (inMemory) return void (inMemory.summary = summary);
    await this.write(
      async (db) => {
        const transaction = db.transaction(TABLES, 'readwrite');
        const tables = transaction.objectStore(TABLES);
        const kept = (await done(tables.get(id))) as Kept | undefined;
        if (kept) tables.put({ ...kept, summary });
        await complete(transaction);
      },
      () => undefined,
    );
  }

  async load(id: string): Promise<Memory | null> {
    const inMemory = this.memory.get(id);
    if (inMemory || !this.db) return inMemory ?? null;
    const transaction = this.db.transaction([TABLES, EVENTS]);
    const [kept, events] = await Promise.all([
      done(transaction.objectStore(TABLES).get(id)) as Promise<Kept | undefined>,
      done(transaction.objectStore(EVENTS).getAll(eventsOf(id))) as Promise<string[]>,
    ]);
    return kept ? { ...kept, events } : null;
  }

  async all(): Promise<Kept[]> {
    const kept = this.db ? ((await done(this.db.transaction(TABLES).objectStore(TABLES).getAll())) as Kept[]) : [];
    return [...kept.filter(({ id }) => !this.memory.has(id)), ...this.memory.values()];
  }

  async remove(id: string): Promise<void> {
    this.memory.delete(id);
    if (!this.db) return;
    const transaction = this.db.transaction([TABLES, EVENTS], 'readwrite');
    transaction.objectStore(TABLES).delete(id);
    transaction.objectStore(EVENTS).delete(eventsOf(id));
    await complete(transaction);
  }

  /** Write to the database, or to memory where that is refused: no room left, no permission. */
  private async write(keep: (db: IDBDatabase) => Promise<void>, instead: () => void | Promise<void>): Promise<void> {
    if (this.db) {
      try {
        return await keep(this.db);
      } catch {
        this.refused();
      }
    }
    await instead();
  }
}
