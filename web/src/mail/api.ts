// E-mail when it is one's turn: the address, and the links in mails.

import { json } from '../lib/api';
import type { Lang, MailAddress } from '../lib/types';

export type { MailAddress };

export const mailAddress = (): Promise<MailAddress> => json('GET', '/account/mail');
export const giveAddress = (address: string, lang: Lang): Promise<MailAddress> => json('PUT', '/account/mail', { address, lang });
export const removeAddress = (): Promise<MailAddress> => json('DELETE', '/account/mail');
export const confirm = (token: string): Promise<unknown> => json('POST', '/mail/confirm', { token });
export const stop = (token: string): Promise<unknown> => json('POST', `/mail/stop?token=${encodeURIComponent(token)}`);
