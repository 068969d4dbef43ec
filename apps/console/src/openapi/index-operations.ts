import { answerOf, EXAMPLE_AT, listOf, ofApp, ref, type Operation, type Operations } from './operation';

const INDEXES = '/api/v1/apps/:id/indexes';
const INDEX = { column: 'user', status: 'building', declaredAt: EXAMPLE_AT, progress: { done: 96, of: 256 } };

const answer = (description: string, example: object = INDEX): Operation['answer'] =>
  answerOf(description, ref('ColumnIndex'), example);
const about = (id: string, role: 'viewer' | 'operator') =>
  ({ id, access: ofApp(role), tag: 'apps', problems: ['not-found', 'conflict'] }) as const;

export const indexOperations: Operations = {
  [`GET ${INDEXES}`]: {
    ...about('listIndexes', 'viewer'),
    summary: 'The indexed columns of an app',
    answer: { ...answer('All of them.'), schema: listOf('ColumnIndex'), example: { results: [INDEX] } },
  },
  [`GET ${INDEXES}/:column`]: {
    ...about('getIndex', 'viewer'),
    summary: 'The index of a column, and how far it is',
    answer: answer('As of now.', { ...INDEX, status: 'ready', progress: undefined, checkedAt: EXAMPLE_AT }),
  },
  [`PUT ${INDEXES}/:column`]: {
    ...about('makeIndex', 'operator'),
    summary: 'Index a column',
    description:
      'For equality and `$in` with strings, numbers, booleans, pointers and dates. A dispatcher makes it in the background; pushes walk until it is ready. For one that exists nothing changes.',
    answer: answer('It is kept from now on.'),
  },
  [`DELETE ${INDEXES}/:column`]: {
    ...about('removeIndex', 'operator'),
    summary: 'Remove the index of a column',
    description: 'Pushes use it no more; its entries go in the background, and it is gone from the list with the last.',
    answer: answer('The removal has begun.', { ...INDEX, status: 'removing', progress: { done: 0, of: 256 } }),
  },
};
