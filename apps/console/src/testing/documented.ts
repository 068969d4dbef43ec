import { documentedAnswers } from '@pushfleet/http-edge/testing';
import { openApiDocument } from '../openapi/document';

/** What the reference tells of answers. */
export const documented = documentedAnswers(openApiDocument());
