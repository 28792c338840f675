import { t } from './messages';

export const declinedInWords = (): string => t().offerDeclined;
