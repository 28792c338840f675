// The lobby apart from its drawing.

import type { TableSummary } from './api';

export interface Filter {
  game: string; // '': any
  variant: string;
  pace: '' | 'none' | 'clock' | 'days';
  free: number; // seats at least
}

const kindOf = (card: TableSummary): Filter['pace'] => (card.pace.days ? 'days' : card.pace.total ? 'clock' : 'none');

export function filtered(tables: TableSummary[], filter: Filter): TableSummary[] {
  return tables.filter(
    (card) =>
      (!filter.game || card.game === filter.game) &&
      (!filter.variant || card.variant === filter.variant) &&
      (!filter.pace || kindOf(card) === filter.pace) &&
      card.seats.filter((seat) => seat.kind === 'open' && !seat.invited).length >= filter.free,
  );
}
