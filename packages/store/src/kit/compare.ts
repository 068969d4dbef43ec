import { isDone, luaScript } from './lua/script';

/** Writes the next text of a field, '' removing it, unless the present one, '' being none, is not `from`. */
export const replaceField = luaScript('kit/replace-field', {
  params: { hash: 'key', field: 'text', from: 'text', to: 'text' },
  answer: isDone,
});

/** Deletes a string unless its text changed. */
export const deleteSame = luaScript('kit/delete-same', { params: { name: 'key', text: 'text' }, answer: isDone });
