import { z } from 'zod';
import { LIMITS } from './limits/table';

/** The name of a column of an installation, for documents. */
export const COLUMN_PATTERN = `^[A-Za-z][A-Za-z0-9_]{0,${LIMITS.fieldNameCharacters.value - 1}}$`;

const COLUMN = new RegExp(COLUMN_PATTERN);

export const isColumnName = (text: string): boolean => COLUMN.test(text);

export const columnNameSchema = (error: string) => z.string().regex(COLUMN, error);
