import { describeReference, expectEveryProblem } from '@pushfleet/http-edge/testing';
import { PROBLEMS } from '../http/problem';
import { openApiDocument } from './document';

const document = openApiDocument();

describeReference(document);

test('every error of the table is told of somewhere', () => expectEveryProblem(document, { problems: PROBLEMS }));
